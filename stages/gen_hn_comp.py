"""Make the HN-Comp queries of systematicity (paper, section 4.1): the atoms of one compound are split over two, with wrong
partners.

Reads the inputs of ``gen_hn_atom``, and the training sets' seen atoms and compounds: in ``cleared`` the truth is a pair of
compounds, and its label (SC, UC, UA) is that of the pair. Writes ``candidates``, ``queries`` and ``rejects``.
"""

from stages.contract.errors import run
from stages.contract.files import scratch
from stages.contract.schemas import CLEARED
from stages.negatives import making, splits, systematicity
from stages.negatives.candidate import Truth
from stages.negatives.sets import Key, Sets
from stages.negatives.splits import Label
from stages.negatives.systematicity import Inputs, Paths
from stages.parameters import params
from stages.parameters.sections import GenHnComp, Run, Split

Labels = dict[tuple[str, str], list[Label]]
"""Labels by query id and truth."""


def label(paths: Paths, inputs: Inputs, sets: Sets) -> Labels:
    """Return the labels of each truth as a whole, by training set."""
    asked = {(key[1], truth.caption): truth.graph for key, truths in sets.truths.items() for truth in truths}
    graphs = dict(enumerate(asked.values()))
    with scratch(paths.queries) as folder:
        labels = splits.of_graphs(graphs, inputs.seen, params.load(Split).min_count, params.load(Run), folder)
    return {key: labels[i] for i, key in enumerate(asked)}


def main() -> None:
    paths, inputs = systematicity.command_line(__doc__)
    sets = systematicity.made(paths, inputs, making.COMP, making.compounds_of_regions, params.load(GenHnComp).negatives)
    labels = label(paths, inputs, sets)

    def of(key: Key, truth: Truth) -> list[Label]:
        return labels[key[1], truth.caption]

    cleared = {key[1]: truths for key, truths in sets.truths.items() if key[0] == CLEARED}
    groups = {query_id: splits.groups(labels[query_id, truths[0].caption]) for query_id, truths in cleared.items() if truths}
    sets.choose({making.COMP: groups})
    systematicity.write(paths, inputs, sets, of, "gen_hn_comp")


if __name__ == "__main__":
    run(main)
