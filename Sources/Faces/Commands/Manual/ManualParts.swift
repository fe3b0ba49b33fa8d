// SPDX-License-Identifier: GPL-3.0-or-later

import Terminal
import UserSettings

/// The parts of the manual that are not generated from the help of commands.
enum ManualParts {
  /// The description of the program.
  static let description =
    [".Sh DESCRIPTION", ".Nm"]
    + ManualText.running(
      """
      plays music from a library of albums without gaps, and has one queue. \
      The first command that needs the library scans it; after that, commands answer from the index. \
      The first process that plays becomes the player, and other segue commands control it. \
      It reads all formats of libsndfile, and plays to all outputs of libao.
      """) + [".Pp"]
    + ManualText.running(
      """
      Without a command, on a terminal, it starts the REPL, and takes the options of repl.
      """)

  /// The introduction to the words of the REPL.
  static let repl = ManualText.running(
    "Most commands work in the REPL, without segue before them. These work only there:")

  /// The list of settings, except those of keys.
  static var settings: [String] {
    ManualText.list(
      (SettingsTable.all.filter { $0.kind != .keys }).map {
        ("Ic " + ManualText.argument($0.name.rawValue), text($0))
      })
  }

  private static func text(_ setting: Setting) -> String {
    let set = [setting.option, setting.environment.map { "$" + $0 }].compactMap { $0 }.joined(separator: " and ")
    return [
      setting.help, "Values: \(setting.kind.expectation).",
      setting.defaultText.isEmpty ? nil : "Default: \(setting.defaultText).",
      set.isEmpty ? nil : "Also set by \(set).",
    ].compactMap { $0 }.joined(separator: " ")
  }

  /// The list of settings for the keys of the now-playing view.
  static var keys: [String] {
    ManualText.list(
      KeyAction.allCases.map { action in
        let names = action.standardKeys.joined(separator: ", ")
        return ("Ic " + ManualText.argument(action.setting.rawValue), "\(names): \(action.help)")
      })
  }

  /// The environment variables that the program reads, with descriptions.
  static var environment: [(String, String)] {
    let told = Set(ownEnvironment.map(\.0))
    let others = SettingsTable.all.compactMap { setting in
      setting.environment.flatMap {
        told.contains($0) ? nil : ($0, "Sets \(setting.name.rawValue): \(setting.help)")
      }
    }
    return ownEnvironment + others
  }

  /// The environment variables that are not those of a setting, or need a longer description.
  private static let ownEnvironment = [
    (
      "SEGUE_LIBRARY",
      "Music directory, or several separated by colons. Default: the setting library, $XDG_MUSIC_DIR, the music directory in user-dirs.dirs, or ~/Music."
    ),
    ("SEGUE_CONFIG", "Settings file. Default: segue/config.toml in $XDG_CONFIG_HOME, or in ~/.config."),
    ("SEGUE_DATA_DIR", "Directory for the library index. Default: segue in $XDG_DATA_HOME, or in ~/.local/share."),
    (
      "SEGUE_STATE_DIR",
      "Directory for the queue and the history of the REPL. Default: segue in $XDG_STATE_HOME, or in ~/.local/state."
    ),
    ("SEGUE_CACHE_DIR", "Directory for copies of covers. Default: segue in $XDG_CACHE_HOME, or in ~/.cache."),
    (
      "SEGUE_SOCKET",
      "Socket of the player. Default: segue/socket in $XDG_RUNTIME_DIR, or socket in the state directory."
    ),
    ("SEGUE_PLAYLISTS", "Directory for saved playlists. Default: Playlists in the library."),
    ("SEGUE_PAGER", "Pager for listings that are longer than the screen. Default: $PAGER, or less."),
    ("SEGUE_COLOR", "Default for --color."),
    ("SEGUE_PLAIN", "Default for --plain on terminals: 1 for plain lines, 0 for none."),
    ("NO_COLOR", "If not empty: no colours, unless always is set."),
    ("TERM", "If dumb: no drawing, and no colours."),
    ("SEGUE_LOG", "File to which all actions are logged."),
    ("PULSE_LATENCY_MSEC", "Buffer of a PulseAudio server in ms; overrides --buffer."),
  ]

  /// The files that the program uses, with descriptions.
  static let files = [
    ("~/.config/segue/config.toml", "Settings and aliases, written only by the user."),
    ("~/.config/user-dirs.dirs", "The music directory of the desktop."),
    ("~/.local/share/segue/index.sqlite", "The index of all libraries."),
    (
      "~/.local/state/segue/state.sqlite",
      "Queue, edit history, modes, volume and position in the track."
    ),
    ("~/.local/state/segue/playing", "Exists while segue serve plays, for the setting restore."),
    ("~/.cache/segue/covers", "Copies of embedded covers, for the desktop and for --json."),
    ("~/.local/state/segue/owner.lock", "Locked by the process that uses the queue."),
    ("~/.local/state/segue/history", "History of the REPL."),
    ("~/.editrc", "Settings of the line editor; see editrc(5)."),
  ]

  /// The section that refers to other manual pages.
  static let seeAlso = [
    ".Sh SEE ALSO", ".Xr mpc 1 ,", ".Xr playerctl 1 ,", ".Xr libao.conf 5 ,", ".Xr segue\\-config 5 ,",
    ".Xr segue\\-protocol 7",
  ]
}

extension ManualParts {
  /// The section about the output of `--json`.
  static var json: [String] {
    [".Sh JSON"]
      + ManualText.running(
        """
        With --json, commands print one object per line: listings, outputs, gain and config one for each entry, watch one for each event, others a single one. \
        Each has the key version, which is \(JSONText.version): it increases when a key is removed or changes its meaning. Keys may be added at any time. \
        Unknown and inapplicable values are omitted. Times are in seconds; positions in status and watch start at 0.
        """)
      + ManualText.list(answers.map { ("Ic " + ManualText.argument($0), $1) })
      + [".Pp"] + ManualText.running("The type of an entry of a listing is one of:")
      + ManualText.list(entries.map { ("Ic " + ManualText.argument($0), $1) })
      + [".Pp"] + ManualText.running("The event of a line of watch is one of:")
      + ManualText.list(events.map { ("Ic " + ManualText.argument($0), $1) })
  }

  private static let answers = [
    (
      "status",
      "phase (playing, paused or stopped), song, next (the upcoming track), elapsed, isHeard (whether it is increasing), queuePosition, queueCount, modes, volume, replayGain, crossfade, crossfadeAlbums, sleep, source and output (sampleRate, channels, bits, isFloat; of output name, latency and format), isOutputEnabled, deviations, problem, underruns, process (0 if no player is running) and instant (nanoseconds of the monotonic clock)."
    ),
    (
      "song and next",
      "title, artist (all artists, as displayed), artists, album, track, disc, seconds and path. A song in status, and in the events status and track, also has cover: the path of its cover, or false. An embedded cover is copied to the cache directory."
    ),
    ("mode, and modes elsewhere", "repeat, random, single, consume and stopAfter."),
    ("volume", "volume, in percent."),
    (
      "replaygain",
      "replayGain (the mode), gain (dB) and reason during playback, preamp, fallbackGain and clipping."
    ),
    ("crossfade", "crossfade (0 for none) and crossfadeAlbums."),
    ("sleep", "after (time, track, album, queue or off) and sleep (the time left)."),
    (
      "scan",
      "phase, added, changed, moved, gone, problems and leftOut. During a scan, watch has seen and total."
    ),
    (
      "gain",
      "path, title, artist, artists, album, loudness (LUFS), range (LU), truePeak (1 is full scale), trackGain (dB), albumLoudness, albumPeak and albumGain."
    ),
    (
      "config",
      "key, value and origin (default, file, environment or option), with file and line, variable, or option."
    ),
  ]

  private static let entries = [
    ("album", "id, title, artist, artists, date, compilation, tracks, seconds and added (since 1970)."),
    (
      "track",
      "id, path, title, artists, album, albumArtists, albumID, genres, composers, track, disc, date, compilation, seconds, sampleRate, channels, bits and added; from a cue sheet also start and end in its file; in a saved playlist also position and gone (its file is missing). A path that is not UTF-8 also has pathBytes."
    ),
    ("artist and genre", "name, albums and tracks."),
    ("problem", "path and reason."),
    (
      "item",
      "The keys of a track except albumID and added; position (from 1), id, current and gone (its file is missing)."
    ),
    ("list", "name, path and tracks."),
    ("edit", "name, and undo or redo: how many steps away it is."),
    ("output", "usage, title and default."),
  ]

  private static let events = [
    ("status", "status: the whole status, at the start and after missed events."),
    ("track", "song, next, queuePosition and queueCount."),
    ("state", "phase and elapsed."),
    ("seek", "elapsed."),
    ("queue", "edit, queuePosition, queueCount and next."),
    ("modes", "modes and next."),
    ("volume", "volume."),
    ("crossfade", "crossfade and crossfadeAlbums."),
    ("replaygain", "replayGain."),
    ("outputs", "output, if one is open, and isOutputEnabled."),
    ("playlists", "A saved playlist was created, changed or deleted."),
    ("scan", "scan."),
    ("problem", "problem, as text."),
    ("missed", "count: the number of events that a slow reader has missed."),
    ("waiting", "No player is running; with --reconnect, watch waits for one."),
  ]
}
