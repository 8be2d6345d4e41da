"""`python -m hal.chapters.records scb sign_share`: a hundred runs at many settings, for the cloud behind `scb-sign`.

Chapter `scb`, beyond the paper (arXiv 2410.23438).
"""

import json
from pathlib import Path
from time import process_time

from joblib import Parallel, delayed

from hal.chapters.scb.runs.sign_share import COMMAND, sign_share, some_settings
from hal.results import provenance, write

POINTS = 100


def record(path: Path, jobs: int = 1, cache: str | None = None) -> str:
    """Run everything (about two minutes on one core) and write it in one piece; `cache` is of no use here.

    Returns:
        How many settings were run, and how many runs diverged.
    """
    begun = process_time()
    settings = some_settings(POINTS)
    shares = Parallel(n_jobs=jobs)(delayed(sign_share)(**chosen) for chosen in settings)
    points = [{"settings": chosen, **share} for chosen, share in zip(settings, shares, strict=True)]
    found = {"points": points, "provenance": {**provenance(COMMAND), "seconds": round(process_time() - begun, 1)}}
    write(path, json.dumps(found, separators=(",", ":")).replace('},{"settings"', '},\n{"settings"'))
    return f"{len(points)} settings; {sum(point['lost'] for point in points)} runs diverged"
