"""The claims of the chapter on scan and snap (arXiv 2305.16380), in the order of their ids."""

from hal.claims import Claim, gather

CLAIMS: list[Claim] = gather(__name__)
