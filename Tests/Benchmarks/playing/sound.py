# SPDX-License-Identifier: GPL-3.0-or-later
"""A private PulseAudio server without a device, the test sound played through it, and its recording."""

import array
import os
import shutil
import signal
import subprocess
import tempfile
import threading
import time
import wave
from pathlib import Path

RATE = 44_100
BASE = 16_384


def wait_for(what: str, condition, seconds: float = 15) -> None:
    """Waits until `condition` is true; raises TimeoutError if that takes too long."""
    limit = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > limit:
            raise TimeoutError(f"no {what} within {seconds} s")
        time.sleep(0.02)


def end(process: subprocess.Popen) -> None:
    """Ends a process started by this program, whatever its state."""
    if process.poll() is None:
        process.send_signal(signal.SIGCONT)
        process.kill()
    process.wait()


def make_ruler(path: Path, seconds: int) -> None:
    """Writes a FLAC file whose frames encode their positions: the low part left, the negated high part right."""
    with tempfile.TemporaryDirectory() as directory:
        source = Path(directory) / "ruler.wav"
        with wave.open(str(source), "wb") as file:
            file.setnchannels(2)
            file.setsampwidth(2)
            file.setframerate(RATE)
            for second in range(seconds):
                samples = array.array("h", bytes(4 * RATE))
                positions = range(second * RATE, (second + 1) * RATE)
                samples[0::2] = array.array("h", (BASE // 2 + position % BASE for position in positions))
                samples[1::2] = array.array("h", (-(BASE // 2 + position // BASE) for position in positions))
                file.writeframes(samples.tobytes())
        subprocess.run(["flac", "-s", "-f", "-5", "-o", str(path), str(source)], check=True)


def position(samples: array.array, index: int) -> int | None:
    """The position that a recorded frame of the ruler encodes; `None` for silence and faded frames."""
    low, high = samples[2 * index] - BASE // 2, -samples[2 * index + 1] - BASE // 2
    return high * BASE + low if 0 <= low < BASE and high >= 0 else None


def drain(descriptor: int) -> None:
    """Reads until all writers have closed, and closes the descriptor."""
    try:
        while os.read(descriptor, 1 << 16):
            pass
    except OSError:
        # A terminal reports this when its last program has ended.
        pass
    os.close(descriptor)


class SoundServer:
    """A PulseAudio server with a real-time null sink; ended with the `with` block."""

    def __init__(self, sink_options: str = "", recording: bool = False, fine: bool = False):
        self.directory = Path(tempfile.mkdtemp(prefix="segue-bench-"))
        self.directory.chmod(0o700)
        self.environment = {
            key: value for key, value in os.environ.items() if not key.startswith(("PULSE_", "XDG_", "SEGUE_"))
        }
        (self.directory / "client.conf").write_text("autospawn = no\n")
        (self.directory / ".asoundrc").write_text("pcm.!default { type pulse }\n")
        self.environment |= {
            "HOME": str(self.directory), "XDG_RUNTIME_DIR": str(self.directory),
            "PULSE_SERVER": f"unix:{self.directory}/native", "PULSE_CLIENTCONFIG": f"{self.directory}/client.conf",
            "SEGUE_STATE_DIR": str(self.directory / "state"), "TERM": "xterm",
        }
        self.sink_options = sink_options
        self.recording = recording
        self.latency = "10" if fine else "2000"
        self.processes: list[subprocess.Popen] = []
        self.recorded = bytearray()
        self.arrivals: list[tuple[float, int]] = []

    def __enter__(self) -> "SoundServer":
        try:
            self.start([
                "pulseaudio", "-n", "--daemonize=no", "--use-pid-file=no", "--exit-idle-time=-1",
                "-L", f"module-native-protocol-unix socket={self.directory}/native auth-anonymous=1",
                "-L", f"module-null-sink sink_name=bench rate={RATE} format=s16le channels=2 {self.sink_options}",
            ])
            wait_for("sound server", (self.directory / "native").exists)
            if self.recording:
                recorder = self.start(
                    ["parec", "--device=bench.monitor", "--raw", "--format=s16le", f"--rate={RATE}", "--channels=2",
                     f"--latency-msec={self.latency}"], stdout=subprocess.PIPE)
                threading.Thread(target=self.record, args=(recorder.stdout.fileno(),), daemon=True).start()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_) -> None:
        for process in reversed(self.processes):
            end(process)
        shutil.rmtree(self.directory, ignore_errors=True)

    def start(self, command: list[str], **options) -> subprocess.Popen:
        """Starts a program that can reach only this server, and ends with it."""
        options = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL} | options
        process = subprocess.Popen(command, env=self.environment, cwd=self.directory, **options)
        self.processes.append(process)
        return process

    def start_in_terminal(self, command: list[str]) -> subprocess.Popen:
        """Starts a program that needs a terminal, and discards what it draws."""
        ours, theirs = os.openpty()
        process = self.start(command, stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True)
        os.close(theirs)
        # Confirms any messages at its start.
        os.write(ours, b"\n\n")
        threading.Thread(target=drain, args=(ours,), daemon=True).start()
        return process

    def record(self, descriptor: int) -> None:
        while part := os.read(descriptor, 1 << 16):
            self.recorded += part
            self.arrivals.append((time.monotonic(), len(self.recorded) // 4))

    def recording_start(self) -> float:
        """The time at which the first frame of the recording was audible. The sink reads a block when the one before has
        been played, and the recording receives it at once: its first frame is audible then, the others later."""
        starts = []
        moment_before, frames_before = float("-inf"), 0
        for moment, frames in self.arrivals:
            if moment > moment_before + 0.003:
                starts.append(moment - frames_before / RATE)
            moment_before, frames_before = moment, frames
        return min(starts)

    def heard(self) -> list[tuple[int, int, int]]:
        """The unbroken runs of the ruler in the recording: index, position, count."""
        samples = array.array("h", bytes(self.recorded[: len(self.recorded) // 4 * 4]))
        runs: list[list[int]] = []
        for index in range(len(samples) // 2):
            place = position(samples, index)
            if place is None:
                continue
            if runs and runs[-1][0] + runs[-1][2] == index and runs[-1][1] + runs[-1][2] == place:
                runs[-1][2] += 1
            else:
                runs.append([index, place, 1])
        # Frames of a fade do not form such long runs.
        return [tuple(run) for run in runs if run[2] > 32]
