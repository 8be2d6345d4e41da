"""From the linear block to a GPT-style model: where two models are one they agree, torch's own layers among them."""

import numpy as np

from hal.chapters.linear_block.models.gpt import GptBlocks, GptParams
from hal.chapters.linear_block.models.one_step import literal_output
from hal.chapters.linear_block.models.stacks import Stack
from lib.models import linear_block as lb
from lib.sampling import generators

TASK = lb.power_task(d=2, M=4, sigma=0.3, norm=1.0)


def shaken(params, rng):
    """Parameters of ordinary size, so that every part matters."""
    return type(params)(*(x + 0.3 * rng.standard_normal(x.shape) for x in params))


def test_a_read_out_is_the_mlp_of_the_linear_block(rng):
    stack = Stack(TASK, mlp=False, readout=True)
    params, batch = shaken(stack.init(2, generators([0, 1])), rng), TASK.sample(5, generators([2, 3]))
    first = np.zeros((2, 1, 3))
    first[..., -1] = 1.0
    weights = lb.Weights(*(getattr(params, name)[:, 0] for name in "KQPV"), params.read[:, None], first)
    np.testing.assert_allclose(stack.output(params, batch), literal_output(weights, batch), rtol=1e-9)


def model(**more):
    return GptBlocks(TASK, **{"width": 8, "layers": 2, "heads": 2, "double": True, **more})


def test_it_is_torch_s_own_encoder(rng):
    import torch

    problem, batch = model(), TASK.sample(3, generators([1]))
    params = shaken(problem.init(1, generators([3], 2)), rng)
    p = GptParams(*(torch.tensor(x[0]) for x in params))
    tokens = np.concatenate([batch.X[0], batch.y[0][..., None]], axis=-1)
    query = np.concatenate([batch.x[0], np.zeros((3, 1))], axis=-1)[:, None]
    h = torch.from_numpy(np.concatenate([tokens, query], axis=1)) @ p.read_in + p.position
    for i in range(2):
        layer = torch.nn.TransformerEncoderLayer(
            8, 2, 32, 0.0, lambda x: torch.nn.functional.gelu(x, approximate="tanh"), batch_first=True, norm_first=True
        ).double()
        layer.eval()
        with torch.no_grad():
            layer.self_attn.in_proj_weight.copy_(p.qkv[i].T)
            layer.self_attn.in_proj_bias.copy_(p.qkv_bias[i])
            layer.self_attn.out_proj.weight.copy_(p.out[i].T)
            layer.self_attn.out_proj.bias.copy_(p.out_bias[i])
            layer.linear1.weight.copy_(p.up[i].T)
            layer.linear1.bias.copy_(p.up_bias[i])
            layer.linear2.weight.copy_(p.down[i].T)
            layer.linear2.bias.copy_(p.down_bias[i])
            for own, mine in ((layer.norm1, p.norm1[i]), (layer.norm2, p.norm2[i])):
                own.weight.copy_(mine[0])
                own.bias.copy_(mine[1])
            h = layer(h, src_mask=torch.nn.Transformer.generate_square_subsequent_mask(5, dtype=torch.float64))
    last = torch.nn.functional.layer_norm(h[:, -1], (8,), p.norm[0], p.norm[1])
    known = (last @ p.read_out + p.bias).numpy()
    np.testing.assert_allclose(problem.output(params, batch)[0], known, rtol=1e-9)
