"""Run numbered cases of every kind for some time; say what was found, and how to see it again.

    python -m tests.fuzz [KIND ...] [--seconds 300] [--seed N] [--case N] [--cases N] [--bounds]

The seed is that of the day unless it is given, and printed. Exit code 1 if anything was found.
"""

import argparse
import datetime as dt
import sys

from tests.fuzz.kinds import KINDS
from tests.fuzz.watching import Watched, run_child, watch


def arguments():
    parser = argparse.ArgumentParser(
        prog="python -m tests.fuzz", description=__doc__.split("\n")[0]
    )
    parser.add_argument("kinds", nargs="*", metavar="KIND", help=", ".join(KINDS))
    parser.add_argument("--seconds", type=float, default=300.0, help="for all kinds together")
    parser.add_argument("--seed", type=int, help="by default that of the day")
    parser.add_argument("--case", type=int, help="run this one alone")
    parser.add_argument("--first", type=int, default=0, help="begin with this number")
    parser.add_argument("--cases", type=int, help="so many of each kind, however long it takes")
    parser.add_argument("--bounds", action="store_true", help="with bounds checks in the kernels")
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--mark", help=argparse.SUPPRESS)
    found = parser.parse_args()
    unknown = set(found.kinds) - set(KINDS)
    if unknown:
        parser.error(
            f"no kind is called {', '.join(sorted(unknown))}; there are {', '.join(KINDS)}"
        )
    found.kinds = found.kinds or list(KINDS)
    if found.case is not None:
        found.first, found.cases = found.case, 1
    return found


def main():
    options = arguments()
    if options.seed is None:
        options.seed = int(dt.date.today().strftime("%Y%m%d"))
    if options.child:
        run_child(options.kinds[0], options)
        return 0
    shares = {kind: KINDS[kind].share for kind in options.kinds}
    n_found = 0
    for kind in options.kinds:
        seconds = options.seconds * shares[kind] / sum(shares.values())
        result = watch(
            Watched(kind, options.seed, options.first, seconds, options.cases, options.bounds)
        )
        counts = ", ".join(f"{n:,} {word}" for word, n in sorted(result.counts.items()))
        sys.stdout.write(f"{kind}: {counts or 'nothing'}; {len(result.found)} found\n")
        for number, text in result.found:
            n_found += 1
            again = f"python -m tests.fuzz {kind} --seed {options.seed} --case {number}"
            sys.stdout.write(
                f"\n{text}\n  again: {again}{' --bounds' if options.bounds else ''}\n\n"
            )
        sys.stdout.flush()
    sys.stdout.write(f"seed {options.seed}: {n_found} found\n")
    return 1 if n_found else 0


if __name__ == "__main__":
    sys.exit(main())
