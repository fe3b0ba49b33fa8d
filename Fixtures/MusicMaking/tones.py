# SPDX-License-Identifier: GPL-3.0-or-later
"""The instruments: each returns one note as samples with a peak of about 1.0."""

import math
import random
from collections.abc import Callable
from typing import NamedTuple

Samples = list[float]

SILENCE_LEVEL = 0.001


class Partial(NamedTuple):
    """One sine in a tone: its frequency ratio, height and ringing time."""

    ratio: float
    height: float
    seconds: float


def damped_sine(frequency: float, seconds: float, count: int, rate: int) -> Samples:
    """Return a sine that falls by 60 dB in the given seconds."""
    damping = SILENCE_LEVEL ** (1.0 / (seconds * rate))
    angle = 2.0 * math.pi * frequency / rate
    feedback = 2.0 * damping * math.cos(angle)
    loss = damping * damping
    before, now = 0.0, damping * math.sin(angle)
    samples = [before]
    for _ in range(count - 1):
        samples.append(now)
        before, now = now, feedback * now - loss * before
    return samples


def sum_partials(
    frequency: float, partials: list[Partial], count: int, rate: int
) -> Samples:
    """Return the sum of the partials that are well below half the sample rate."""
    total = [0.0] * count
    for ratio, height, seconds in partials:
        if frequency * ratio < 0.4 * rate:
            sine = damped_sine(frequency * ratio, seconds, count, rate)
            total = [old + height * new for old, new in zip(total, sine)]
    return total


def shape(samples: Samples, attack: float, release: float, rate: int) -> Samples:
    """Return the samples with smooth (raised cosine) start and end."""
    shaped = list(samples)
    for seconds, from_end in ((attack, False), (release, True)):
        length = min(int(seconds * rate), len(shaped))
        for step in range(length):
            index = len(shaped) - 1 - step if from_end else step
            shaped[index] *= 0.5 - 0.5 * math.cos(math.pi * step / length)
    return shaped


def piano(frequency: float, seconds: float, rate: int) -> Samples:
    """Return a soft piano note, damped shortly after its written end."""
    ringing = 4.0 * (220.0 / frequency) ** 0.4
    partials = [
        Partial(n * math.sqrt(1.0 + 0.0004 * n * n), 0.6 / n**1.7, ringing / n**0.7)
        for n in range(1, 9)
    ]
    count = int((seconds + 0.35) * rate)
    return shape(sum_partials(frequency, partials, count, rate), 0.004, 0.3, rate)


def music_box(frequency: float, seconds: float, rate: int) -> Samples:
    """Return a note of a music box, which rings on regardless of its length."""
    partials = [Partial(1.0, 0.75, 2.2), Partial(2.0, 0.1, 1.2), Partial(5.4, 0.12, 0.25)]
    count = int((max(seconds, 0.5) + 1.2) * rate)
    return shape(sum_partials(frequency, partials, count, rate), 0.002, 0.6, rate)


def sustained(
    frequency: float, seconds: float, rate: int, heights: tuple[float, ...], attack: float
) -> Samples:
    """Return a held tone of harmonics, each faintly doubled for warmth."""
    forever = 1000.0
    partials = [
        Partial(n * detune, height * share, forever)
        for n, height in enumerate(heights, start=1)
        for detune, share in ((1.0, 0.8), (1.0009, 0.2))
    ]
    count = int((seconds + 0.15) * rate)
    return shape(sum_partials(frequency, partials, count, rate), attack, 0.2, rate)


def organ(frequency: float, seconds: float, rate: int) -> Samples:
    """Return a soft organ note."""
    return sustained(frequency, seconds, rate, (0.55, 0.25, 0.08, 0.1, 0.0, 0.03), 0.04)


def flute(frequency: float, seconds: float, rate: int) -> Samples:
    """Return a flute-like note."""
    return sustained(frequency, seconds, rate, (0.75, 0.16, 0.06, 0.02), 0.05)


def strings(frequency: float, seconds: float, rate: int) -> Samples:
    """Return a note of quiet bowed strings."""
    heights = tuple(0.5 / n**1.5 for n in range(1, 8))
    return sustained(frequency, seconds, rate, heights, 0.07)


def pluck(frequency: float, seconds: float, rate: int) -> Samples:
    """Return a plucked string (Karplus and Strong), tuned by an all-pass.

    Short strings are softened less in each period; otherwise they would fade at once.
    """
    softness = 0.5 * min(1.0, 260.0 / frequency)
    period = rate / frequency - softness
    delay = int(period - 0.1)
    fraction = period - delay
    tuning = (1.0 - fraction) / (1.0 + fraction)
    keep = SILENCE_LEVEL ** (1.0 / (frequency * 3.5 * (220.0 / frequency) ** 0.5))
    line = excitation(delay, frequency)
    samples = []
    previous = averaged_before = tuned = line[-1]
    for index in range(int((max(seconds, 0.4) + 0.8) * rate)):
        slot = index % delay
        current = line[slot]
        samples.append(current)
        averaged = keep * (current + softness * (previous - current))
        tuned = tuning * (averaged - tuned) + averaged_before
        previous, averaged_before = current, averaged
        line[slot] = tuned
    return shape(samples, 0.003, 0.6, rate)


def excitation(length: int, frequency: float) -> Samples:
    """Return the burst that starts a string: softened noise without offset."""
    noise = random.Random(round(frequency * 100))
    burst = [noise.uniform(-1.0, 1.0) for _ in range(length)]
    for _ in range(6):
        burst = [
            (burst[i - 1] + 2.0 * burst[i] + burst[(i + 1) % length]) / 4.0
            for i in range(length)
        ]
    mean = sum(burst) / length
    highest = max(abs(sample - mean) for sample in burst)
    return [(sample - mean) / highest for sample in burst]


INSTRUMENTS: dict[str, Callable[[float, float, int], Samples]] = {
    "piano": piano,
    "music box": music_box,
    "organ": organ,
    "flute": flute,
    "strings": strings,
    "pluck": pluck,
}
