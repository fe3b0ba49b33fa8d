extension ManualParts {
  /// What `--json` prints.
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
