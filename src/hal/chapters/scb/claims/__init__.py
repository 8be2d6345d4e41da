"""The claims of the chapter on sparse contextual bigrams (arXiv 2410.23438), in the order of their ids."""

from hal.claims import Claim, gather

CLAIMS: list[Claim] = gather(__name__)
