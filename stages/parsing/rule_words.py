"""Words that the parser's rules know by heart, each list with a sentence that needs it."""

from __future__ import annotations

import re

from stages.language.lexicon import words

# "a group of people": they count or divide what follows "of", and are no objects themselves.
COLLECTIVES = words(
    """
    amount array assortment bit bits bunch bunches bundle chunk chunks cluster clusters collection couple crowd crowds dozen dozens
    flock flocks group groups handful herd herds hundreds kind kinds line lines load loads lot lots number pack pair pairs part
    parts patch patches piece pieces pile piles plenty row rows selection series set sets sheet slice slices stack stacks strip
    strips swarm team ton tons type types variety view
    """
)

# "a front view of a temple": what is said of the view is not said of the temple.
VIEWS = words("kind kinds type types variety view views")

# "a photo of a boy running": the boy runs.
DEPICTIONS = words(
    """
    close-up closeup drawing footage illustration image images lapse painting photo photograph photographs photos picture pictures
    portrait rendering shot silhouette sketch statue tattoo timelapse vector video
    """
)

# "a close-up of apples on a tree": the apples are on the tree.
PICTURES = words("close-up closeup footage image images photo photograph photos shot silhouette view")

# "a boy wearing a cap walking home": the boy walks.
CARRYING = words("carries carrying carry holding holds hold wearing wears wear")

# "couple vector": a couple.
PHOTOS = words("clipart image images photo photograph photographs photos picture pictures render vector vectors")

# "it is red", "there are two": they name nothing.
NO_OBJECT = words("and he i it mr mrs ms none one ones she that there these they this those we which who you")

# "she holds a cup": they name somebody, though not whom.
PERSONAL = words("he i she they we")

# "several dogs", "other people": they say which or how many, and nothing that a picture shows.
NOT_ATTRIBUTES = words("able another different few lots many more most much next only other own same several some such various")

# "a post with a clock on it".
HAVING = words("had has have having with")

# "the sky looks cloudy".
LINKING = words("appear appears look looking looks seem seems stand stands stay turn turned")

# "the light is on", "lying down".
PLACE_ADVERBS = words("around away down inside off on open out outside over together up")

# "a man without a hat".
NEGATIONS = words("n't neither never no nobody none not nothing without")

# "cooking food in a tray": the food is in the tray.
PLACING = words(
    """
    bake baking boil boiling cook cooking cooks fry frying mixing pack packing place places placing pour pouring pours put puts
    putting serve serves serving stir stirring stirs
    """
)

# "covered in snow", "visible through a window": the preposition belongs to the adjective.
ADJECTIVES_WITH = words(
    """
    adorned asleep attached built close covered decorated dressed filled full hidden high hung lined lit loaded low made mixed
    mounted open packed painted parked perched placed planted ready reflected seated sprinkled stacked stuck surrounded tied topped
    visible wrapped
    """
)

# "a dark green shirt" has one attribute,
COLORS = words(
    """
    beige black blond blonde blue brown burgundy cream gold golden gray green grey maroon navy orange pink purple red silver tan
    teal turquoise violet white yellow
    """
)

# of which these are the first word.
SHADES = words(
    """
    army baby bluish bright dark deep dull forest greenish hot light lime medium mostly multi navy neon off olive pale partly
    reddish royal semi sky yellowish
    """
)

# "frosting on a cake": words in -ing that name things.
ING_NOUNS = words(
    """
    awning bedding building buildings carving ceiling clearing clothing covering crossing drawing dressing earring fencing flooring
    frosting housing icing king landscaping lettering lighting marking markings molding netting opening padding painting paneling
    piping railing ring roofing seating siding string stuffing thing topping toppings wing wiring writing
    """
)

# "a tan cat": a possessive that is none of these is an adjective.
POSSESSIVES = words("her his it its my our their there whose your")

# "a very old car": not everything before a noun describes it.
ADVERBS = words(
    """
    about all almost also away back directly down even here inside just mostly nearly not off only out outside over partially right
    so still then there together too up very
    """
)

# "on folding chair": a participle after these describes what follows, where the article was left out.
PLACES = words("above against at behind beside from in inside near of on over to under with")

# "the bike a man is holding": who stands before a verb at the end of a caption.
PEOPLE = words(
    """
    baby batter bear bird boy boys cat child cow cows dog elephant giraffe girl girls guy he horse kid kids lady man men people
    person player she sheep skateboarder skier surfer they woman women zebra
    """
)

# "Lion in the Snow": words that titles write with and without a capital.
FUNCTION_WORDS = words("a an and as at by for from in is it its of on or the this to w/ with & i")

# "How To Visit a Beach", "you should eat more": what is said is advice, an opinion or a question, and no picture's.
OPINION = re.compile(r"(?<!\S)(?:how (?:to|do|does|can|many|much)|why|you|your|might|must|should|would|could|has to|have to)(?!\S)")

# "Chair w/ Cushions".
SHORT_FORMS = {"w/": "with", "&": "and", "w/o": "without"}

# "Dress - Free Shipping", "Boy Royalty Free Vector Illustration": what sellers of things and pictures say, in a caption's words
# joined by single spaces.
NOT_SHOWN = re.compile(
    r"(?<!\S)(?:"
    r"image may contain :|free (?:shipping|delivery|download|returns?|postage)|(?:for|on) sale|brand new|in stock|wholesale"
    r"|(?:high |top |best |premium |aaa )*quality"
    r"|royalty free(?: (?:stock|vector|clipart|images?|photos?|photography|illustrations?|graphics?))*"
    r"|stock (?:photo|image|illustration|vector|photography|footage|video|picture)s?"
    r"|(?:photo|image|picture|photography|illustration|painting|art) (?:by|via|courtesy of|credit)(?: \S+){1,3}"
    r"|\d[\d./]* (?:(?:to|x|-) \d[\d./]* )*(?:pcs|ml|oz|cm|mm|inch|inches|kg|lbs?|gb|ft)"
    r")(?!\S)"
)

# "Lexington Avenue", "University of Pittsburgh": in a title they are part of the name that they stand beside.
PLACE_NAMES = words(
    """
    avenue bay beach bridge canyon castle church city coast college county district festival harbor harbour hotel island islands
    lake mountain mountains museum national park river road square state street town university valley village
    """
)

# "the best tracker", "old iron, great decor": what somebody thinks of it or knows, and nobody sees.
OPINIONS = words(
    """
    amazing annual available awesome best better entire everyday expected famous favorite favourite fifth final first following
    former fourth general good great ideal important infamous key last latest loved memorable new nice official own perfect popular
    possible previous real recurring second special successful third true typical ultimate unexpected unique whole worst
    """
)

# "a goalkeeper is seen", "a sign saying": what they say of a thing is nothing without what follows.
SAYS_NOTHING = words(
    """
    became become becomes becoming been called depicted did do does done featured get gets getting got has including kept known
    made make makes making named pictured remain remains said saying says seen shown take takes titled took used
    """
)

# "does anyone have a ladder", "something for everyone": they name nobody and nothing in particular.
INDEFINITE = words(
    """
    anybody anyone anything everybody everyone everything herself himself itself me myself nobody nothing one ourselves somebody
    someone something themself themselves us you yourself
    """
)
