"""Times the kernel's work done with difflib, as the reference agent does it: scan all models, cut and score those that pass the recall
threshold, and keep the best hundred.

Reads JSON from standard input: models (lists of events) and memories (lists of symbols). Prints two medians in milliseconds a query:
the scan alone, which only says which models match, and everything.
"""

import json
import sys
import time
from collections import Counter
from difflib import SequenceMatcher
from math import log, log2, sqrt

RECALL_THRESHOLD = 0.1
MAX_PREDICTIONS = 100


def flatten(events):
    return [symbol for event in events for symbol in event]


class Knowledge:
    def __init__(self, models):
        self.models = [(events, flatten(events)) for events in models]
        frequencies = Counter(symbol for _, symbols in self.models for symbol in symbols)
        members = sum(len(set(symbols)) for _, symbols in self.models)
        self.probability = {symbol: count / members for symbol, count in frequencies.items()}
        self.log_known = log(len(frequencies))


def scan(knowledge, memory):
    """Every model that matches, with its matcher."""
    for events, symbols in knowledge.models:
        matcher = SequenceMatcher(None, symbols, memory, autojunk=False)
        if matcher.ratio() >= RECALL_THRESHOLD:
            yield events, symbols, matcher


def cut(events, symbols, matcher, memory):
    """Blocks, present, missing and extras of a model that matches."""
    blocks = [block for block in matcher.get_matching_blocks() if block.size > 0]
    matches = flatten([symbols[block.a : block.a + block.size] for block in blocks])
    first, last = blocks[0].a, blocks[-1].a + blocks[-1].size
    present, at = [], 0
    for event in events:
        if at + len(event) > first and at < last:
            present += event
        at += len(event)
    again = SequenceMatcher(None, symbols[first:last], memory, autojunk=False)
    taken = {at for block in again.get_matching_blocks() for at in range(block.b, block.b + block.size)}
    extras = [symbol for at, symbol in enumerate(memory) if at not in taken]
    found = set(matches)
    return symbols, blocks, matches, present, [symbol for symbol in present if symbol not in found], extras


def score(knowledge, memory, kept, cutting):
    symbols, blocks, matches, present, _, extras = cutting
    p = knowledge.probability
    counts, memory_counts = Counter(present), Counter(memory)
    dot = uu = vv = 0.0
    for symbol in [*counts, *(other for other in memory_counts if other not in counts)]:
        weight = p.get(symbol, 0.0)
        u, v = memory_counts[symbol] * weight, counts[symbol] * weight
        dot, uu, vv = dot + u * v, uu + u * u, vv + v * v
    cosine = dot / (sqrt(uu) * sqrt(vv)) if uu and vv else 0.0
    itfdf = 1 - (1 - cosine) / kept
    evidence, confidence = len(matches) / len(symbols), len(matches) / len(present)
    snr = len(matches) / (len(matches) + len(extras))
    potential = (evidence + confidence) * snr + itfdf + 1 / len(blocks)
    entropy = sum(-p[symbol] * log2(p[symbol]) for symbol in present)
    shares = ((counts[symbol] / len(present)) for symbol in present)
    hamiltonian = sum(-q * (log(q) / knowledge.log_known) for q in shares)
    grand = sum(-p[symbol] * (log(p[symbol]) / knowledge.log_known) for symbol in counts)
    return potential, itfdf, entropy, hamiltonian, grand


def predict(knowledge, memory):
    cuts = [cut(events, symbols, matcher, memory) for events, symbols, matcher in scan(knowledge, memory)]
    scored = [(score(knowledge, memory, len(cuts), cutting), cutting) for cutting in cuts]
    return sorted(scored, key=lambda prediction: -prediction[0][0])[:MAX_PREDICTIONS]


def median_ms(action, knowledge, memories):
    times = []
    for memory in memories:
        start = time.perf_counter()
        action(knowledge, memory)
        times.append((time.perf_counter() - start) * 1000)
    return sorted(times)[len(times) // 2]


def main():
    given = json.load(sys.stdin)
    knowledge = Knowledge(given["models"])
    print(median_ms(lambda *asked: sum(1 for _ in scan(*asked)), knowledge, given["memories"]))
    print(median_ms(predict, knowledge, given["memories"]))


main()
