"""Two question-answering tasks in the form of walks: whether the average of the words tells the answer, or cannot.

Chapter `random_walk`. Source: arXiv 2511.23239, Section 6 (questions and answers); the words are those of the paper.
"""

import itertools
from collections.abc import Sequence

import numpy as np

from lib.models.random_walk.walks import Walks

__all__ = ["WORDS", "most_frequent", "preferred"]

#: The vocabulary; a word is a node, counted from 0.
WORDS = (
    *("apple", "orange", "Based", "on", "the", "which", "type", "of", "fruit", "list", "appears", "most"),
    *("frequently", "sentence", "I", "prefer", "an", "to", "do"),
)
_FRUITS = WORDS[:2]


def most_frequent() -> Walks:
    """Task 1, 32 questions of 16 words: five fruits are listed, the answer is the more frequent one."""
    lists = list(itertools.product(_FRUITS, repeat=5))
    answers = [max(_FRUITS, key=fruits.count) for fruits in lists]
    text = "Based on the list {} which type of fruit appears most frequently {}"
    return _encoded([text.format(" ".join(x), y) for x, y in zip(lists, answers, strict=True)])


def preferred() -> Walks:
    """Task 2, 2 questions of 18 words: both fruits occur once, the answer is the first."""
    text = "Based on the sentence I prefer an {0} to an {1} which type of fruit do I prefer {0}"
    return _encoded([text.format(*pair) for pair in (_FRUITS, _FRUITS[::-1])])


def _encoded(questions: Sequence[str]) -> Walks:
    s = np.array([[WORDS.index(word) for word in question.split()] for question in questions])
    return Walks(s[None], np.full((1, len(s)), 1 / len(s)))
