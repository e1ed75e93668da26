"""Prints a digest of the matches that Python's difflib finds in many random pairs of sequences.

The kernel's test makes the same pairs from the same seed and must reach the same digest. That shows that the kernel matches as
difflib does. Run it by hand with Python 3.11: python3 scripts/difflib-digest.py
"""

import hashlib
import struct
from difflib import SequenceMatcher

SEED = 20260421
PAIRS = 100_000
ALPHABETS = [1, 2, 3, 5, 10, 50, 1000]


class Random:
    """mulberry32: the same 32-bit generator as in test/support/random.ts."""

    def __init__(self, seed):
        self.state = seed

    def below(self, bound):
        self.state = (self.state + 0x6D2B79F5) & 0xFFFFFFFF
        t = self.state
        t = ((t ^ (t >> 15)) * (t | 1)) & 0xFFFFFFFF
        t ^= (t + (((t ^ (t >> 7)) * (t | 61)) & 0xFFFFFFFF)) & 0xFFFFFFFF
        return (t ^ (t >> 14)) % bound


def longest_of(kind):
    if kind < 70:
        return 16
    return 80 if kind < 98 else 300


def pair(random):
    """A model and a memory: independent, or the memory a damaged copy of the model."""
    longest = longest_of(random.below(100))
    alphabet = ALPHABETS[random.below(len(ALPHABETS))]
    model = [random.below(alphabet) for _ in range(1 + random.below(longest))]
    if random.below(3) > 0:
        return model, [random.below(alphabet) for _ in range(1 + random.below(longest))]
    memory = []
    for symbol in model:
        edit = random.below(8)
        if edit == 0:
            continue
        memory.append(random.below(alphabet) if edit == 1 else symbol)
    return model, memory or [0]


def line(model, memory):
    matcher = SequenceMatcher(None, model, memory, autojunk=False)
    blocks = [f"{a},{b},{size}" for a, b, size in matcher.get_matching_blocks() if size > 0]
    return f"{';'.join(blocks)}|{struct.pack('>d', matcher.ratio()).hex()}\n"


def main():
    random = Random(SEED)
    digest = hashlib.sha256()
    for _ in range(PAIRS):
        digest.update(line(*pair(random)).encode())
    print(digest.hexdigest())


main()
