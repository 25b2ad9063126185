import copy

import pytest
import torch
from torch import nn

from stages.training import agents
from stages.training.attention import MOST_TOKENS, SelfAttention
from tests.training import made


@pytest.mark.parametrize("masked", [False, True])
@pytest.mark.parametrize("tokens", [7, MOST_TOKENS + 1])
def test_attention_and_its_gradients_are_those_of_torch(tokens, masked):
    torch.manual_seed(0)
    torchs = nn.MultiheadAttention(24, 3, batch_first=True)
    nn.init.normal_(torchs.in_proj_bias)
    ours = copy.deepcopy(torchs)
    ours.__class__ = SelfAttention
    mask = torch.full((tokens, tokens), -torch.inf).triu(1) if masked else None
    inputs = [torch.randn(5, tokens, 24, requires_grad=True)]
    inputs.append(inputs[0].detach().clone().requires_grad_())
    found = [of(x, x, x, need_weights=False, attn_mask=mask)[0] for of, x in zip((torchs, ours), inputs, strict=True)]
    assert torch.allclose(*found, atol=1e-5)
    for x in found:
        (x**2).sum().backward()
    assert torch.allclose(inputs[0].grad, inputs[1].grad, atol=1e-4)
    for a, b in zip(torchs.parameters(), ours.parameters(), strict=True):
        assert torch.allclose(a.grad, b.grad, atol=1e-3, rtol=1e-4)


def test_all_blocks_of_agents_attend_so_and_keep_the_names_of_their_weights(tmp_path):
    training = made.training(tmp_path)
    kinds = [type(module) for module in training.agents.modules() if isinstance(module, nn.MultiheadAttention)]
    assert kinds == [SelfAttention, SelfAttention]
    assert set(training.agents.clip.state_dict()) == set(agents.drawn(training.folder, 0).state_dict())
