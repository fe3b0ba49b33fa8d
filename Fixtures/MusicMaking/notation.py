# SPDX-License-Identifier: GPL-3.0-or-later
"""The text notation of `scores.py`, and the types that make up a score.

A voice is a line of words. `F#4:1.5` is the note F sharp 4 for one and a half
beats; `C4+E4+G4:2` is a chord; `R` is a rest. A word without a length takes
the length of the word before it. Bar lines (`|`) are for the reader only.
"""

from typing import NamedTuple

SEMITONES = {"C": 0, "D": 2, "E": 4, "F": 5, "G": 7, "A": 9, "B": 11}
ACCIDENTALS = {"#": 1, "b": -1}


class Voice(NamedTuple):
    """One part of a piece: its instrument, position, volume and notes."""

    instrument: str
    pan: float
    gain: float
    text: str


class Score(NamedTuple):
    """A piece: its tempo, the seconds that it rings at the end, and its parts."""

    beats_per_minute: float
    tail: float
    voices: tuple[Voice, ...]


class Note(NamedTuple):
    """One sounding note; times are in beats, the frequency in hertz."""

    start: float
    beats: float
    frequency: float


def frequency_of(pitch: str) -> float:
    """Return the equal-tempered frequency of a pitch such as `Bb3`."""
    octave = int(pitch[-1])
    semitone = SEMITONES[pitch[0]] + sum(ACCIDENTALS[mark] for mark in pitch[1:-1])
    return 440.0 * 2.0 ** ((semitone - 9) / 12.0 + octave - 4)


def parse_voice(text: str) -> tuple[list[Note], float]:
    """Return the notes of a voice, and the length of the voice in beats."""
    notes = []
    position = 0.0
    beats = 1.0
    for word in text.split():
        if word == "|":
            continue
        pitches, _, length = word.partition(":")
        if length:
            beats = float(length)
        if pitches != "R":
            notes += [Note(position, beats, frequency_of(p)) for p in pitches.split("+")]
        position += beats
    return notes, position
