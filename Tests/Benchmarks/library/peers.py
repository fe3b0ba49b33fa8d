# SPDX-License-Identifier: GPL-3.0-or-later
"""The players that Segue's scans are compared with: mpd and cmus, each with a private home, socket and database."""

import os
import shutil
import socket
import subprocess
import tempfile
import time
from pathlib import Path


class Failure(Exception):
    """A player did not do what was requested."""


def wait_for(what: str, condition, seconds: float = 20) -> None:
    limit = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > limit:
            raise Failure(f"no {what} within {seconds:.0f} s")
        time.sleep(0.01)


class Private:
    """A process with a private home directory; both are removed at the end of the `with` block."""

    def __init__(self, music: Path):
        self.music = music
        self.place = Path(tempfile.mkdtemp(prefix="segue-bench-"))
        self.environment = {
            key: value for key, value in os.environ.items() if not key.startswith(("XDG_", "MPD_", "CMUS_"))
        } | {"HOME": str(self.place), "XDG_RUNTIME_DIR": str(self.place), "TERM": "xterm"}

    def __enter__(self):
        try:
            self.start()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_) -> None:
        self.end()
        shutil.rmtree(self.place, ignore_errors=True)


class Mpd(Private):
    """mpd; an update is timed from the request until `idle` reports a changed database, or that nothing changed."""

    def start(self) -> None:
        (self.place / "mpd.conf").write_text(
            f'music_directory "{self.music}"\ndb_file "{self.place}/db"\nbind_to_address "{self.place}/sock"\n'
            f'log_file "{self.place}/log"\nauto_update "no"\naudio_output {{\n  type "null"\n  name "null"\n}}\n')
        self.process = subprocess.Popen(
            ["mpd", "--no-daemon", str(self.place / "mpd.conf")], env=self.environment, stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wait_for("mpd", (self.place / "sock").exists)
        self.connection = socket.socket(socket.AF_UNIX)
        wait_for("mpd", lambda: self.connection.connect_ex(str(self.place / "sock")) == 0)
        self.stream = self.connection.makefile("rw")
        self.stream.readline()

    def say(self, line: str) -> list[str]:
        self.stream.write(line + "\n")
        self.stream.flush()
        answer = []
        while text := self.stream.readline():
            if text.startswith(("OK", "ACK")):
                return answer
            answer.append(text.rstrip())
        raise Failure("mpd is gone")

    def update(self) -> float:
        """The duration of an update in seconds."""
        start = time.perf_counter()
        self.say("update")
        while any(line.startswith("updating_db") for line in self.say("status")):
            self.say("idle update")
        return time.perf_counter() - start

    def song_count(self) -> int:
        return next(int(line.split()[1]) for line in self.say("stats") if line.startswith("songs"))

    def end(self) -> None:
        if hasattr(self, "process"):
            self.process.kill()
            self.process.wait()


class Cmus(Private):
    """cmus in a private terminal; it does not report completion, so that is when it has used no CPU for a second."""

    def start(self) -> None:
        (self.place / "cmus").mkdir()
        (self.place / "cmus/rc").write_text("set output_plugin=ao\n")
        self.environment |= {"CMUS_HOME": str(self.place / "cmus")}
        self.server = ["tmux", "-S", str(self.place / "tmux")]
        command = f"exec cmus --listen {self.place}/sock"
        subprocess.run([*self.server, "new-session", "-d", "-x", "100", "-y", "30", command], env=self.environment, check=True)
        shown = [*self.server, "list-panes", "-F", "#{pane_pid}"]
        self.pid = int(subprocess.run(shown, env=self.environment, check=True, capture_output=True).stdout.split()[0])
        # Confirms any messages at its start.
        for _ in range(3):
            subprocess.run([*self.server, "send-keys", "Enter"], env=self.environment, check=True)
            time.sleep(0.3)
        wait_for("cmus", (self.place / "sock").exists)

    def seconds(self) -> float:
        """The CPU time so far in seconds."""
        tasks = Path(f"/proc/{self.pid}/task").iterdir()
        return sum(int((task / "schedstat").read_text().split()[0]) for task in tasks) / 1e9

    def add(self) -> tuple[float, float]:
        """The duration of adding all files in seconds, and the CPU time in seconds."""
        before = self.seconds()
        start = time.perf_counter()
        subprocess.run(
            ["cmus-remote", "--server", str(self.place / "sock"), "-C", f"add {self.music}"], env=self.environment,
            check=True, timeout=30)
        last, used = time.perf_counter(), self.seconds()
        while time.perf_counter() - last < 1:
            time.sleep(0.01)
            # When idle it uses less than a hundredth of this.
            if (now := self.seconds()) > used + 0.0005:
                last, used = time.perf_counter(), now
        return last - start, used - before

    def end(self) -> None:
        if hasattr(self, "server"):
            subprocess.run(
                [*self.server, "kill-server"], env=self.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
