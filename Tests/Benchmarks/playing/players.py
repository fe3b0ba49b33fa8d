# SPDX-License-Identifier: GPL-3.0-or-later
"""The measured players, and how each plays one file through PulseAudio."""

import shutil
import socket
import subprocess
from pathlib import Path

from sound import SoundServer, wait_for


def segue(program: Path, output: str = "pulse"):
    def play(server: SoundServer, file: Path) -> subprocess.Popen:
        return server.start([str(program), "play", str(file), "--output", output])

    return play


def mpd(server: SoundServer, file: Path) -> subprocess.Popen:
    directory = server.directory
    (directory / "music").mkdir()
    (directory / "music/ruler.flac").symlink_to(file)
    (directory / "mpd.conf").write_text(
        f'music_directory "{directory}/music"\ndb_file "{directory}/db"\nstate_file "{directory}/mpdstate"\n'
        f'bind_to_address "{directory}/mpd.sock"\nlog_file "{directory}/mpd.log"\n'
        'audio_output {\n  type "pulse"\n  name "bench"\n}\n')
    process = server.start(["mpd", "--no-daemon", str(directory / "mpd.conf")])
    wait_for("mpd", lambda: responds(directory / "mpd.sock"))
    send(directory / "mpd.sock", "update")
    wait_for("mpd's library", lambda: send(directory / "mpd.sock", "add ruler.flac"))
    send(directory / "mpd.sock", "play")
    return process


def responds(path: Path) -> bool:
    try:
        return send(path, "ping")
    except OSError:
        return False


def send(path: Path, line: str) -> bool:
    """Sends mpd a command; returns whether it succeeded."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(5)
        connection.connect(str(path))
        with connection.makefile("rw") as stream:
            stream.readline()
            stream.write(line + "\n")
            stream.flush()
            while answer := stream.readline():
                if answer.startswith(("OK", "ACK")):
                    return answer.startswith("OK")
    return False


def cmus(server: SoundServer, file: Path) -> subprocess.Popen:
    path = server.directory / "cmus.sock"
    settings = server.directory / ".config/cmus"
    settings.mkdir(parents=True)
    (settings / "rc").write_text("set output_plugin=pulse\n")
    process = server.start_in_terminal(["cmus", "--listen", str(path)])
    wait_for("cmus", path.exists)
    subprocess.run(
        ["cmus-remote", "--server", str(path), "-f", str(file)], env=server.environment, check=True, timeout=10)
    return process


def mpv(server: SoundServer, file: Path) -> subprocess.Popen:
    return server.start(["mpv", "--no-config", "--no-video", "--ao=pulse", "--no-terminal", str(file)])


def ogg123(server: SoundServer, file: Path) -> subprocess.Popen:
    return server.start(["ogg123", "-q", "-d", "pulse", str(file)])


def all_players(program: Path) -> dict:
    """The installed players by name; Segue first."""
    others = {"mpd": mpd, "cmus": cmus, "mpv": mpv, "ogg123": ogg123}
    installed = {name: play for name, play in others.items() if shutil.which(name)}
    return {"segue": segue(program), "segue, alsa": segue(program, "alsa")} | installed
