# SPDX-License-Identifier: GPL-3.0-or-later
"""Turn a score into finished 16-bit sound: mixing, room, mastering."""

import array
import math
import sys
import wave
from pathlib import Path
from typing import NamedTuple

from notation import Score, parse_voice
from tones import INSTRUMENTS, Samples

PEAK = 10.0 ** (-3.0 / 20.0)
ROOM_LEVEL = 0.16
COMB_SECONDS = ((0.0297, 0.0371, 0.0411, 0.0437), (0.0305, 0.0363, 0.0419, 0.0447))
ALL_PASS_SECONDS = (0.0050, 0.0017)


class Recording(NamedTuple):
    """Interleaved 16-bit samples with their sample rate and channels."""

    rate: int
    channels: int
    samples: array.array

    def cut(self, first: int, end: int | None) -> "Recording":
        """Return the frames from `first` up to `end`."""
        stop = None if end is None else end * self.channels
        return self._replace(samples=self.samples[first * self.channels : stop])

    def write(self, path: Path) -> None:
        """Write the recording as a WAV file."""
        data = array.array("h", self.samples)
        if sys.byteorder == "big":
            data.byteswap()
        with wave.open(str(path), "wb") as file:
            file.setnchannels(self.channels)
            file.setsampwidth(2)
            file.setframerate(self.rate)
            file.writeframes(data.tobytes())


def perform(score: Score, rate: int, channels: int) -> Recording:
    """Play a score and return the finished recording."""
    sides = mix(score, rate)
    if channels == 1:
        sides = [[(left + right) / 2.0 for left, right in zip(*sides)]]
    wet = [add_room(side, combs, rate) for side, combs in zip(sides, COMB_SECONDS)]
    return master(wet, score.tail, rate)


def mix(score: Score, rate: int) -> list[Samples]:
    """Return the left and right sides of all voices added together."""
    beat = 60.0 / score.beats_per_minute
    voices = [(voice, *parse_voice(voice.text)) for voice in score.voices]
    longest = max(beats for _, _, beats in voices)
    count = int((longest * beat + score.tail) * rate)
    sides = [[0.0] * count, [0.0] * count]
    known: dict[tuple[str, float, float], Samples] = {}
    for voice, notes, _ in voices:
        angle = (voice.pan + 1.0) * math.pi / 4.0
        gains = (voice.gain * math.cos(angle), voice.gain * math.sin(angle))
        for note in notes:
            key = (voice.instrument, note.frequency, note.beats)
            if key not in known:
                play = INSTRUMENTS[voice.instrument]
                known[key] = play(note.frequency, note.beats * beat, rate)
            for side, gain in zip(sides, gains):
                add_at(side, known[key], int(note.start * beat * rate), gain)
    return sides


def add_at(side: Samples, sound: Samples, start: int, gain: float) -> None:
    """Add a sound to a side, without the part that is past the end."""
    end = min(start + len(sound), len(side))
    side[start:end] = [old + gain * new for old, new in zip(side[start:end], sound)]


def add_room(dry: Samples, combs: tuple[float, ...], rate: int) -> Samples:
    """Return the samples with a gentle (Schroeder) reverberation."""
    darkened = low_pass(dry, 0.35)
    wet = [0.0] * len(dry)
    for seconds in combs:
        wet = [old + new for old, new in zip(wet, comb(darkened, int(seconds * rate), 0.78))]
    for seconds in ALL_PASS_SECONDS:
        wet = all_pass(wet, int(seconds * rate), 0.6)
    return [direct + ROOM_LEVEL * echo for direct, echo in zip(dry, wet)]


def low_pass(samples: Samples, openness: float) -> Samples:
    """Return the samples after a one-pole low-pass filter."""
    level = 0.0
    passed = []
    for sample in samples:
        level += openness * (sample - level)
        passed.append(level)
    return passed


def comb(samples: Samples, delay: int, feedback: float) -> Samples:
    """Return the samples with repeating echoes, computed block by block."""
    echoed: Samples = []
    last = [0.0] * delay
    for start in range(0, len(samples), delay):
        last = [new + feedback * old for new, old in zip(samples[start : start + delay], last)]
        echoed += last
    return echoed


def all_pass(samples: Samples, delay: int, gain: float) -> Samples:
    """Return the samples smeared in time, with an unchanged spectrum."""
    smeared: Samples = []
    last_in = last_out = [0.0] * delay
    for start in range(0, len(samples), delay):
        block = samples[start : start + delay]
        last_out = [
            before - gain * now + gain * old
            for now, before, old in zip(block, last_in, last_out)
        ]
        last_in = block
        smeared += last_out
    return smeared


def master(sides: list[Samples], tail: float, rate: int) -> Recording:
    """Fade the tail out, bring the peak to -3 dBFS and round to 16 bits."""
    count = len(sides[0])
    length = int(tail * rate)
    for side in sides:
        for step in range(length):
            side[count - 1 - step] *= 0.5 - 0.5 * math.cos(math.pi * step / length)
    gain = 32767.0 * PEAK / max(max(map(abs, side)) for side in sides)
    interleaved = array.array("h", bytes(2 * count * len(sides)))
    for channel, side in enumerate(sides):
        interleaved[channel :: len(sides)] = array.array("h", [round(gain * x) for x in side])
    return Recording(rate, len(sides), interleaved)
