"""Parameters of the conversion of captions to scene graphs and back, and of the choice of queries."""

import json
from typing import Annotated, Any, Literal

from pydantic import Field

from stages.parameters.param_schema import MANY, Faults, Keys, Line, Section, above, keys, name, number, seed, text, whole


class Language(Section):
    pipeline: Line = name()
    parser: Line = name()
    conventions: Literal["names", "none", "factual"]
    parser_options: dict[str, Any] = keys("keys with their values, as the plugged-in parser knows them")

    def faults(self) -> Faults:
        try:
            json.dumps(self.parser_options)
        except (ValueError, TypeError, RecursionError) as error:
            yield "parser_options", f"cannot be written as JSON ({error})", "give texts, numbers, lists and keys with their values"


class ReadCaptions(Section):
    min_words: int = whole(0, 100_000)
    max_words: int = whole(1, 100_000)
    max_lines: int = whole(1, 100_000)
    rejects_per_reason: int = whole(0)

    def faults(self) -> Faults:
        if self.min_words > self.max_words:
            yield "min_words", f"is {self.min_words}, above max_words", "no caption can be both; lower it or raise max_words"


class ParseTrain(Section):
    keep_graphs: bool | int = Field(ge=0, le=MANY, description="true, false, or how many: a whole number of at least 0")
    shard: int = whole(1, 10**7)


class SceneGraphs(Section):
    same_object: float = number(0, 1)
    piece: int = whole(1, 10**6)
    rejects_per_reason: int = whole(0)


class Crop(Section):
    min_area: int = whole(0)
    min_share: float = number(0, 1)
    min_ratio: float = number(0)
    max_ratio: float = number(0)

    def faults(self) -> Faults:
        if self.min_ratio > self.max_ratio:
            yield "min_ratio", f"is {self.min_ratio}, above max_ratio", "no crop can be both; lower it or raise max_ratio"


class FilterVg(Section):
    seed: int = seed()
    min_atoms: int = whole(0, 1000)
    min_compounds: int = whole(0, 1000)
    facts: Literal["all", "queries"]
    piece: int = whole(1, 10**6)
    rejects_per_reason: int = whole(0)


class Split(Section):
    min_count: int = whole(1)


class WalkSubgraphs(Section):
    seed: int = seed()
    complexities: list[Annotated[int, Field(ge=1, le=1000)]] = Field(
        min_length=1, max_length=1000, description="a list of different whole numbers from 1 to 1000"
    )
    per_complexity: int = whole(0)
    times: dict[int, Annotated[float, Field(ge=0, le=1000)]] = keys("numbers from 0 to 1000 by complexities, as {4: 2.5}")
    per_image: int = whole(1, 10_000)
    tries: int = whole(1, 10_000)
    one_relation_a_pair: bool
    most_attributes: int = whole(0, 1000)
    max_overlap: float = number(0, 1)

    def faults(self) -> Faults:
        if len(set(self.complexities)) < len(self.complexities):
            yield "complexities", "has a number twice", "give a list of different whole numbers"


class LanguageModel(Keys):
    """``caption.llm``."""

    base_url: Line = text()
    model: Line = text()
    key_variable: Line = name()
    temperature: float = number(0, 10)
    max_tokens: int = whole(1, 10**6)
    timeout: float = above(0, 86_400)
    attempts: int = whole(1, 1000)
    first_pause: float = number(0, 3600)
    parallel: int = whole(1, 1000)
    max_requests: int = whole(0)
    max_tokens_in_all: int = whole(0)


class Caption(Section):
    seed: int = seed()
    template_up_to: int = whole(0, 1000)
    writer: Literal["realiser", "llm"]
    llm: LanguageModel
