"""The table of relations: what is data of :mod:`stages.semantics.relations`."""

from __future__ import annotations

from stages.language.lexicon import words
from stages.semantics.lexicon import table

# A place: its names in normal form, the first of which is used where it replaces another.
PLACES = table(
    """
    on: on, on top of, atop, upon, onto, on back of, on the back of
    under: under, underneath, below, beneath
    above: above, over
    in: in, inside, within, into, inside of, in the middle of
    outside: outside, outside of, out of
    behind: behind
    front: in front of, before
    left: to the left of, left of, on the left of, on left of
    right: to the right of, right of, on the right of, on right of
    beside: next to, beside
    near: near, by, close to, around the corner of
    far: far from, away from, far away from
    against: against, up against
    around: around, all around
    at: at
    across: across from, on the other side of
    with: with
    of: of
    """
)
# What a place rules out for the same two things. It is read one way: who says "far" means "not on". Who says "by" leaves much
# open, an apple by the bench may lie on it; a sheep beside a tree stands under it, and the flowers in a vase are above it.
EXCLUDED_PLACES = table(
    """
    on: under, behind, beside, left, right, far, outside
    under: on, above, in, far
    above: under, in, on
    in: outside, beside, left, right, far, across
    outside: in, on
    behind: front, on, in
    front: behind, on, in
    left: right, on, in
    right: left, on, in
    beside: on, in, far
    near: far
    far: near, beside, on, in, against, under
    against: in, far, under
    around: in, far, under
    across: in, on, beside
    """
)
# Places that are offered as foils though the words rule nothing out: the boxes have to.
SETTLED_PLACES = table(
    """
    near: on, in, left, right, above, under
    beside: left, right, above, under
    """
)
# What also holds of the two things, and (after "turned") of the two things the other way round.
IMPLIED_PLACES = table(
    """
    on: near, at, against turned under, with
    under: near, at turned on, above, with
    above: turned under
    in: at, near, of turned with, around
    behind: near turned front, with
    front: near, at turned behind, with
    left: near, beside turned right, beside, near
    right: near, beside turned left, beside, near
    beside: near, at, with, against turned beside, near, with
    near: at, with, beside turned near, with, beside
    far: turned far
    against: near, beside, at turned against, near, beside
    around: turned in, with
    at: near turned with, near
    across: turned across
    with: turned of, with, in, on
    of: on, in turned with
    """
)
# Verbs that captions use for one another; the first stands for all.
SAME_VERBS = table(
    """
    look: look, stare, gaze, watch, glance, view, see, observe
    hold: hold, grip, grasp, clutch, grab
    wear: wear, have on, dress in, clothe in
    eat: eat, bite, chew, munch, graze on, feed on, nibble
    walk: walk, stroll, stride
    run: run, jog, sprint
    jump: jump, leap
    throw: throw, toss, pitch, fling
    hit: hit, strike
    kneel: kneel, crouch, squat
    drive: drive, steer
    lie: lie, lay
    sleep: sleep, nap
    pet: pet, stroke
    have: have, own, possess
    ride: ride, mount
    """
)
# Verbs of which only one can be true of the same two things in one picture.
EXCLUSIVE_VERBS = table(
    """
    sit: stand, lie, kneel, jump, walk, run, fly, swim
    stand: sit, lie, kneel, fly, swim, sleep
    lie: stand, sit, walk, run, jump, fly, kneel
    walk: sit, lie, kneel, sleep, fly, swim, drive
    run: sit, lie, kneel, sleep, fly, swim
    jump: sit, lie, sleep, swim
    fly: sit, stand, walk, lie, swim, park
    swim: sit, stand, walk, run, fly, jump
    sleep: stand, walk, run, jump, fly
    kneel: sit, stand, lie, walk, run
    park: drive, fly, ride
    ride: push, pull, carry, wash, lift, feed, chase, kick, repair, throw
    hold: kick, wear, ride, chase, drop
    carry: kick, ride, push, pull, drop, chase
    wear: wash, throw, kick, eat, fold, drop, sell
    push: pull, carry, kick, ride, lift
    pull: push, carry, kick, ride
    drive: park, wash, push, repair
    eat: cook, wash, throw, chase, paint, sell, kick
    drink: pour, spill, throw, wash
    kick: hold, catch, throw, carry, eat
    throw: catch, kick, ride, wear, eat
    catch: throw, kick, drop, miss
    hit: catch, carry, miss, wear
    cut: drop, throw, wear, chase
    chase: ride, feed, lead, carry, wear
    look: chase, ride, wear, kick
    feed: chase, ride, kick, eat
    open: close
    close: open
    follow: lead
    lead: follow
    enter: leave
    leave: enter
    climb: descend
    wash: wear, eat, throw, ride
    """
)
# What a verb says of place, of possession, and (after "turned") of the other thing.
IMPLIED_BY_VERBS = table(
    """
    wear: in, with, have turned on, of, around
    hold: with, have, carry, touch, use turned in, near, with
    carry: hold, with, have, touch turned in, on, near
    ride: on, sit on, with, drive, use turned under, with, carry
    drive: in, ride, on turned around
    push: touch, with, move, behind
    pull: touch, with, move, front, lead
    eat: with, have, at, hold turned near
    have: with turned of, in, on, at, with
    contain: have, with, hold turned in, of
    cover: on, above, over turned under, with
    surround: around turned in, inside
    hang: on, against, above
    support: under turned on
    feed: near, with
    lead: front, pull turned follow, behind
    follow: behind turned lead, front
    chase: behind, follow, run turned front
    touch: near, against turned touch, near
    hug: hold, with, near turned hug, with, near
    kiss: near, with, touch turned kiss, with, near
    face: look, front turned face, front
    """
)
# Whoever does this to another has not the same done to him by it; of other verbs (look at, follow, touch) both may hold.
ONE_WAY_VERBS = words(
    """
    wear hold carry ride eat drink drive push pull throw catch kick cut have contain cover support read use open close cook
    wash park fly climb swing play sit stand lie kneel sleep walk run jump hang grow
    """
)
SYMMETRIC_PLACES = frozenset({"beside", "near", "far", "against", "across", "with"})
SYMMETRIC_VERBS = frozenset({"hug", "kiss", "touch", "face", "meet", "match", "fight", "talk", "play"})
# Places that leave no doubt; who says "near" or "with" leaves much open.
FIRM = frozenset({"on", "under", "above", "behind", "front"})
# Of these verbs' places none is sure: what somebody has need not be on him, what hangs need not hang on what it hangs above.
LOOSE_VERBS = frozenset({"have", "carry", "hang"})
# These keep their preposition when one replaces another ("sit on", "lie on"); other verbs take the object itself.
POSTURES = words("sit stand lie kneel jump walk run fly swim sleep park drive hang lean")
# Where in the picture a thing stands: the axis (0 across, 1 down) and the sign of its centre's difference from the other's.
DIRECTIONS = {"left": (0, -1), "right": (0, 1), "above": (1, -1), "under": (1, 1)}
# Where things stand, whether or not anybody would say so of them.
STANDING_PLACES = frozenset(
    {*DIRECTIONS, "behind", "front", "beside", "near", "far", "across", "against", "around", "outside"}
) | words("along between among amongst amid beyond past alongside amidst opposite")
# What holds only of things that are near each other.
CLOSE_PLACES = frozenset({"beside", "near"})
# What holds of everything, whatever the picture: (relation's place, the other thing).
ALWAYS = frozenset({("under", "sky"), ("under", "sun"), ("under", "cloud"), ("above", "ground"), ("near", "air")})
# What holds only of two things whose boxes meet; and things whose annotated box is seldom all of them.
TOUCHING_PLACES = frozenset({"on", "in", "against"})
TOUCHING_VERBS = frozenset({"wear", "hold", "carry", "ride", "touch", "eat", "hug", "kiss", "cut", "cover"})
SPREAD_OUT = words(
    """
    sky ground floor wall grass field lawn yard water ocean sea lake river sand beach snow dirt road street sidewalk pavement
    asphalt room air background building ceiling forest park city scene picture image photo people crowd land hill mountain
    """
)
