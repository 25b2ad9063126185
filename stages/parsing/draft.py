"""A draft of a scene graph: keyed by the positions of words, with the words of each atom."""

from dataclasses import dataclass, field

from stages.parsing.words import Words


@dataclass
class Attribute:
    """``words`` state an attribute of the object at word ``owner``."""

    owner: int
    words: tuple[int, ...]
    source: str
    text: str | None = None


@dataclass
class Relation:
    """``words`` relate the objects at ``subject`` and ``object``; ``text`` overrides the name that the words would give."""

    subject: int
    words: tuple[int, ...]
    object: int
    source: str
    text: str | None = None


@dataclass
class Draft:
    """A scene graph keyed by word: for each object's head word the words of its name, or a replacing name.

    ``another`` is for "a large one": the object whose kind it repeats.
    """

    words: Words
    objects: dict[int, tuple[int, ...]] = field(default_factory=dict)
    attributes: list[Attribute] = field(default_factory=list)
    relations: list[Relation] = field(default_factory=list)
    names: dict[int, str] = field(default_factory=dict)
    another: dict[int, int] = field(default_factory=dict)

    def name_words(self, head: int) -> tuple[int, ...]:
        """Return the words that name the object at ``head``: its own, or those of the object whose kind it repeats."""
        return self.objects[self.another[head] if self.another.get(head) in self.objects else head]
