import Terminal
import UserSettings

/// The parts of the manual that come from no command's help.
enum ManualParts {
  /// The description of the program.
  static let description =
    [".Sh DESCRIPTION", ".Nm"]
    + ManualText.running(
      """
      makes albums of a directory of music, plays one from a track to its end without a gap, and keeps one queue. \
      The first command that needs the library reads it; after that, every command answers from the index at once. \
      Whoever starts first plays; every other segue has that player do what is asked for. \
      What it plays is what libsndfile reads, through what libao plays through.
      """) + [".Pp"]
    + ManualText.running(
      """
      With no command, on a terminal, it reads commands line by line and plays meanwhile, as repl does, \
      whose options it takes.
      """)

  /// The introduction to the words of the REPL.
  static let repl = ManualText.running("In the REPL, most commands are words, without segue before them. So are these:")

  /// The settings.
  static var settings: [String] {
    [".Sh SETTINGS"]
      + ManualText.running(
        """
        They are in the file config.toml, in TOML: a name and a value a line, as in replay-gain = "album". \
        What stands ahead of a dot in a name is a table there, as in [modes]. \
        An option comes before a variable of the environment, that before the file, and that before the default. \
        What is wrong in the file is said when segue starts, and the rest holds. segue config lists them all with what they are set to.
        """)
      + ManualText.list(
        (SettingsTable.all.filter { $0.kind != .keys }).map {
          ("Ic " + ManualText.argument($0.name.rawValue), text($0))
        })
  }

  private static func text(_ setting: Setting) -> String {
    let set = [setting.option, setting.environment.map { "$" + $0 }].compactMap { $0 }.joined(separator: " and ")
    return [
      setting.help, "It is \(setting.kind.expectation).",
      setting.defaultText.isEmpty ? nil : "Default: \(setting.defaultText).",
      set.isEmpty ? nil : "Also set by \(set).",
    ].compactMap { $0 }.joined(separator: " ")
  }

  /// The keys of the player view.
  static var keys: [String] {
    [".Sh KEYS"]
      + ManualText.running(
        """
        While a terminal shows what plays, each of these keys does what stands beside it. \
        The settings of these names in the table [keys] name others: a character, or one of \(Key.names.joined(separator: ", ")), \
        or a list of them; [] names none.
        """)
      + ManualText.list(
        KeyAction.allCases.map { action in
          let names = action.standardKeys.joined(separator: ", ")
          return ("Ic " + ManualText.argument(action.setting.rawValue), "\(names): \(action.help)")
        })
  }

  /// The section about aliases.
  static let aliases =
    [".Sh ALIASES"]
    + ManualText.running(
      """
      A line NAME = "COMMAND ..." in the table [aliases] of config.toml makes NAME a command: \
      it stands for these words, and what is typed behind it follows them. No alias can have the name of a command.
      """) + [".Bd -literal -offset indent"]
    + ["[aliases]", "jazz = \"play 'genre:jazz'\"", "louder = \"volume +10\""].map(ManualText.escaped) + [".Ed"]

  /// The environment variables that the program reads.
  static var environment: [(String, String)] {
    let told = Set(ownEnvironment.map(\.0))
    let others = SettingsTable.all.compactMap { setting in
      setting.environment.flatMap {
        told.contains($0) ? nil : ($0, "The setting \(setting.name.rawValue): \(setting.help)")
      }
    }
    return ownEnvironment + others
  }

  /// The environment variables with a description of their own.
  private static let ownEnvironment = [
    (
      "SEGUE_LIBRARY",
      "Where the music is: a directory, or several with colons between them. Default: the setting library, $XDG_MUSIC_DIR, what user-dirs.dirs says, or ~/Music."
    ),
    ("SEGUE_CONFIG", "The file of settings. Default: segue/config.toml in $XDG_CONFIG_HOME, or in ~/.config."),
    ("SEGUE_DATA_DIR", "Where the index is kept. Default: segue in $XDG_DATA_HOME, or in ~/.local/share."),
    (
      "SEGUE_STATE_DIR",
      "Where the queue and the history of lines are kept. Default: segue in $XDG_STATE_HOME, or in ~/.local/state."
    ),
    ("SEGUE_CACHE_DIR", "Where copies of pictures are kept. Default: segue in $XDG_CACHE_HOME, or in ~/.cache."),
    (
      "SEGUE_SOCKET",
      "Where the player is reached. Default: segue/socket in $XDG_RUNTIME_DIR, or socket in the state directory."
    ),
    ("SEGUE_PLAYLISTS", "Where saved lists are kept. Default: Playlists in the library."),
    ("SEGUE_PAGER", "What shows listings that are longer than the screen. Default: $PAGER, or less."),
    ("SEGUE_COLOR", "What --color takes, where that is not given."),
    ("SEGUE_PLAIN", "1 for --plain on terminals, where that is not given; 0 for none."),
    ("NO_COLOR", "Not empty: no colours, unless they are asked for by always."),
    ("TERM", "dumb: nothing is drawn, and there are no colours."),
    ("SEGUE_LOG", "A file to which every action is written."),
    ("PULSE_LATENCY_MSEC", "What a PulseAudio server is asked to hold; goes before --buffer."),
  ]

  /// The files that the program uses.
  static let files = [
    ("~/.config/segue/config.toml", "The settings and aliases, which nobody but the user writes."),
    ("~/.config/user-dirs.dirs", "Where the desktop says that the music is."),
    ("~/.local/share/segue/index.sqlite", "What is known of the music, in all libraries."),
    (
      "~/.local/state/segue/state.sqlite",
      "The queue with its history, the modes, the volume and the place in the track."
    ),
    ("~/.local/state/segue/playing", "Is there while segue serve plays, for the setting restore."),
    ("~/.cache/segue/covers", "Copies of pictures in sound files, for the desktop and for --json."),
    ("~/.local/state/segue/owner.lock", "Locked by the process that has the queue."),
    ("~/.local/state/segue/history", "The lines of the REPL."),
    ("~/.editrc", "How lines are edited; see editrc(5)."),
  ]

  /// The references to other pages.
  static let seeAlso = [".Sh SEE ALSO", ".Xr mpc 1 ,", ".Xr playerctl 1 ,", ".Xr libao.conf 5"]
}

extension ManualParts {
  /// The section about the output of `--json`.
  static var json: [String] {
    [".Sh JSON"]
      + ManualText.running(
        """
        Commands with --json print an object a line: listings, outputs, gain and config one for each entry, watch one for each event, and others one in all. \
        Each has the key version, which is \(JSONText.version): it rises when a key goes or means something else. Keys may be added at any time. \
        What is not known, or does not apply, is left out. Times are in seconds, positions in status and watch from 0.
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
      "phase (playing, paused or stopped), song, next (the upcoming track), elapsed, isHeard (whether that grows), queuePosition, queueCount, modes, volume, replayGain, crossfade, crossfadeAlbums, sleep, source and output (sampleRate, channels, bits, isFloat; of output name, latency and format), isOutputEnabled, deviations, problem, underruns, process (0 where no player runs) and instant (nanoseconds of the monotonic clock)."
    ),
    (
      "song and next",
      "title, artist (all of them as they are shown), artists, album, track, disc, seconds and path. A song in status, and in the events status and track, has cover, too: the path of its picture, or false. Of a picture in the file that is a copy in the cache directory."
    ),
    ("mode, and modes in others", "repeat, random, single, consume and stopAfter."),
    ("volume", "volume, in percent."),
    (
      "replaygain",
      "replayGain (the mode), gain (dB) and reason while something plays, preamp, fallbackGain and clipping."
    ),
    ("crossfade", "crossfade (0 for none) and crossfadeAlbums."),
    ("sleep", "after (time, track, album, queue or off) and sleep (how long there is left)."),
    (
      "scan",
      "phase, added, changed, moved, gone, problems and leftOut. While a library is being read, watch has seen and total."
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
      "id, path, title, artists, album, albumArtists, albumID, genres, composers, track, disc, date, compilation, seconds, sampleRate, channels, bits and added; of a cue sheet start and end in its file; in a saved list position and gone. A path that is no UTF-8 has pathBytes, too."
    ),
    ("artist and genre", "name, albums and tracks."),
    ("problem", "path and reason."),
    ("item", "What a track has but albumID and added; position (from 1), id, current and gone."),
    ("list", "name, path and tracks."),
    ("edit", "name, and undo or redo: how many steps away it is."),
    ("output", "usage, title and default."),
  ]

  private static let events = [
    ("status", "status: all of it, first, and when events were missed."),
    ("track", "song, next, queuePosition and queueCount."),
    ("state", "phase and elapsed."),
    ("seek", "elapsed."),
    ("queue", "edit, queuePosition, queueCount and next."),
    ("modes", "modes and next."),
    ("volume", "volume."),
    ("crossfade", "crossfade and crossfadeAlbums."),
    ("replaygain", "replayGain."),
    ("outputs", "output, while the sound goes anywhere, and isOutputEnabled."),
    ("playlists", "A saved list was made, changed or removed."),
    ("scan", "scan."),
    ("problem", "problem, in words."),
    ("missed", "count: how many events a slow reader has missed."),
    ("waiting", "No player runs, and one is waited for: with --reconnect."),
  ]
}
