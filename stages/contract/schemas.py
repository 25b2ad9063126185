"""Every table between stages: its schema, and a sentence for each column."""

import pyarrow as pa

Column = tuple[str, pa.DataType, str]

PAPER, CLEARED = PROTOCOLS = ("paper", "cleared")
"""The papers' rules and nothing else; and the same definitions, chosen so that no text-only shortcut explains the sets."""

SPAN = pa.struct([("start", pa.int32()), ("end", pa.int32())])
BOX = pa.struct([("x", pa.int32()), ("y", pa.int32()), ("width", pa.int32()), ("height", pa.int32())])
ATTRIBUTE = pa.struct([("object", pa.int32()), ("attribute", pa.string())])
MENTION = pa.struct([("kind", pa.string()), ("index", pa.int32()), ("span", SPAN)])
RELATION = pa.struct([("subject", pa.int32()), ("relation", pa.string()), ("object", pa.int32())])
UNSAYABLE = pa.struct([("kind", pa.string()), ("index", pa.int32()), ("reason", pa.string())])
SPLIT = pa.struct([("training_set", pa.string()), ("split", pa.string())])
LABEL = pa.struct([*SPLIT, ("min_atom_count", pa.int64())])
SHORTCUT = pa.struct([("scorer", pa.string()), ("rank", pa.float64()), ("r1", pa.float64())])
EXCHANGED = pa.struct([("part", pa.string()), ("caption", pa.string())])
THING = pa.struct([*((word, pa.string()) for word in ("kind", "colour", "pattern", "size", "state")), *BOX])

GRAPH: tuple[Column, ...] = (
    ("objects", pa.list_(pa.string()), "the objects' names, in normal form"),
    ("attributes", pa.list_(ATTRIBUTE), "attributes, each with the index of its object"),
    ("relations", pa.list_(RELATION), "relations, each with the indices of its subject and object"),
)
SPANS: tuple[Column, ...] = (
    ("object_spans", pa.list_(SPAN), "where each object stands in the caption, in characters"),
    ("attribute_spans", pa.list_(SPAN), "where each attribute stands in the caption"),
    ("relation_spans", pa.list_(SPAN), "where each relation stands in the caption"),
)
CROP: tuple[Column, ...] = (
    ("image_id", pa.int64(), "Visual Genome's image id"),
    ("x", pa.int32(), "left edge of the crop, in pixels of the image"),
    ("y", pa.int32(), "upper edge of the crop"),
    ("width", pa.int32(), "width of the crop"),
    ("height", pa.int32(), "height of the crop"),
)
IMAGE_SIZE: tuple[Column, ...] = (
    ("image_width", pa.int32(), "width of the whole image, in pixels"),
    ("image_height", pa.int32(), "height of the whole image"),
)
EDIT: tuple[Column, ...] = (
    ("caption", pa.string(), "the negative caption"),
    ("edit", pa.string(), "what was changed: the atom's kind for a foil, the swapped kind, or what was negated"),
    ("atom", pa.string(), "the atom that was replaced, moved or negated, in normal form; parts joined by ' | '"),
    ("foil", pa.string(), "the replacing atom, in normal form; null where there is none"),
    ("spans", pa.list_(SPAN), "the spans of the truth that the edit replaced"),
    *GRAPH,
    ("plausibility", pa.float64(), "the selecting language model's score, higher is more sensible; null where none was asked"),
    ("p_true", pa.float64(), "the probability that it is true although nobody wrote it; null where none was estimated"),
    (
        "nearness",
        pa.string(),
        "how the foil is related to the atom (stages.negatives.nearness); of two, the further; null without a foil",
    ),
)
DISTINCT: tuple[Column, ...] = (
    ("caption", pa.string(), "the caption, cleaned"),
    ("count", pa.int64(), "how many rows of the training set carry it"),
)
WALK: tuple[Column, ...] = (
    ("subgraph_id", pa.string(), "'<image_id>-<n>-<walk>'"),
    *CROP,
    ("n", pa.int32(), "complexity: the number of atoms"),
    ("n_components", pa.int32(), "connected components of the subgraph"),
)
WALKED: tuple[Column, ...] = (
    ("plurals", pa.list_(pa.int32()), "the indices of objects that are several things each"),
    ("object_ids", pa.list_(pa.int64()), "Visual Genome's id of each object"),
)
PROTOCOL: Column = (
    "protocol",
    pa.string(),
    "paper or cleared: the rules that chose the negatives; null for suites without protocols",
)
QUERY_ID: Column = ("query_id", pa.string(), "'region-<region_id>' or 'walk-<subgraph_id>'; one crop and its truth")


class Table:
    """A table's meaning, its columns, and their schema."""

    def __init__(self, rows: str, *columns: Column):
        self.rows, self.columns = rows, columns
        self.schema = pa.schema([pa.field(name, kind, metadata={"description": text}) for name, kind, text in columns])


TABLES: dict[str, Table] = {
    "distinct_captions": Table("a usable caption of a training set; each comes once, in the order of their bytes", *DISTINCT),
    "occurrences": Table(
        "an atom or a compound with how often a part of a training set names it; the same key may come again",
        ("kind", pa.string(), "object, attribute, relation, attribute_object or object_relation_object"),
        ("first", pa.string(), "the atom; or the attribute, or the subject, of a compound"),
        ("second", pa.string(), "the object of an attribute, or the relation of a triple; empty for an atom"),
        ("third", pa.string(), "the object of a triple; empty otherwise"),
        ("count", pa.int64(), "how many captions name it, repeated captions counted each time"),
    ),
    "training_graphs": Table("a distinct training caption with its scene graph", *DISTINCT, *GRAPH),
    "seen_atoms": Table(
        "an atom of a training set",
        ("kind", pa.string(), "object, attribute or relation"),
        ("atom", pa.string(), "the atom in normal form"),
        ("count", pa.int64(), "how many captions name it"),
    ),
    "seen_compounds": Table(
        "a compound of a training set",
        ("kind", pa.string(), "attribute_object or object_relation_object"),
        ("first", pa.string(), "the attribute, or the subject"),
        ("second", pa.string(), "the object of the attribute, or the relation"),
        ("third", pa.string(), "the object of the relation; empty for an attribute_object"),
        ("count", pa.int64(), "how many captions name it"),
    ),
    "usage": Table(
        "how often people say a word of a noun",
        ("kind", pa.string(), "attribute; subject or object, of a relation; or together, of another noun"),
        ("word", pa.string(), "the attribute, the relation or the other noun, in normal form"),
        ("noun", pa.string(), "the noun, in normal form"),
        ("source", pa.string(), "gqa, regions (FACTUAL's), captions (the training sets') or graphs (the annotations')"),
        ("count", pa.int64(), "how often it is said"),
    ),
    "scene_graphs": Table(
        "an image with its annotated scene graph, normalised",
        ("image_id", pa.int64(), "Visual Genome's image id"),
        *IMAGE_SIZE,
        *GRAPH,
        ("object_ids", pa.list_(pa.int64()), "Visual Genome's id of each object"),
        ("boxes", pa.list_(BOX), "the box of each object, in pixels, cut to the image"),
        ("aliases", pa.list_(pa.list_(pa.string())), "the further names of each object, in normal form"),
        ("plurals", pa.list_(pa.int32()), "the indices of objects that are several things each: 'windows'"),
        ("unsayable", pa.list_(UNSAYABLE), "atoms that are evidence only, because no caption can say them well, with the reason"),
    ),
    "regions": Table(
        "a region that is fit to be a query",
        ("region_id", pa.int64(), "Visual Genome's region id"),
        ("position", pa.int64(), "0-based position in the flattened region list, the official release's region id"),
        *CROP,
        *IMAGE_SIZE,
        ("phrase", pa.string(), "the region's description as annotated"),
        ("caption", pa.string(), "the description, cleaned and spelling-corrected"),
        *GRAPH,
        *SPANS,
    ),
    "region_facts": Table(
        "what the descriptions of an image's regions say of it, queries or not",
        ("image_id", pa.int64(), "Visual Genome's image id"),
        ("region_id", pa.int64(), "Visual Genome's region id"),
        ("box", BOX, "the region's box"),
        *GRAPH,
    ),
    "rejects": Table(
        "a row that a stage dropped, for a person to look at",
        ("image_id", pa.int64(), "Visual Genome's image id; null where there is none"),
        ("item", pa.string(), "the id of the row: region, object, subgraph or query"),
        ("text", pa.string(), "the caption or name, as it came"),
        ("reason", pa.string(), "the reason's code, as the ledger counts it"),
        ("detail", pa.string(), "what exactly was found"),
    ),
    "splits": Table(
        "a region with its compositional split for one training set (paper, section 3.2)",
        ("region_id", pa.int64(), "Visual Genome's region id"),
        ("image_id", pa.int64(), "Visual Genome's image id"),
        ("split", pa.string(), "SC, UC or UA"),
        ("n_compounds", pa.int32(), "how many compounds the caption has"),
        ("unseen_atoms", pa.list_(pa.string()), "the atoms that the training set lacks"),
        ("unseen_compounds", pa.list_(pa.string()), "the compounds that the training set lacks, parts joined by ' | '"),
        ("min_atom_count", pa.int64(), "how often the training set names the caption's rarest atom"),
    ),
    "subgraphs": Table("what a random walk of n atoms found (paper, appendix A.3)", *WALK, *GRAPH, *WALKED),
    "captions": Table(
        "a subgraph with its caption",
        *WALK,
        ("caption", pa.string(), "the caption"),
        ("writer", pa.string(), "template, realiser, or the language model's name"),
        *GRAPH,
        *SPANS,
        ("mentions", pa.list_(MENTION), "where the caption names an atom again, as in 'the boy'"),
        *WALKED,
    ),
    "candidates": Table(
        "a candidate negative with its scores, and the reason where it was not valid",
        PROTOCOL,
        QUERY_ID,
        ("image_id", pa.int64(), "Visual Genome's image id"),
        ("type", pa.string(), "HN-Atom, HN-Comp, HN-Swap or HN-Neg"),
        (
            "truth",
            pa.string(),
            "the true caption that it was made of; those of several truths of an HN-Neg query have the first",
        ),
        *EDIT,
        ("reason", pa.string(), "the code of the check that it failed; null for a valid candidate"),
    ),
    "queries": Table(
        "a retrieval set: an image crop with its truth and its negatives of one type",
        PROTOCOL,
        QUERY_ID,
        ("type", pa.string(), "HN-Atom, HN-Comp, HN-Swap, HN-Neg, or ARO's type"),
        *CROP,
        ("n", pa.int32(), "complexity: the number of atoms of the truth's graph; null where it has no graph"),
        ("truth", pa.string(), "the caption that belongs to the crop"),
        (
            "denied",
            pa.string(),
            "the thing that the truth denies, which is not in its graph and does not count in n; null elsewhere",
        ),
        *GRAPH,
        ("splits", pa.list_(LABEL), "what each training set has seen of the whole truth; empty for productivity"),
        ("negatives", pa.list_(pa.struct([(name, kind) for name, kind, _ in EDIT])), "the hard negatives"),
    ),
    "perturbed_captions": Table(
        "a caption of a retrieval set after a perturbation of its words (ARO, section 3.1)",
        ("image_id", pa.int64(), "the number of its image"),
        ("number", pa.int32(), "which of the image's captions it is, from 0"),
        ("perturbation", pa.string(), "none, or a name of stages.suites.word_order.RETRIEVAL"),
        ("seed", pa.int32(), "the seed of the order"),
        ("caption", pa.string(), "the words after it"),
    ),
    "ranks": Table(
        "a retrieval set as a model ranked it",
        PROTOCOL,
        ("suite", pa.string(), "sys, prod, or the name of a further suite"),
        ("set", pa.string(), "atom, comp, both, swap, neg, all, or the further suite's own name for it"),
        QUERY_ID,
        *CROP,
        ("cluster", pa.int64(), "the same number for sets of one cluster: of one image, or of images of one case"),
        ("picture", pa.string(), "where the image lies, of suites with images of their own; null where Visual Genome has it"),
        ("n", pa.int32(), "complexity, as the query has it; null where the suite does not go by it"),
        ("split", pa.string(), "SC, UC or UA for the training set that was asked for; null where there is none"),
        ("splits", pa.list_(SPLIT), "the split for every training set"),
        ("truth", pa.string(), "the caption that belongs to the crop"),
        ("negatives", pa.list_(pa.string()), "the hard negatives; the truth again for each other image that is asked about"),
        ("edits", pa.list_(pa.string()), "what each negative changed; empty where it is not known"),
        ("scores", pa.list_(pa.float32()), "the model's score of the truth, and then of each negative"),
        ("rank", pa.float64(), "rank of the truth, 1 is best; where captions tie with it, the rank to be expected"),
        ("ties", pa.int32(), "negatives that tie with the truth"),
        (
            "shuffled_rank",
            pa.float64(),
            "the truth's rank when the model sees the crop of another image; null for a text-only model",
        ),
        (
            "shortcuts",
            pa.list_(SHORTCUT),
            "the truth's rank by each scorer that sees no image, and how likely it comes first, ties in equal shares",
        ),
    ),
    "truth": Table(
        "everything that is true of an image of the sample world; no stage reads it but the audit",
        ("image_id", pa.int64(), "the image's id in the sample's Visual Genome files"),
        *IMAGE_SIZE,
        ("theme", pa.string(), "the kind of place"),
        ("things", pa.list_(THING), "all that is drawn, the background's parts first"),
        ("relations", pa.list_(RELATION), "the relations that hold, in the world's words (stages.world.relations.RELATIONS)"),
        ("doubtful", pa.list_(RELATION), "the relations of which people would disagree; all the others do not hold"),
    ),
    "training_images": Table(
        "a training image of the sample world",
        ("image_key", pa.string(), "the last part of its address in the corpora"),
        ("jpeg", pa.binary(), "the image"),
    ),
    "text_negatives": Table(
        "a caption of the training pairs with its negatives, captions in which two parts have changed places (NegCLIP)",
        ("caption", pa.string(), "the caption; each comes once, in the order of their letters"),
        (
            "negatives",
            pa.list_(EXCHANGED),
            "the negatives, each with the kind of part that was exchanged; empty where nothing can be",
        ),
    ),
    "image_neighbours": Table(
        "a training image with the images most like it (NegCLIP)",
        ("image_key", pa.string(), "the image's name among the pairs"),
        ("neighbours", pa.list_(pa.string()), "the names of the images most like it, the nearest first"),
    ),
    "training_pairs": Table(
        "a caption of one of the sample's corpora with its image",
        ("image_key", pa.string(), "key into the training images"),
        ("caption", pa.string(), "the caption"),
    ),
}
