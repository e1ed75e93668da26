"""Times a scan of all models with difflib, as the reference agent matches. Reads JSON from standard input, prints milliseconds a query."""

import json
import sys
import time
from difflib import SequenceMatcher

RECALL_THRESHOLD = 0.1


def kept(model, memory):
    """The matching blocks of a model that the recall threshold keeps."""
    matcher = SequenceMatcher(None, model, memory, autojunk=False)
    return matcher.get_matching_blocks() if matcher.ratio() >= RECALL_THRESHOLD else None


def main():
    given = json.load(sys.stdin)
    times = []
    for memory in given["memories"]:
        start = time.perf_counter()
        for model in given["models"]:
            kept(model, memory)
        times.append((time.perf_counter() - start) * 1000)
    print(sorted(times)[len(times) // 2])


main()
