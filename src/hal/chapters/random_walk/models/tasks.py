"""The two question tasks. A word is a node, a question a walk whose last node is the answer.

Chapter `random_walk`. Source: arXiv 2511.23239, Section 6 (questions and answers, whose words these are). In task 1 the
average of the words tells the answer, in task 2 it cannot.
"""

from lib.portable.primitives import Table, Wholes, whole_table, whole_zeros

COUNT = 19  # words of the vocabulary; apple is 0, orange 1
_FRUIT = -1  # a place that differs from question to question


def sentence(task: int) -> Wholes:
    """The words of a question, its answer last; -1 where a fruit stands."""
    if task == 1:
        return [2, 3, 4, 9, _FRUIT, _FRUIT, _FRUIT, _FRUIT, _FRUIT, 5, 6, 7, 8, 10, 11, 12, _FRUIT]
    return [2, 3, 4, 13, 14, 15, 16, _FRUIT, 17, 16, _FRUIT, 5, 6, 7, 8, 18, 14, 15, _FRUIT]


def fruits(task: int, question: int) -> Wholes:
    """The fruits of a question, 0 to 31 or 0 to 1, in their order: 0 apple, 1 orange."""
    if task == 2:
        return [question, 1 - question]
    found, rest, half = whole_zeros(5), question, 16
    for m in range(5):
        found[m] = rest // half
        rest -= found[m] * half
        half = half // 2
    return found


def questions(task: int) -> Table:
    """All questions of a task: 32 of 16 words or 2 of 18, each with its answer."""
    words = sentence(task)
    last, count = len(words) - 1, 32 if task == 1 else 2
    found = whole_table(count, len(words))
    for i in range(count):
        named, m, oranges = fruits(task, i), 0, 0
        for j in range(last):
            found[i][j] = words[j]
            if words[j] == _FRUIT:
                found[i][j] = named[m]
                oranges += named[m]
                m += 1
        found[i][last] = named[0] if task == 2 else 1 if oranges > 2 else 0
    return found
