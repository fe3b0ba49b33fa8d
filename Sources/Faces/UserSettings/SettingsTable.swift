// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import MusicModel
import Platform
import PlayerFlow
import Tagging

/// The definitions of all settings.
package enum SettingsTable {
  /// All settings, in the order in which they are listed.
  package static let all: [Setting] = shared + modes + keys + columns + hooks + scrobbling + colours

  /// The settings that can also be set outside of the file.
  package static let shared: [Setting] = sound + listening + outputStyle

  /// The settings by their names in the file.
  package static let byName: [String: Setting] = Dictionary(
    all.map { ($0.name.rawValue, $0) }, uniquingKeysWith: { first, _ in first })

  private static let sound: [Setting] = [
    .shared(.library, .paths, nil, "$XDG_MUSIC_DIR, or ~/Music", "Music directory, or a list of several."),
    .withoutOption(
      .ignore, .patterns, nil, "only the built-in patterns",
      "Patterns for names of files and directories to ignore, besides the built-in ones; * matches any text."),
    .withoutOption(
      .textEncoding, .choice(["auto"] + LegacyText.Encoding.names), .text("auto"), nil,
      "Encoding of text that is not Unicode, in tags, cue sheets, playlists and lyrics; `auto` detects it."),
    .withoutOption(
      .dates, .choice(DateChoice.allCases.map(\.rawValue)), .text("original"), nil,
      "Date to show and sort albums by: `original`, of the first release, or `release`, of this edition; then `scan --again`."
    ),
    .withoutOption(.playlists, .path, nil, "Playlists in the library", "Directory for playlists."),
    .shared(
      .output, .text, nil, "the first available",
      "Output: pulse[:SINK], alsa-exclusive:DEVICE, DRIVER[:DEVICE], fifo:PATH or silent; see `segue outputs`."),
    .fileOnly(
      .outputs, .outputs, nil, words: "none",
      "Preferred outputs, the best first, to use the first that is plugged in; see `segue help outputs prefer`."),
    .shared(
      .buffer, .integer(50...4000, "milliseconds"), nil, "the driver's default",
      "Size of the output buffer. Larger buffers use less power, but delay pause and skip (except with `pulse` and `alsa-exclusive`)."
    ),
    .shared(
      .tap, .text, nil, "none",
      "FIFO to which what plays is also written, for visualisers: signed 16-bit stereo, 44.1 kHz."),
    .shared(
      .rate, .integer(AudioFormat.outputRates, "Hz"), nil, "same as the file",
      "Output sample rate."),
    .shared(
      .depth, .oneOf(SampleDepth.allCases.map(\.rawValue), "bits"), nil, "same as the file",
      "Output bit depth."),
    .shared(
      .onFormatChange, .choice(EngineSettings.FormatChange.allCases.map(\.rawValue)), .text("reopen"),
      nil, "What to do when the format changes: `reopen` the output, or `resample`."),
    .shared(
      .pauseOnLoss, .flag, .flag(false), nil,
      "Whether to pause when the output device is lost, instead of resuming when it is back."),
    .withoutOption(
      .onHangup, .choice(["stop", "keep"]), .text("stop"), nil,
      "What a player does when its terminal closes: `stop`, or `keep` playing."),
    .withoutOption(
      .restore, .flag, .flag(false), nil,
      "Whether `segue serve` resumes playback if it was playing when it was last ended by a signal."),
    .withoutOption(
      .history, .flag, .flag(true), nil, "Whether every play is added to the play log; see `segue history`."),
    .withoutOption(
      .keepPlayingHours, .integer(0...8_760, "hours"), .integer(48), nil,
      "The time within which `mode keep-playing` does not add the same track again, if there are others."),
    .withoutOption(
      .resumeLongerThan, .number(0...1_440, "minutes"), .number(20), nil,
      "The length from which on tracks resume where they were left, as audiobooks do; 0 for none."),
    .withoutOption(
      .resume, .text, nil, "nothing", "A query for other tracks that resume where they were left."),
    .withoutOption(
      .rememberSpeed, .flag, .flag(false), nil,
      "Whether each track that resumes where it was left has a speed of its own, which is remembered."),
    .withoutOption(
      .unconfinedStreams, .flag, .flag(false), nil,
      "Whether to play streams on a system that cannot confine their decoder (on Linux, without seccomp or Landlock)."),
  ]

  private static let listening: [Setting] = [
    .shared(
      .replayGain, .choice(ReplayGainSettings.Mode.allCases.map(\.rawValue)), .text("off"), nil,
      "ReplayGain mode: `off`, `track`, `album`, or `auto` (`album` while an album plays in order)."),
    .shared(
      .preamp, .number(ReplayGainTags.gains, "dB"), .number(0), nil,
      "Preamp gain, added to the measured gain."),
    .shared(
      .fallbackGain, .number(ReplayGainTags.gains, "dB"), .number(ReplayGainSettings().fallbackGain), nil,
      "Gain for tracks without ReplayGain values."),
    .shared(
      .clipping, .choice(ReplayGainSettings.Clipping.allCases.map(\.rawValue)), .text("peak"), nil,
      "How to prevent clipping: `peak` (lower the gain), `limiter`, or `none`."),
    .shared(
      .crossfade, .number(0...(Crossfade.limit / .seconds(1)), "seconds"), .number(0), nil,
      "Length of the crossfade between tracks, except within albums that play in order."),
    .shared(
      .crossfadeAlbums, .flag, .flag(false), nil,
      "Whether to also crossfade between tracks of an album that plays in order."),
    .shared(
      .crossfadeOnNext, .number(0...(Crossfade.limit / .seconds(1)), "seconds"), .number(0), nil,
      "Length of the crossfade when you go to the next track."),
    .withoutOption(
      .skipSilence, .flag, .flag(false), nil,
      "Whether silence at the beginning and end of tracks is skipped, except within albums that play in order; run `segue gain --all` first."
    ),
    .withoutOption(
      .silenceThreshold, .number(MeasuredSound.thresholds, "dB"), .number(SilenceSkipping().threshold), nil,
      "The level below which sound counts as silence; run `segue gain --all` after changing it."),
    .withoutOption(
      .silenceShortest, .number(0...60, "seconds"), .number(SilenceSkipping().shortest / .seconds(1)), nil,
      "The length of the shortest silence that is skipped."),
    .withoutOption(
      .silenceGap, .number(0...10, "seconds"), .number(SilenceSkipping().gap / .seconds(1)), nil,
      "How much silence remains where some is skipped."),
    .withoutOption(
      .measureLoudness, .flag, .flag(false), nil,
      "Whether the loudness of tracks that have no ReplayGain values is measured while they play for the first time."),
    .withoutOption(
      .volumeStep, .integer(1...50, "percent"), .integer(5), nil, "Volume change per key press."),
  ]

  private static let outputStyle: [Setting] = [
    .shared(
      .color, .choice(ColourChoice.allCases.map(\.rawValue)), .text("auto"), nil,
      "When to use colours: `auto` (on terminals, unless $NO_COLOR is set), `always`, or `never`."),
    .shared(
      .plain, .flag, .flag(false), nil,
      "Whether to print plain lines for screen readers on terminals: no columns, bars or redrawing."),
    .shared(
      .inline, .flag, .flag(false), nil,
      "Whether the screen takes a few lines below the prompt, and not the whole terminal."),
    .withoutOption(
      .theme, .choice(["auto"] + Theme.allCases.map(\.rawValue)), .text("auto"), nil,
      "Colours of the full screen: `auto`, `dark`, `light`, high `contrast`, of the `terminal`, or of the `cover`."),
    .withoutOption(
      .spectrum, .choice(SpectrumStyle.allCases.map(\.rawValue)), .text("bars"), nil,
      "How the full screen draws the spectrum: in `bars`, or in the dots of `braille`."),
    .withoutOption(
      .playingSide, .choice(["last"] + PlayingSide.allCases.map(\.rawValue)), .text("last"), nil,
      "What is shown beside the cover: what was shown `last`, or always one of the others at first."),
    .withoutOption(
      .coverSize, .integer(20...80, "percent"), .integer(60), nil,
      "How much of the height of the full screen the cover takes, where there is room."),
  ]

  private static let modes: [Setting] = [
    .fileOnly(
      .repeatMode, .choice(QueueModes.Repeat.allCases.map(\.rawValue)), .text("off"),
      "Repeat mode of a new queue."),
    .fileOnly(
      .randomMode, .choice(QueueModes.Random.allCases.map(\.rawValue)), .text("off"),
      "Random mode of a new queue."),
    .fileOnly(
      .singleMode, .choice(QueueModes.Single.allCases.map(\.rawValue)), .text("off"),
      "Single mode of a new queue."),
    .fileOnly(.consumeMode, .flag, .flag(false), "Consume mode of a new queue."),
  ]

  private static let hooks: [Setting] = [
    .fileOnly(.trackHook, .program, nil, words: "none", "Program to run when a track starts; see `segue help hooks`."),
    .fileOnly(.stateHook, .program, nil, words: "none", "Program to run when playback starts, pauses or stops."),
    .fileOnly(.endHook, .program, nil, words: "none", "Program to run after the end of the queue."),
    .fileOnly(.ratingHook, .program, nil, words: "none", "Program to run when tracks are rated or liked."),
  ]

  private static let scrobbling: [Setting] = [
    .fileOnly(
      .scrobbleListenBrainz, .text, .text("https://api.listenbrainz.org"),
      "Server that speaks the protocol of ListenBrainz, such as Maloja; see `segue help scrobbling`."),
    .fileOnly(
      .scrobbleLastFM, .text, .text("https://ws.audioscrobbler.com/2.0/"),
      "Server that speaks the protocol of Last.fm, such as Libre.fm."),
    .fileOnly(
      .scrobbleTokenCommand, .program, nil, words: "none",
      "Program that prints the token for ListenBrainz, instead of `segue scrobble login`."),
    .fileOnly(.scrobbleLoves, .flag, .flag(false), "Whether to send likes as loves."),
    .fileOnly(
      .scrobbleLovedRating, .number(0.5...5, "stars"), nil, words: "none",
      "Rating from which on tracks are loved, too, with `scrobble.loves`."),
  ]

  private static let keys: [Setting] = [
    .fileOnly(
      .keyPreset, .choice(KeyPreset.allCases.map(\.rawValue)), .text("segue"),
      "Keys of the full screen: Segue's own, or those of another player; also `keys = \"NAME\"` without a table.")
  ]

  private static let columns: [Setting] =
    [
      (.queueColumns, "the queue"), (.albumsColumns, "the albums"), (.albumColumns, "the tracks of an album"),
      (.songsColumns, "the songs"), (.playlistColumns, "the tracks of a playlist"), (.directoryColumns, "a directory"),
      (.searchColumns, "the results of a search"),
    ].map { name, list in
      .fileOnly(
        name, .columns, .text(ListColumn.defaults[name.path[1]] ?? ""),
        "Columns of \(list) on the full screen, with the cells (`:`) or the share (`*`) of each; by default, fewer if there is little room."
      )
    }

  private static let colours: [Setting] = Palette.Role.allCases.map { role in
    .fileOnly(role.setting, .style, .text(role.defaultStyle), role.help)
  }
}
