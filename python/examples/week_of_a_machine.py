"""A notebook in a file: learns a normal week of a machine, scores the next one, and draws what stood out.

Start a server (npm start), then: python3 examples/week_of_a_machine.py [folder for the pictures]
"""

# %% The readings. We have no machine here, so this plays one: a reading every five minutes.
import random
import sys
from pathlib import Path

import pandas as pd

from noema_agent import connect, plot

PHASES = [(32, 0.3, 2, 2), (52, 0.5, 18, 2), (62, 3.2, 12, 4), (42, 1.5, 8, 2)]


def week(begin: str, seed: int) -> pd.DataFrame:
    """Temperature, vibration and current of seven days, phase after phase."""
    chance, rows = random.Random(seed), []
    while len(rows) < 2016:
        for temp, vibration, current, readings in PHASES:
            for _ in range(readings + (chance.random() < 0.2)):
                rows.append((temp + 4 * chance.random(), vibration + chance.random(), current + chance.random()))
    frame = pd.DataFrame(rows[:2016], columns=["temp", "vibration", "current"]).round(1)
    return frame.set_index(pd.date_range(begin, periods=2016, freq="5min", tz="UTC", name="at"))


normal, next_week = week("2026-03-09", 1), week("2026-03-16", 2)
# What is wrong with the second week.
next_week.iloc[411, 1] = 9.4
next_week.iloc[1003, 0] = 88.0
next_week.iloc[1504, 2] = 0.0

# %% Learn what is normal, ten readings at a time.
machine = connect().processor()
columns = {"number": ["temp", "vibration", "current"], "time": "at"}
print(machine.train(normal, every=10, **columns))

# %% Score the next week: the most unusual readings, one in two days.
odd = machine.score(next_week, per_day=0.5, **columns)
for at, reading in odd.iterrows():
    print(f"{at:%A %H:%M}  {reading['bits']:.0f} bits  {reading['causes'].split('; ')[0]}")

# %% Draw it. In a notebook, the value of the cell is shown.
folder = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
scores = machine.score(next_week, **columns)
plot(scores, next_week, number=columns["number"], threshold=odd["bits"].min()).save(folder / "week.svg")
plot(odd, title="The three readings that stood out").save(folder / "odd.svg")
