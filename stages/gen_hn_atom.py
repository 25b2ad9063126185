"""Make the HN-Atom queries of systematicity (paper, section 4.1): one atom of a one-compound caption is replaced by a foil.

Reads ``regions`` with their ``splits``, within which ``cleared`` balances its sets, the facts of their images
(``scene_graphs``, ``region_facts``), and the training captions, which provide the foils and a language model of how
plausible a caption is. Writes ``candidates`` of both protocols with the reason where one is refused, ``queries``, those with
a full set, and ``rejects``, those without.
"""

from stages.contract.errors import run
from stages.negatives import making, splits, systematicity
from stages.parameters import params
from stages.parameters.sections import GenHnAtom


def main() -> None:
    paths, inputs = systematicity.command_line(__doc__)
    regions = splits.of_regions(inputs.split_tables)
    labels = {f"region-{region}": label for region, label in regions.items()}
    sets = systematicity.made(paths, inputs, making.ATOM, making.atoms_of_regions, params.load(GenHnAtom).negatives)
    sets.choose({making.ATOM: {query_id: splits.groups(label) for query_id, label in labels.items()}})
    systematicity.write(paths, inputs, sets, lambda key, truth: labels.get(key[1], []), "gen_hn_atom")


if __name__ == "__main__":
    run(main)
