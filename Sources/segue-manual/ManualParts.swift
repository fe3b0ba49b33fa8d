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
      plays albums from a music library, without gaps between tracks, and has one queue. \
      The first command that needs the library scans it; after that, commands answer from the index. \
      The first process that plays becomes the player, and other segue commands control it. \
      It plays the formats that `segue help formats` lists, through PulseAudio, PipeWire or libao.
      """) + [".Pp"]
    + ManualText.running(
      """
      On a terminal, segue without a command shows the library, the queue and the player on a full screen, and accepts \
      the options of `segue screen`. Without a terminal, it prints the help. If the music directory does not exist, it \
      asks for another one, and saves that in the settings if you like.
      """)

  /// The introduction to the words of the REPL.
  static let repl = ManualText.running(
    "Most commands work in the REPL, where they are typed without `segue`. These commands work only there:")

  /// The list of settings.
  static var settings: [String] {
    ManualText.list(SettingsTable.all.map { ("Ic " + ManualText.argument($0.name.rawValue), text($0)) })
  }

  private static func text(_ setting: Setting) -> String {
    let set = [setting.option, setting.environment.map { "$" + $0 }].compactMap { $0 }.joined(separator: " and ")
    return [
      setting.help, "Values: \(setting.kind.expectation).",
      setting.defaultText.isEmpty ? nil : "Default: \(setting.defaultText).",
      set.isEmpty ? nil : "Also set by \(set).",
    ].compactMap { $0 }.joined(separator: " ")
  }

  /// The actions of the full screen, with their default keys.
  static var keys: [String] {
    ManualText.list(
      ScreenAction.allCases.map { action in
        let keys = action.defaultKeys.joined(separator: ", ")
        return ("Ic " + ManualText.argument(action.rawValue), keys.isEmpty ? action.help : "\(keys): \(action.help)")
      })
  }

  /// The environment variables that the program reads, with descriptions.
  static var environment: [(String, String)] {
    let described = Set(ownEnvironment.map(\.0))
    let others = SettingsTable.all.compactMap { setting in
      setting.environment.flatMap {
        described.contains($0) ? nil : ($0, "Sets `\(setting.name.rawValue)`: \(setting.help)")
      }
    }
    return ownEnvironment + others
  }

  /// The environment variables that do not belong to a setting, or that need a longer description than it has.
  private static let ownEnvironment = [
    (
      "SEGUE_LIBRARY",
      "Music directory, or several separated by colons. Default: the setting `library`, $XDG_MUSIC_DIR, the music directory in user-dirs.dirs, or ~/Music."
    ),
    ("SEGUE_CONFIG", "Settings file. Default: segue/config.toml in $XDG_CONFIG_HOME, or in ~/.config."),
    ("SEGUE_DATA_DIR", "Directory for the library index. Default: segue in $XDG_DATA_HOME, or in ~/.local/share."),
    (
      "SEGUE_STATE_DIR",
      "Directory for the queue and the command history of the REPL. Default: segue in $XDG_STATE_HOME, or in ~/.local/state."
    ),
    ("SEGUE_CACHE_DIR", "Directory for copies of covers. Default: segue in $XDG_CACHE_HOME, or in ~/.cache."),
    (
      "SEGUE_SOCKET",
      "Socket of the player. Default: segue/socket in $XDG_RUNTIME_DIR, or `socket` in the state directory."
    ),
    ("SEGUE_PLAYLISTS", "Directory for playlists. Default: the directory Playlists in the library."),
    ("SEGUE_PAGER", "Pager for listings that are longer than the screen. Default: $PAGER, or less."),
    ("SEGUE_COLOR", "Default for --color."),
    ("SEGUE_PLAIN", "Default for --plain on terminals: 1 for plain lines, 0 for the usual output."),
    (
      "NO_COLOR", "If not empty, there are no colours, unless --color, $SEGUE_COLOR or the setting `color` is `always`."
    ),
    ("TERM", "If it is `dumb`, nothing is drawn, and there are no colours."),
    ("SEGUE_LOG", "File to which the program logs all actions."),
    ("PULSE_LATENCY_MSEC", "Buffer length that PulseAudio clients request, in ms; overrides --buffer."),
  ]

  /// The files that the program uses, with descriptions.
  static let files = [
    ("~/.config/segue/config.toml", "Settings and aliases, written by the user and by `segue set --save`."),
    ("~/.config/user-dirs.dirs", "The music directory of the desktop."),
    ("~/.local/share/segue/index.sqlite", "The index of all libraries."),
    (
      "~/.local/state/segue/state.sqlite",
      "Queue, undo history, modes, volume and playback position."
    ),
    ("~/.local/state/segue/queues", "The same of each queue but the first, in directories."),
    ("~/.local/state/segue/current-queue", "The name of the queue in use."),
    (
      "~/.local/state/segue/stream-passwords",
      "Passwords and tokens of the addresses of streams; only its owner can read it."
    ),
    ("~/.local/state/segue/playing", "Exists while `segue serve` is playing; used by the `restore` setting."),
    ("~/.cache/segue/covers", "Copies of embedded covers, for media controls of the desktop and for --json."),
    ("~/.local/state/segue/owner.lock", "Locked by the process that uses the queue."),
    ("~/.local/state/segue/history", "Command history of the REPL."),
    (
      "~/.local/state/segue/screen.json",
      "What was chosen on the full screen: orders of lists, covers, and what is beside the cover."
    ),
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
        With --json, commands print one JSON object per line: listings, `outputs`, `gain` and `config` print one for each entry, `watch` one for each event, and other commands a single one. \
        Each object has the key `version`, which is \(JSONText.version): it increases when a key is removed or changes its meaning. New keys may be added at any time. \
        Unknown and inapplicable values are omitted. Times are in seconds. Positions in `status` and `watch` start at 0. The keys of each command are:
        """)
      + ManualText.list(answers.map { ("Ic " + ManualText.argument($0), $1) })
      + [".Pp"] + ManualText.running("In a listing, the key `type` names the kind of entry; the other keys are:")
      + ManualText.list(entries.map { ("Ic " + ManualText.argument($0), $1) })
      + [".Pp"]
      + ManualText.running("In the output of `watch`, the key `event` names the kind of event; the other keys are:")
      + ManualText.list(events.map { ("Ic " + ManualText.argument($0), $1) })
  }

  private static let answers = [
    (
      "status",
      "`phase` (`playing`, `paused` or `stopped`), `song`, `next` (the next track), `elapsed`, `isHeard` (whether `elapsed` is advancing), `queuePosition`, `queueCount`, `queueName` (unless it is the queue `default`), `modes`, `volume`, `speed` (1 for the normal one), `replayGain`, `equalizer` (the profile of the output), `crossfeed` (its level) and `isEqualizerBypassed`, `crossfade`, `crossfadeAlbums`, `crossfadeOnNext`, `sleep`, `source` (the format of the file: `sampleRate`, `channels`, `bits` and `isFloat`), `decoder` (the library that decodes it), `codec` and `bitRate` (in bits per second) where they are known, `chapter` (the title of the chapter that is playing), `chapterNumber` (counted from 1) and `chapterCount`, `loop` (the `start` and the `end` of a passage that is repeated), `output` (`name`, `latency`, and `format` with the same keys as `source`), `isOutputEnabled`, `deviations` (why the output is not bit-perfect; empty if it is), `problem`, `underruns`, `process` (the process ID of the player, or 0 if none is running) and `instant` (the time of the snapshot, in nanoseconds of the monotonic clock)."
    ),
    (
      "song and next",
      "`title`, `artist` (all artists in one string), `artists`, `album`, `track`, `disc`, `seconds` and `path`. The song in `status`, and in the events `status`, `track` and `title`, also has `cover`: the path of its cover, or `false` if it has none. An embedded cover is copied to the cache directory."
    ),
    (
      "mode, and modes elsewhere",
      "`repeat`, `random`, `single`, `consume`, `stopAfter` and `keepPlaying` (`off`, `similar` or a query, after `albums` if whole albums are added)."
    ),
    ("volume", "`volume`, in percent."),
    ("speed", "`speed` (a factor), and `isStream` (true) while a stream is playing, whose speed is its own."),
    (
      "replaygain",
      "`replayGain` (the mode), `gain` (in dB) and `reason` (both only while playing or paused), `preamp`, `fallbackGain` and `clipping`."
    ),
    (
      "info",
      "`type` (`information`), `track` (the keys of a track), `format`, `bytes`, `sortNames`, `musicBrainz`, `replayGain` (`track`, `album`, `trackPeak` and `albumPeak`), `appliedGain` (in words, if the track is playing), `tags` (all of the file, each with a list of values), `rating`, `albumRating` (both 1 to 10), `playCount` and `lastPlayed` (in seconds since 1970; all four only for a track in the library), `elapsed` (where it was left, in seconds), `stickers`, `positions` in the queue, `chapters` (as of `chapter`), `cover` and `lyrics` (each with `path` of a file or the name of a `tag`), and `problems`."
    ),
    (
      "chapter",
      "`type` (`chapters`), `chapter` (the number of the one that is playing, counted from 1) and `chapters`, each with `number`, `start` and `title`."
    ),
    ("loop", "`loop`, as in `status`."),
    ("crossfade", "`crossfade` and `crossfadeOnNext` (0 if off), and `crossfadeAlbums`."),
    (
      "equalizer",
      "`output`, `chosen` (the name of its profile), `isBypassed`, `profiles` (each with `name` and `outputs`), `crossfeeds` (the levels by the names of the outputs) and `shown` (`name`, and `profile` with `preamp`, unless it is automatic, and `filters`)."
    ),
    ("sleep", "`after` (`time`, `chapter`, `track`, `album`, `queue` or `off`) and `sleep` (the time left)."),
    (
      "scan",
      "`phase`, and the numbers `added`, `changed`, `moved`, `gone` (tracks whose files no longer exist), `problems` and `leftOut`. During a scan, `watch` prints `seen` and `total` instead."
    ),
    (
      "gain",
      "`path`, `title`, `artist`, `artists`, `album`, `loudness` (LUFS), `range` (LU), `truePeak` (1 is full scale), `trackGain` (dB), `albumLoudness`, `albumPeak` and `albumGain`."
    ),
    (
      "stats",
      "`plays`, `seconds`, `tracks`, `albums`, `artists`, `newArtists`, `topArtists`, `topAlbums`, `topTracks` and `topGenres` (each with `name`, `artist`, `plays`, `seconds` and `new`), `days`, `longestStreak`, `longestStreakStart`, `longestDay`, `longestDaySeconds`, and the seconds in `hours` of the day, `weekdays` from Monday on, and `months`."
    ),
    (
      "scrobble status",
      "`type` (`scrobbling`), `service` (`listenbrainz` or `lastfm`), `isLoggedIn`, `user`, `waiting`, `waitingForClock` (how many of these are in the future), `problem`, `tokenRefused`, `nextAttempt` and `lastSent` (in seconds since 1970), `sent`, `dropped` and `lastDropped`."
    ),
    (
      "ratings export",
      "`path`, `title`, `artist`, `album`, `seconds`, `start`, `rating`, `albumRating`, `liked`, `plays`, `skips`, `lastPlayed` and `lastSkipped`."
    ),
    (
      "config",
      "`key`, `value` and `origin`, which is `default`, `file` (with the keys `file` and `line`), `environment` (with `variable`) or `option` (with `option`)."
    ),
  ]

  private static let entries = [
    (
      "album",
      "`id`, `title`, `artist`, `artists`, `date`, `compilation`, `tracks`, `seconds`, `added` (in seconds since 1970), and, if they are known, the `rating` (1 to 10; its own, or else the average of its rated tracks), and the `plays`, `skips` and `lastPlayed` (in seconds since 1970)."
    ),
    (
      "track",
      "`id`, `path`, `title`, `artists`, `album`, `albumArtists`, `albumID`, `genres`, `composers`, `track`, `writtenTrack` (the number as the tags write it, if that is not in digits), `disc`, `date`, `compilation`, `seconds`, `sampleRate`, `channels`, `bits`, `added`, and, if they are known, `rating` (1 to 10), `liked`, `plays`, `skips` and `lastPlayed`. A track of a cue sheet also has `start` and `end` (offsets in the file). A track of a playlist has `position` (counted from 1) and `gone` (whether the file is missing), but no `id`, `albumID` or `added`. If a path is not valid UTF-8, `pathBytes` has its bytes in hexadecimal."
    ),
    ("artist and genre", "`name`, `albums` and `tracks`."),
    ("problem", "`path` and `reason`."),
    (
      "item",
      "`position` (counted from 1), `id`, `current`, `gone` (whether the file is missing), `keptPlaying` (whether it was added by `mode keep-playing`), and the keys of a track except `albumID` and `added`."
    ),
    ("list", "`name`, `path` and `tracks`."),
    ("queue", "`name`, `tracks`, `title` (of its current track) and `current` (whether it is in use)."),
    (
      "play",
      "`time` (when it began, in seconds since 1970), `heard` (in seconds), `origin` (what was in the queue), and `path`, `title`, `artists`, `album`, `albumArtists`, `genres`, `seconds` and `start` of the track."
    ),
    ("edit", "`name`, and either `undo` or `redo`: the number of steps that reach the edit (1 or more)."),
    (
      "output",
      "`usage`, `title`, `default` (whether this output is tried first), `preferred` (its number in the list of preferred outputs) and `available` (`false` for an entry of that list for which there is no output)."
    ),
  ]

  private static let events = [
    ("status", "`status`: the whole status, at the start and after missed events."),
    ("track", "`song`, `next`, `queuePosition` and `queueCount`."),
    ("title", "`song`: what the stream that is playing plays now."),
    ("chapter", "`chapter`, `chapterNumber` and `chapterCount`: the chapter that has begun, or was gone to."),
    ("state", "`phase` and `elapsed`."),
    ("end", "No keys of its own: the queue has come to its end."),
    (
      "rating",
      "`count` (the number of tracks or albums that were rated), `song` (the first of them, or a track of the first album), and one of `rating`, `albumRating` (both 0 to 10) and `liked`."
    ),
    ("seek", "`elapsed`."),
    ("queue", "`edit`, `queuePosition`, `queueCount` and `next`."),
    ("modes", "`modes` and `next`."),
    ("volume", "`volume`."),
    ("speed", "`speed`."),
    ("crossfade", "`crossfade`, `crossfadeAlbums` and `crossfadeOnNext`."),
    ("replaygain", "`replayGain`."),
    ("outputs", "`output`, if one is open, and `isOutputEnabled`."),
    ("playlists", "No keys of its own: a playlist was created, changed or deleted."),
    ("scan", "`scan`, with the keys of the command `scan`."),
    ("problem", "`problem`: a description."),
    ("missed", "`count`: the number of events that were dropped because the reader was too slow."),
    ("waiting", "No keys of its own: no player is running, and `watch --reconnect` is waiting for one."),
  ]
}
