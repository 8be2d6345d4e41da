"""The claims of the chapter, in the order of their ids."""

from hal.claims import Claim, gather

CLAIMS: list[Claim] = gather(__name__)
