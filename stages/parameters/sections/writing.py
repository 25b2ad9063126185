"""Parameters of writing captions."""

from typing import Literal

from stages.parameters.param_schema import Line, above, name, number, seed, text, whole
from stages.parameters.sections.section import Keys, Section


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
