"""`python -m lib.claims [ID ...]`: run claims (all by default), print what they found, record it in results/."""

from __future__ import annotations

import argparse
from pathlib import Path

from lib import claims
from lib.claims.ledger import record


def main() -> None:
    """Run and record claims, one line each."""
    parser = argparse.ArgumentParser(description="Run claims and record what they measured.")
    parser.add_argument("ids", nargs="*", help="claim ids such as SCB-3; all when none is given")
    parser.add_argument("--path", type=Path, default=Path("results/claims.json"), help="the ledger file")
    args = parser.parse_args()
    for claim in [claims.get(id) for id in args.ids] or claims.all():
        entry = record([claim], args.path)["claims"][claim.id]
        print(f"{claim.id:8} {entry['check']['verdict']:20} {entry['seconds']:7.1f} s", flush=True)


if __name__ == "__main__":
    main()
