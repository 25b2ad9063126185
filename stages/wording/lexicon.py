"""Words whose grammar in captions no library knows: without a plural, passive, lasting."""

from __future__ import annotations

from stages.language.lexicon import words

# How many things words say that give no number, at least: "several dogs" are three or more.
AT_LEAST = {"several": 3, "many": 3, "few": 3, "numerous": 3, "some": 2, "multiple": 2, "both": 2, "various": 2}

# No article and no plural in captions: "grass", never "a grass".
MASS = words(
    """
    artwork asparagus asphalt bacon baggage bamboo bark beef beer bread broccoli brush butter cabbage calligraphy cardboard
    carpeting cash celery cement cereal cheese chrome clay clothing coal cocoa coffee concrete corduroy corn cotton cream
    cutlery denim dirt dust equipment fabric fat firewood foam foil foliage food fur furniture garbage garlic gasoline glare
    glassware graffiti grain granite grass gravel greenery guacamole hair ham hay honey hummus ice icing ink ivory jam jelly
    jewelry juice ketchup lace land landscaping lava leather lettuce lighting linen linoleum litter lotion luggage lumber
    machinery mail makeup marble mayonnaise meat metal milk money moss mozzarella mud mulch music mustard nature oatmeal oil
    padding paint parmesan parsley pasta pastry pavement pepper plastic plumage plywood popcorn porcelain pork produce rain rice
    rubber rust salt sand sauce scenery seafood seasoning seaweed shrubbery signage silk silverware smoke snow snowfall soap
    soil soup spinach steam steel straw stubble stuffing styrofoam sugar sunlight sunshine surf syrup tarmac tea tinsel toast
    toothpaste traffic trash turf underbrush underwear upholstery vegetation velvet vinegar water weather wheat wine wiring wood
    wool wrapping writing yarn yogurt
    """
)

# A relation that begins with one of these is no verb.
NOT_VERBS = words(
    """
    about above across adjacent after against ahead all along alongside amid amidst among amongst around as aside astride at
    atop away back before behind below beneath beside besides between beyond both by close different down facing far for from
    front full in inside into large larger left like made near nearby next of off on onto opposite out outside over parallel
    part past perpendicular right round side similar small smaller taller than through throughout to together toward towards
    under underneath unlike up upon via with within without worth
    """
)

# Passive in captions before a preposition: "a sign attached to a pole", but "a boy sitting on a bench", "cutting a cake".
PASSIVE = words(
    """
    affix anchor arrange attach base bind bolt build carve center chain clip compose connect cook cut decorate design dip
    display divide dock draw dress embed engrave equip fasten fill fix fold frame garnish glue hook illuminate imprint inscribe
    install join load locate lock make mount nail outline pack paint park paste pave perch pile pin place plant plug polish
    position post print prop roll scatter screw seat secure serve set sew shape shelve situate slice spread sprinkle stack stain
    stamp staple stitch store strap string stuff submerge suspend tack tape tether tie top trim tuck weave wedge wrap write
    """
)

# What may follow a verb in a relation.
PREPOSITIONS = words(
    """
    about above across against along around as at behind below beneath beside between by down for from in inside into near next
    of off on onto out over through to together toward towards under underneath up with within
    """
)

# Lasting states, in the simple present: "the table has a drawer", "the wall surrounds the garden".
STATIVE = words(
    """
    belong border consist contain cover have include lead line need overlook read resemble say separate surround
    """
)
