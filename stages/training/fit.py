"""The training loop for all methods, which differ in their batches and in the loss of a step."""

import copy
import math
import shutil
import time
from collections.abc import Iterable
from contextlib import nullcontext
from pathlib import Path
from typing import Any, NamedTuple

import torch
from open_clip.tokenizer import HFTokenizer
from torch import Tensor, nn
from torch.nn.modules.batchnorm import _BatchNorm

from stages.console.progress import progress_bar
from stages.contract.errors import CrepeError, ParameterError
from stages.contract.files import write_json
from stages.contract.pretrained import choose_device, choose_precision
from stages.models.openclip import load_tokenizer
from stages.pairs.pairs import named
from stages.parameters.sections import Models, Train
from stages.training import agents as made
from stages.training import checkpoints, processes
from stages.training.agents import Agents
from stages.training.batches import Batches, Material
from stages.training.checkpoints import State
from stages.training.generations import Phase, phase
from stages.training.loading import Loaded, Loader, Pictures, Tokens, resizing
from stages.training.losses import Names, contrastive, distillation
from stages.training.optimizer import Optimizer

GENERATIONS = "generations"
"""The subfolder of a training with each generation's last model, except for the final one."""


class Figures(NamedTuple):
    """The mean losses of the first and the last tenth of the steps; this run's seconds, and their fraction waiting for pictures."""

    first_loss: float
    last_loss: float
    seconds: float
    waiting: float


class Training:
    """A training at one of its steps."""

    def __init__(self, settings: Train, presets: Models, folder: Path, texts: Iterable[str]):
        self.settings, self.presets, self.folder = settings, presets, folder
        self.device = choose_device(settings.device)
        if self.device != "cpu" and not torch.cuda.is_available():
            raise ParameterError("train.device", f"is {self.device}, and torch finds no GPU here", "set auto or cpu")
        self.half = choose_precision(settings.precision, self.device) != "fp32"
        self.agents = made.make(settings, presets, folder)
        self.tokenizer = load_tokenizer(f"local-dir:{folder}")
        self.tokens = Tokens(self.tokenizer, texts, made.cuts(self.agents.clip))
        made.narrow(self.agents.clip, self.tokens.used)
        self.agents.to(self.device)
        self.optimizer = Optimizer(self.agents, settings)
        _, self.normalise = resizing(self.agents.clip.visual.preprocess_cfg)
        self.teacher: Agents | None = None
        self.step, self.losses = 0, list[float]()

    # --- What is kept of it ----

    def state(self) -> State:
        teacher = self.teacher.state_dict() if self.teacher else None
        return State(self.step, self.losses, self.agents.state_dict(), self.optimizer.state_dict(), teacher)

    def restore(self, state: State) -> None:
        self.agents.load_state_dict(state.agents)
        self.optimizer.load_state_dict(state.optimizer)
        self.step, self.losses = state.step, list(state.losses)
        if state.teacher:
            self.teacher = self._frozen_copy()
            self.teacher.load_state_dict(state.teacher)

    def _frozen_copy(self) -> Agents:
        return copy.deepcopy(self.agents).eval().requires_grad_(False)

    def course(self) -> dict[str, Any]:
        """Return the loss of each step so far, and the steps at which an agent was spawned."""
        spawns = [step for step in range(self.step) if (now := self.phase(step)).spawned and not now.since]
        return {"losses": [round(loss, 4) for loss in self.losses], "spawns": spawns}

    def write(self, folder: Path) -> None:
        """Write the current model into ``folder``, with ``training.json``: its training set and the course of its loss."""
        shutil.copy(self.folder / "open_clip_config.json", folder)
        if isinstance(self.tokenizer, HFTokenizer):
            self.tokenizer.save_pretrained(folder)
        made.write(copy.deepcopy(self.agents), folder, self.settings, self.presets, self.tokens.used)
        about = {"training_set": self.settings.corpus, "method": self.settings.method}
        write_json(folder / "training.json", about | self.course())

    # --- A step ----

    def phase(self, step: int) -> Phase:
        if self.settings.method != "iterated":
            return Phase(0, "interact", step, None)
        return phase(step, self.settings.steps, self.settings.iterated)

    def begin(self, now: Phase) -> None:
        """Prepare a step: the learning rate, a spawn, the teacher, and the trained parameters; save a generation that ends."""
        self.optimizer.pace(self.pace(now))
        if now.spawned and not now.since:
            if processes.first():
                ended = self.folder / GENERATIONS / f"{now.generation - 1:03d}"
                ended.mkdir(parents=True, exist_ok=True)
                self.write(ended)
            self.teacher = self._frozen_copy() if self._taught(now) else None
            made.spawn(self.agents, now.spawned, self.optimizer, self.folder, self.settings, now.generation, self.tokens.used)
        if not self._taught(now):
            self.teacher = None
        for name, parameter in self.agents.named_parameters():
            parameter.requires_grad_(self._learns(name, now))

    def _taught(self, now: Phase) -> bool:
        return now.name == "distil" and self.settings.iterated.distillation == "teacher"

    def _learns(self, name: str, now: Phase) -> bool:
        """Return whether a parameter is trained: in distillation codes are not and, with a teacher, only the new agent is."""
        if now.name == "interact":
            return True
        if self._taught(now) and name != "codebook.codes":
            return made.agent_of(name) == now.spawned
        return name != "codebook.codes" or not self.settings.iterated.freeze_codebook

    def pace(self, now: Phase) -> float:
        """Return the fraction of the learning rate: a warm-up after each spawn, and a cosine to zero over all steps."""
        warm = min(1.0, (now.since + 1) / max(1, self.settings.warm_up))
        return warm * (0.5 + 0.5 * math.cos(math.pi * self.step / self.settings.steps))

    def advance(self, loaded: Loaded) -> float:
        """Make one step, and return the loss that it started with."""
        self.begin(now := self.phase(self.step))
        # Dropout draws at each step, and a killed run does not know the state of the generator.
        torch.manual_seed((self.settings.seed + self.step) % 2**63)
        with torch.autocast(self.device, torch.bfloat16) if self.half else nullcontext():
            loss = self._loss(loaded, self.normalise(loaded.images.to(self.device).float() / 255), now)
        self.optimizer.zero_grad()
        loss.backward()
        processes.average(self.agents.parameters())
        if self.settings.grad_clip_norm:
            nn.utils.clip_grad_norm_(self.agents.parameters(), self.settings.grad_clip_norm)
        self.optimizer.step()
        with torch.no_grad():
            self.agents.clip.logit_scale.clamp_(0, math.log(made.GREATEST_SCALE))
        self.losses.append(loss.item())
        self.step += 1
        return self.losses[-1]

    def _loss(self, loaded: Loaded, images: Tensor, now: Phase) -> Tensor:
        tokens = loaded.captions.to(self.device)
        if self.teacher:
            both = (self.agents, self.teacher)
            by_agent = [encode_texts(agents, tokens) if now.spawned == "text" else agents.encode_image(images) for agents in both]
            new, old = map(processes.gathered, by_agent)
            return distillation(new, old)
        texts = processes.gathered(encode_texts(self.agents, tokens))
        if loaded.negatives is not None:
            hard = encode_texts(self.agents, loaded.negatives.to(self.device))
            texts = torch.cat([texts, processes.gathered(hard)])
        names = Names(*(numbers.to(self.device) for numbers in loaded.names))
        features = processes.gathered(self.agents.encode_image(images))
        return contrastive(features, texts, self.agents.clip.logit_scale.exp(), names)


TEXT_GROUPS = 4
"""Number of groups of similar length into which a batch's captions are sorted, so that one long caption does not pad all."""


def encode_texts(agents: Agents, tokens: Tensor) -> Tensor:
    """Return text features, (n, tokens) → (n, width), as ``agents.encode_text`` does, with less padding."""
    if not made.cuts(agents.clip):
        return agents.encode_text(tokens)
    # The end token has the greatest number.
    ends = tokens.argmax(1) + 1
    order = ends.argsort(stable=True)
    parts = [agents.encode_text(tokens[rows][:, : int(ends[rows].max())]) for rows in order.chunk(TEXT_GROUPS)]
    return torch.cat(parts)[order.argsort()]


def fit(material: Material, pictures: Pictures, keys: list[str], training: Training, work: Path, workers: int) -> Figures:
    """Train to the last step, from the checkpoint in ``work`` if there is one.

    Args:
        keys: the images' names, for errors.

    Raises:
        CrepeError: a loss is not a number, or a weight that would be saved; the last checkpoint stays.
    """
    settings = training.settings
    batches = Batches(material, settings)
    if batches.size % processes.count():
        wrong = f"gives batches of {batches.size} pairs, which {processes.count()} processes cannot share equally"
        raise ParameterError("train.batch", wrong, "give a multiple of twice the number of processes")
    if processes.count() > 1 and any(isinstance(module, _BatchNorm) for module in training.agents.modules()):
        wrong = "normalises over a batch, but each of several processes sees only its own part"
        raise ParameterError("train.architecture", wrong, "train it in one process, or name a vision transformer")
    if state := checkpoints.load(work):
        training.restore(state)
    loader = Loader(batches, pictures, training.tokens, workers)
    begun = time.perf_counter()
    with progress_bar("training", "steps", settings.steps, training.step) as bar:
        for loaded in loader(training.step, settings.steps):
            loss = training.advance(loaded)
            ends = training.step == settings.steps
            saved = ends or training.step % settings.checkpoint == 0
            # A step may ruin the weights before the next one has a loss.
            if not math.isfinite(loss) or (saved and not all(bool(p.isfinite().all()) for p in training.agents.parameters())):
                what = "a weight after" if math.isfinite(loss) else "the loss of"
                where = named([keys[i] for i in loaded.names.images.tolist()])
                lower = f"lower train.learning_rate, which is {settings.learning_rate:g}"
                wrong = f"{what} step {loaded.step} is not a number; its batch has {where}"
                raise CrepeError(f"{wrong}. Remedy: {lower}, or check these pictures.")
            bar.update(1)
            bar.set_postfix(loss=f"{loss:.3f}", refresh=False)
            if saved and not ends:
                checkpoints.save(work, training.state())
    seconds = time.perf_counter() - begun
    losses, tenth = training.losses, max(1, settings.steps // 10)
    waiting = loader.waited / seconds if seconds else 0.0
    return Figures(sum(losses[:tenth]) / tenth, sum(losses[-tenth:]) / tenth, seconds, waiting)
