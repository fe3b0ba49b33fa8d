# SPDX-License-Identifier: GPL-3.0-or-later
"""The world of a walk: private directories, music, a sound server with several sinks, and the player."""

import array
import math
import os
import shutil
import signal
import subprocess
import tempfile
import time
import wave
from pathlib import Path

from client import Client, Closed, Violation

TOOLS = ["pulseaudio", "pactl", "pacat", "ffmpeg"]
SINKS = ["one", "two", "three"]


def make_wave(path: Path, seconds: float, pitch: int, rate: int = 44_100, channels: int = 2, width: int = 2) -> None:
    """Writes a sine tone."""
    period = max(1, rate // pitch)
    cycle = [int((1 << (8 * width - 3)) * math.sin(2 * math.pi * frame / period)) for frame in range(period)]
    if width == 3:
        unit = b"".join(value.to_bytes(3, "little", signed=True) * channels for value in cycle)
    else:
        unit = array.array("h", [value for value in cycle for _ in range(channels)]).tobytes()
    size = int(seconds * rate) * channels * width
    with wave.open(str(path), "wb") as file:
        file.setparams((channels, width, rate, 0, "NONE", ""))
        file.writeframes((unit * (size // len(unit) + 1))[:size])


class Music:
    """The library. Files in "Steady" are never changed; those in "Shaky" are; those in "Broken" cannot be played."""

    def __init__(self, root: Path, scratch: Path):
        self.root, self.scratch, self.number = root, scratch, 0
        for directory in ["Steady/Short", "Steady/Mixed", "Steady/Odd", "Steady/Rates", "Shaky", "Broken"]:
            (root / directory).mkdir(parents=True)
        for number, seconds in enumerate([0.2, 0.5, 1, 1.5, 2, 3, 5, 30], 1):
            self.add(f"Steady/Short/{number:02}.flac", seconds)
        for number, name in enumerate(["flac", "m4a", "flac", "alac.m4a", "m4a", "flac"], 1):
            self.add(f"Steady/Mixed/{number:02}.{name}", 0.4 * number)
        self.add("Steady/Odd/plain.wav", 1.2)
        self.add("Steady/Odd/plain.mp3", 2.1)
        self.add('Steady/Odd/a "quoted" \\ name.mp3', 0.8)
        self.add("Steady/Odd/Ünïcode – 日本.mp3", 1.1)
        self.add("Steady/Odd/two\nlines.mp3", 0.9)
        self.add("Steady/Rates/96.flac", 1.5, rate=96_000, width=3)
        self.add("Steady/Rates/mono.wav", 1.5, rate=8_000, channels=1)
        self.add("Steady/Rates/48.flac", 1.5, rate=48_000)
        for number, name in enumerate(["flac", "flac", "m4a", "mp3", "wav", "flac", "mp3", "flac"], 1):
            self.add(f"Shaky/{number:02}.{name}", 0.5 * number)
        self.shaky = sorted((root / "Shaky").iterdir())
        self.stash = scratch / "stash"
        shutil.copytree(root / "Shaky", self.stash)
        broken = root / "Broken"
        (broken / "empty.flac").touch()
        (broken / "text.mp3").write_text("This is no music.\n" * 100)
        whole = (root / "Steady/Short/06.flac").read_bytes()
        (broken / "damaged.flac").write_bytes(whole[:20_000] + b"\xff\xf8" * 5_000 + whole[30_000:])
        whole = (root / "Steady/Mixed/05.m4a").read_bytes()
        (broken / "cut.m4a").write_bytes(whole[: len(whole) // 3])

    def add(self, name: str, seconds: float, **parameters) -> None:
        self.number += 1
        path, source = self.root / name, self.scratch / "source.wav"
        make_wave(source, seconds, 200 + 20 * self.number, **parameters)
        tags = {"title": f"Tone {self.number}", "album": path.parent.name, "artist": "Walk", "track": str(self.number)}
        if path.suffix == ".wav":
            shutil.move(source, path)
            return
        codec = {".flac": "flac", ".mp3": "libmp3lame"}.get(path.suffix, "alac" if ".alac" in name else "aac")
        command = ["ffmpeg", "-v", "error", "-i", source, "-c:a", codec]
        for key, value in tags.items():
            command += ["-metadata", f"{key}={value}"]
        subprocess.run([*command, f"file:{path}"], check=True, stdin=subprocess.DEVNULL)

    @property
    def names(self) -> list[str]:
        """The URIs of all files that were there at the beginning."""
        files = sorted(path for path in self.root.rglob("*") if path.is_file())
        return [uri(str(path.relative_to(self.root))) for path in files]

    def restore(self) -> None:
        """Makes "Shaky" as it was at the beginning."""
        for path in (self.root / "Shaky").iterdir():
            if path not in self.shaky:
                path.unlink()
        for path in self.shaky:
            shutil.copy(self.stash / path.name, path)


def uri(name: str) -> str:
    """The URI of a file of the library: control characters cannot be written in a line of the protocol."""
    if all(ord(character) >= 32 for character in name):
        return name
    plain = lambda byte: 0x20 < byte < 0x7F and byte not in b'%"\\'
    return "path:" + "".join(chr(byte) if plain(byte) else f"%{byte:02X}" for byte in name.encode())


class Rig:
    """Directories, a sound server and a player, all of which end with `end`."""

    def __init__(self, program: Path, patience: float, rewinds: bool):
        self.program, self.patience, self.rewinds = program, patience, rewinds
        self.root = Path(tempfile.mkdtemp(prefix="segue-walk-"))
        self.log = (self.root / "player.log").open("ab")
        self.processes: list[subprocess.Popen] = []
        self.player: subprocess.Popen | None = None
        for name in ["home", "runtime", "state", "data", "cache", "config", "tmp", "sound", "scratch", "music"]:
            (self.root / name).mkdir(mode=0o700)
        self.environment = {
            "PATH": os.environ["PATH"], "LANG": "C.UTF-8", "HOME": str(self.root / "home"),
            "TMPDIR": str(self.root / "tmp"), "XDG_RUNTIME_DIR": str(self.root / "runtime"),
            "XDG_STATE_HOME": str(self.root / "state"), "XDG_DATA_HOME": str(self.root / "data"),
            "XDG_CACHE_HOME": str(self.root / "cache"), "XDG_CONFIG_HOME": str(self.root / "config"),
            "SEGUE_LIBRARY": str(self.root / "music"), "DBUS_SESSION_BUS_ADDRESS": "disabled:",
            "PULSE_SERVER": f"unix:{self.root}/sound/native", "PULSE_CLIENTCONFIG": f"{self.root}/sound/client.conf",
        }
        (self.root / "sound/client.conf").write_text("autospawn = no\n")
        self.sound_environment = self.environment | {"HOME": str(self.root / "sound")}
        self.address = str(self.root / "runtime/segue/socket")

    def prepare(self) -> None:
        """Makes the music and starts the sound server and the player."""
        self.music = Music(self.root / "music", self.root / "scratch")
        self.names = self.music.names
        (self.root / "music/Playlists").mkdir()
        modules = [f"module-native-protocol-unix socket={self.root}/sound/native auth-anonymous=1"]
        rates = ["rate=44100", "rate=48000", "rate=96000 format=s32le"]
        rewinding = "" if self.rewinds else "norewinds=1"
        modules += [f"module-null-sink sink_name={name} {rate} {rewinding}" for name, rate in zip(SINKS, rates)]
        modules += ["module-role-cork trigger_roles=phone cork_roles=music"]
        options = [word for module in modules for word in ("-L", module)]
        self.launch([
            "pulseaudio", "-n", "--daemonize=no", "--use-pid-file=no", "--exit-idle-time=-1", "--realtime=no",
            "--high-priority=no", *options,
        ])
        self.wait("the sound server listens", lambda: self.sound("info").returncode == 0)
        self.sound("set-default-sink", "one")
        self.start()

    def launch(self, command: list[str]) -> subprocess.Popen:
        """Starts a program beside the player."""
        process = subprocess.Popen(
            command, env=self.sound_environment, cwd=self.root / "sound", stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        self.processes.append(process)
        return process

    def finish(self, process: subprocess.Popen) -> None:
        """Kills a program beside the player."""
        process.kill()
        process.wait()
        self.processes.remove(process)

    def sound(self, *words: str) -> subprocess.CompletedProcess:
        return subprocess.run(
            ["pactl", *words], env=self.sound_environment, capture_output=True, text=True, timeout=self.patience)

    def wait(self, what: str, reached) -> None:
        limit = time.monotonic() + self.patience
        while not reached():
            if time.monotonic() > limit:
                raise Violation(what, f"within {self.patience} s", "not yet")
            time.sleep(0.002)

    def start(self) -> Client:
        """Starts the player; returns a connection to it."""
        self.log.write(b"--- start\n")
        self.log.flush()
        self.player = subprocess.Popen(
            [self.program, "serve"], env=self.environment | {"SEGUE_LOG": str(self.root / "actions.log")},
            cwd=self.root / "home", stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log, start_new_session=True)
        clients: list[Client] = []

        def answers() -> bool:
            self.check_alive()
            try:
                clients.append(Client(self.address, self.patience))
            except (OSError, Closed):
                pass
            return bool(clients)

        self.wait("a started player listens", answers)
        return clients[0]

    def stop(self, number: int) -> int:
        """Sends the player a signal and waits for its end; returns its exit status."""
        self.player.send_signal(number)
        return self.ended()

    def ended(self) -> int:
        """Waits for the end of the player; returns its exit status."""
        try:
            return self.player.wait(self.patience)
        except subprocess.TimeoutExpired:
            raise Violation("the player ends", f"within {self.patience} s", "still running") from None

    def check_alive(self) -> None:
        if (status := self.player.poll()) is not None:
            raise Violation("the player keeps running", "no exit", f"exit status {status}")

    def segue(self, *words: str) -> subprocess.CompletedProcess:
        """Runs a command of the command line."""
        try:
            return subprocess.run(
                [self.program, *words], env=self.environment, cwd=self.root / "home", stdin=subprocess.DEVNULL,
                capture_output=True, text=True, errors="replace", timeout=self.patience)
        except subprocess.TimeoutExpired:
            raise Violation(f"segue {' '.join(words)} ends", f"within {self.patience} s", "still running") from None

    def strays(self) -> list[str]:
        """The files in directories in which the player has no business."""
        places = [self.root / name for name in ["home", "tmp"]]
        found = [str(path) for place in places for path in place.rglob("*")]
        music, own = self.root / "music", {"Steady", "Shaky", "Broken", "Playlists"}
        found += [str(path) for path in music.iterdir() if path.name not in own]
        known = set(self.names)
        found += [
            str(path) for path in music.rglob("*")
            if path.is_file() and path.parent.name not in ("Shaky", "Playlists")
            and uri(str(path.relative_to(music))) not in known
        ]
        # libpulse writes its own files.
        for name in ["state", "data", "cache", "config", "runtime"]:
            found += [str(path) for path in (self.root / name).iterdir() if path.name not in ("segue", "pulse")]
        return found

    def counts(self) -> tuple[int, int, int]:
        """The numbers of the player's descriptors, threads and child processes."""
        process = Path(f"/proc/{self.player.pid}")
        children = (process / f"task/{self.player.pid}/children").read_text().split()
        threads = list((process / "task").iterdir())
        for thread in threads:
            if thread.name != str(self.player.pid):
                try:
                    children += (thread / "children").read_text().split()
                except OSError:
                    pass
        return len(os.listdir(process / "fd")), len(threads), len(children)

    def memory(self) -> float:
        """The player's share of memory (PSS) in MiB."""
        text = Path(f"/proc/{self.player.pid}/smaps_rollup").read_text()
        return int(text.split("\nPss:")[1].split()[0]) / 1024

    def end(self, keep: bool) -> None:
        """Ends everything; removes the directories unless `keep` is set."""
        for process in [self.player, *self.processes]:
            if process is not None and process.poll() is None:
                process.kill()
                process.wait()
        self.log.close()
        if not keep:
            shutil.rmtree(self.root, ignore_errors=True)
