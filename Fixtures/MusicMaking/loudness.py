# SPDX-License-Identifier: GPL-3.0-or-later
"""Measure the loudness of finished files with ffmpeg, for ReplayGain tags."""

import re
import subprocess
from pathlib import Path
from typing import NamedTuple

from albums import Tags

REPLAY_GAIN_TARGET = -18.0
OPUS_TARGET = -23.0


class Loudness(NamedTuple):
    """Integrated loudness in LUFS, and the sample peak (1.0 is full scale)."""

    level: float
    peak: float


def measure(paths: list[Path]) -> Loudness:
    """Return the loudness of the files played one after another."""
    command = ["ffmpeg", "-hide_banner", "-nostats"]
    for path in paths:
        command += ["-i", str(path)]
    inputs = "".join(f"[{index}:a]" for index in range(len(paths)))
    meter = "ebur128=peak=sample:framelog=verbose"
    command += ["-filter_complex", f"{inputs}concat=n={len(paths)}:v=0:a=1,{meter}"]
    command += ["-f", "null", "-"]
    report = subprocess.run(command, capture_output=True, check=True, text=True).stderr
    summary = report.rpartition("Summary:")[2]
    level = re.search(r"I:\s+(-?[\d.]+) LUFS", summary)
    peak = re.search(r"Peak:\s+(-?[\d.]+) dBFS", summary)
    assert level and peak, f"no loudness in the report of ffmpeg: {report}"
    return Loudness(float(level[1]), 10.0 ** (float(peak[1]) / 20.0))


def gain_tags(path: Path, track: Loudness, album: Loudness) -> Tags:
    """Return the gain tags for a file; Opus has tags of its own (RFC 7845)."""
    if path.suffix == ".opus":
        return {
            "r128_track_gain": str(round(256 * (OPUS_TARGET - track.level))),
            "r128_album_gain": str(round(256 * (OPUS_TARGET - album.level))),
        }
    return {
        "replaygain_track_gain": f"{REPLAY_GAIN_TARGET - track.level:+.2f} dB",
        "replaygain_track_peak": f"{track.peak:.6f}",
        "replaygain_album_gain": f"{REPLAY_GAIN_TARGET - album.level:+.2f} dB",
        "replaygain_album_peak": f"{album.peak:.6f}",
    }
