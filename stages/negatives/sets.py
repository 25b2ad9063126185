"""Turn candidates into queries: score the workers' results, choose by both protocols, and write the chosen sets.

Candidates are written to their table and read again for the choice, so that memory grows with the number of queries and not with
that of candidates.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby, product
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.compute as pc

from stages.contract import schemas, tables
from stages.contract.ledger import Ledger
from stages.contract.schemas import CLEARED, PAPER, PROTOCOLS
from stages.negatives import nearness
from stages.negatives.candidate import KINDS, Candidate, Truth
from stages.negatives.making import ATOM, Made
from stages.selection import paper
from stages.selection.questions import Picked, Question
from stages.selection.questions import Truth as Asked
from stages.selection.selector import Selector

Row = dict[str, Any]
Key = tuple[str, str, str]
"""Protocol, query id and type."""


@dataclass
class Sets:
    """The sets of one stage.

    Args:
        selectors: one for each type.
        size: number of negatives a set.
        seed: for ``paper``'s random choice of atoms.
    """

    selectors: Mapping[str, Selector]
    size: int
    seed: int
    truths: dict[Key, list[Truth]] = field(default_factory=dict)
    valid: dict[Key, int] = field(default_factory=dict)
    reasons: dict[Key, str] = field(default_factory=dict)
    picked: dict[Key, Picked] = field(default_factory=dict)
    refused: Counter[str] = field(default_factory=Counter)

    def add(self, batch: Sequence[Made], write: Callable[[Iterable[Row]], None]) -> None:
        """Score a batch, choose ``paper``'s sets, and write the rows of the table ``candidates`` in the order of the batch."""
        rows: dict[int, Iterator[Row]] = {}
        for (kind, selector), protocol in product(self.selectors.items(), PROTOCOLS):
            places = [i for i, made in enumerate(batch) if (made.type, made.protocol) == (kind, protocol)]
            questions = [_question(batch[i], self.size) for i in places]
            plausible = selector.plausibility(questions) if protocol == PAPER else selector.add(questions)
            for i, scores in zip(places, plausible, strict=True):
                made = batch[i]
                key = (made.protocol, made.query_id, made.type)
                self.truths[key] = [truth for truth, _ in made.alternatives]
                self.refused.update({f"{made.protocol} {made.type} {code}": n for code, n in made.refused})
                self.valid[key] = max((_usable(candidates, made) for _, candidates in made.alternatives), default=0)
                if made.reason:
                    self.reasons[key] = made.reason
                if made.protocol == PAPER:
                    self._take_paper(key, made, scores[0])
                rows[i] = self._rows(made, scores)
        for i in sorted(rows):
            write(rows[i])

    def _take_paper(self, key: Key, made: Made, plausibility: np.ndarray) -> None:
        slots = [candidate.slot for candidate in made.alternatives[0].candidates if candidate.reason is None]
        if made.type == ATOM:
            places = paper.of_atoms(plausibility, slots, self.size, made.query_id, self.seed)
        else:
            places = paper.most_sensible(plausibility, self.size)
        if places is not None:
            self.picked[key] = Picked(0, places)

    def _rows(self, made: Made, scores: Sequence[np.ndarray]) -> Iterator[Row]:
        """Yield the rows of the candidates; a candidate of several truths comes once, under the first."""
        before: list[Candidate] | None = None
        for (truth, candidates), plausibility in zip(made.alternatives, scores, strict=True):
            if candidates is before or (before is not None and candidates == before):
                continue
            before, score = candidates, iter(plausibility.tolist())
            for candidate in candidates:
                row = candidate.row(made.protocol, made.query_id, made.image_id, made.type, truth.caption)
                yield {**row, "plausibility": next(score)} if candidate.reason is None else row

    def choose(self, groups: Mapping[str, Mapping[str, Sequence[str]]]) -> None:
        """Choose the sets of ``cleared``; ``groups`` are, by type and query, the groups in which it is compared."""
        for kind, selector in self.selectors.items():
            chosen = selector.choose(groups[kind])
            self.picked |= {(CLEARED, query_id, kind): picked for query_id, picked in chosen.items()}

    def queries(self, candidates: Path, row_of: Callable[[Key, Truth], Row]) -> Iterator[Row]:
        """Yield the rows of the table ``queries``, in the order of the table ``candidates``.

        Args:
            row_of: a function from a query to its columns for crop, complexity and labels.
        """
        for key, rows in groupby(_valid(candidates), key=lambda row: (row["protocol"], row["query_id"], row["type"])):
            if key not in self.picked:
                continue
            truth, places = self.truths[key][self.picked[key].truth], self.picked[key].places
            every = list(rows)
            of_truth = [row for row in every if row["truth"] == truth.caption] or every
            negatives = [{name: of_truth[place][name] for name, *_ in schemas.EDIT} for place in sorted(places)]
            asked = {"protocol": key[0], "query_id": key[1], "type": key[2], "truth": truth.caption, "denied": truth.denied}
            yield {**asked, **truth.graph.columns(), **row_of(key, truth), "negatives": negatives}

    def write(
        self,
        paths: Any,
        rows: Mapping[str, Row],
        row_of: Callable[[Key, Truth], Row],
        made_from: Mapping[str, str],
        stage: str,
        **figures: Any,
    ) -> None:
        """Write ``queries``, ``rejects`` and the metrics, and print one line.

        Args:
            paths: the stage's command line, with ``queries``, ``candidates``, ``rejects`` and ``metrics``.
            rows: the row of each query's region or caption.
            row_of: as in :meth:`queries`.
            figures: further metrics.
        """
        tables.write("queries", paths.queries, self.queries(paths.candidates, row_of), made_from)
        ledger, by_type = Ledger("sets"), dict[str, Any]()
        with tables.writer("rejects", paths.rejects) as reject:
            for protocol, kind in product(PROTOCOLS, self.selectors):
                keys = [key for key in self.truths if (key[0], key[2]) == (protocol, kind)]
                for key in keys:
                    ledger.read()
                    if key in self.picked:
                        ledger.keep()
                        continue
                    few = f"fewer_than_{self.size}" if self.valid[key] < self.size else "not_selected"
                    why, row = self.reasons.get(key, few), rows[key[1]]
                    ledger.drop(f"{protocol} {kind} {why}")
                    detail = f"{protocol} {kind}: {self.valid[key]} valid candidates"
                    what = {"image_id": row["image_id"], "text": row["caption"], "item": key[1]}
                    reject([what | {"reason": why, "detail": detail}])
                kept = sum(key in self.picked for key in keys)
                by_type.setdefault(protocol, {})[kind] = {"eligible": len(keys), "kept": kept}
        ledger.write(paths.metrics, sets=by_type, **figures, refused=dict(sorted(self.refused.items())))
        print(f"{stage}: {ledger}")


def _question(made: Made, size: int) -> Question:
    truths = []
    for truth, candidates in made.alternatives:
        valid = [candidate for candidate in candidates if candidate.reason is None]
        kinds = [KINDS.index(c.edit) if made.type == ATOM else 0 for c in valid]
        far = [c.nearness == nearness.FURTHER for c in valid]
        slots = [c.slot for c in valid]
        truths.append(Asked(truth.caption, [c.caption for c in valid], slots, kinds, far, _named(slots, kinds, size)))
    return Question(made.query_id, made.image_id, truths)


def _usable(candidates: Sequence[Candidate], made: Made) -> int:
    """Return the number of valid candidates that one set may have: those of one atom in HN-Atom of ``cleared``."""
    slots = Counter(candidate.slot for candidate in candidates if candidate.reason is None)
    one_slot = (made.type, made.protocol) == (ATOM, CLEARED)
    return max(slots.values(), default=0) if one_slot else slots.total()


def _named(slots: Sequence[int], kinds: Sequence[int], size: int) -> tuple[float, ...]:
    """Return the fraction of each kind among the atoms with a full set of foils, one of which is replaced at random."""
    full = [slot for slot, n in Counter(slots).items() if n >= size]
    of_slot = dict(zip(slots, kinds, strict=True))
    counts = Counter(of_slot[slot] for slot in full)
    return tuple(counts[kind] / max(len(full), 1) for kind in range(len(KINDS)))


def _valid(candidates: Path) -> Iterator[Row]:
    """Yield the rows of the table ``candidates`` that no check refused."""
    for batch in tables.batches("candidates", candidates):
        yield from batch.filter(pc.is_null(batch["reason"])).to_pylist()
