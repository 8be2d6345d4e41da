"""The training of chapter `group_sparse` as one writes it first: the whole attention in torch, differentiated by it."""

from __future__ import annotations

import numpy as np
import torch


class Autograd:
    """Gradient descent on v and W by automatic differentiation, on given tokens and labels.

    Args:
        H: (n, D, m) tokens.
        y: (n,) labels.
    """

    def __init__(self, H: np.ndarray, y: np.ndarray) -> None:
        self.H, self.y = torch.from_numpy(H), torch.from_numpy(y)
        m = H.shape[-1]
        self.v = torch.zeros(m, dtype=torch.float64, requires_grad=True)
        self.W = torch.zeros((m, m), dtype=torch.float64, requires_grad=True)

    def gradient(self) -> tuple[float, np.ndarray, np.ndarray]:
        """Loss, and its derivatives in v and W."""
        H = self.H
        S = torch.softmax(H @ self.W @ H.transpose(1, 2), dim=1)
        f = ((H @ self.v)[:, None] @ S).sum(dim=(1, 2))
        loss = torch.nn.functional.softplus(-self.y * f).mean()
        v, W = torch.autograd.grad(loss, (self.v, self.W))
        return loss.item(), v.numpy(), W.numpy()

    def step(self, lr: float) -> None:
        """One step of gradient descent."""
        _, v, W = self.gradient()
        with torch.no_grad():
            self.v -= lr * torch.from_numpy(v)
            self.W -= lr * torch.from_numpy(W)
