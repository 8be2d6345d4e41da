"""What this chapter alone trains and tests with: rows that stand for the population, test prompts, a test.

Chapter `one_nn`. The model is `lib.models.one_nn`.
"""

from hal.chapters.one_nn.models.contexts import Contexts, Scores, draw_contexts, score
from hal.chapters.one_nn.models.crowding import Crowded, crowded
from hal.chapters.one_nn.models.population import Population, weighted_rows
