import AudioCore
import MusicModel
import Platform
import PlayerFlow

/// All settings, in the order in which they are shown.
package enum SettingsTable {
  /// All settings.
  package static let all: [Setting] = shared + modes + keys + colours

  /// The settings that can be set outside the file, too.
  package static let shared: [Setting] = sound + listening + manner

  /// All settings by name.
  static let byName: [String: Setting] = Dictionary(
    all.map { ($0.name.rawValue, $0) }, uniquingKeysWith: { first, _ in first })

  private static let sound: [Setting] = [
    .shared(.library, .paths, nil, "$XDG_MUSIC_DIR, or ~/Music", "The directory of music, or a list of several."),
    .quiet(
      .ignore, .patterns, nil, "no further names",
      "Names of files and directories to leave out of the library: patterns, in which * stands for anything."),
    .quiet(
      .textEncoding, .choice(["auto"] + LegacyText.Encoding.names), .text("auto"), nil,
      "The encoding of cue sheets and playlists that are neither UTF-8 nor UTF-16; auto looks at each."),
    .quiet(.playlists, .path, nil, "Playlists, in the library", "The directory of saved playlists."),
    .shared(
      .output, .text, nil, "the first that opens",
      "Where the sound goes: DRIVER[:DEVICE], fifo:PATH or silent; see `segue outputs`."),
    .shared(
      .buffer, .whole(50...2000, "milliseconds"), nil, "the driver's",
      "How much sound the device is asked to hold."),
    .shared(
      .rate, .whole(AudioFormat.outputRates, "Hz"), nil, "each file's",
      "The sample rate for all that is played."),
    .shared(
      .depth, .oneOf(SampleDepth.allCases.map(\.rawValue), "bits"), nil, "each file's",
      "The depth for all that is played."),
    .shared(
      .onFormatChange, .choice(EngineSettings.FormatChange.allCases.map(\.rawValue)), .text("reopen"),
      nil, "Where the format changes: reopen the output, or resample."),
    .shared(
      .pauseOnLoss, .flag, .flag(false), nil,
      "Whether to pause when the device goes, instead of going on when it is back."),
    .quiet(
      .onHangup, .choice(["stop", "keep"]), .text("stop"), nil,
      "Where the terminal of a player goes: stop, or keep the music on."),
    .quiet(
      .restore, .flag, .flag(false), nil,
      "Whether `segue serve` resumes playback where the last one was playing when a signal ended it."),
  ]

  private static let listening: [Setting] = [
    .shared(
      .replayGain, .choice(ReplayGainSettings.Mode.allCases.map(\.rawValue)), .text("off"), nil,
      "ReplayGain: none, the track's, the album's, or the album's where an album plays in order."),
    .shared(
      .preamp, .number(ReplayGainTags.gains, "dB"), .number(0), nil,
      "What is added to gains that were measured."),
    .shared(
      .fallbackGain, .number(ReplayGainTags.gains, "dB"), .number(ReplayGainSettings().fallbackGain), nil,
      "The gain of tracks that were not measured."),
    .shared(
      .clipping, .choice(ReplayGainSettings.Clipping.allCases.map(\.rawValue)), .text("peak"), nil,
      "Where a gain would clip: lower it by the peak, limit, or none."),
    .shared(
      .crossfade, .number(0...(Crossfade.limit / .seconds(1)), "seconds"), .number(0), nil,
      "How long tracks fade into each other, but not on an album that plays in order."),
    .shared(
      .crossfadeAlbums, .flag, .flag(false), nil, "Whether to crossfade on albums that play in order, too."),
    .quiet(
      .volumeStep, .whole(1...50, "percent"), .whole(5), nil, "By how much a key changes the volume."),
  ]

  private static let manner: [Setting] = [
    .shared(
      .color, .choice(ColourChoice.allCases.map(\.rawValue)), .text("auto"), nil,
      "Colours: on a terminal, unless $NO_COLOR is there; always; or never."),
    .shared(
      .plain, .flag, .flag(false), nil,
      "Whether terminals get whole lines for a screen reader: no columns, no bars, nothing drawn anew."),
  ]

  private static let modes: [Setting] = [
    .filed(
      .repeatMode, .choice(QueueModes.Repeat.allCases.map(\.rawValue)), .text("off"),
      "What is repeated, in a state directory that has no queue yet."),
    .filed(
      .randomMode, .choice(QueueModes.Random.allCases.map(\.rawValue)), .text("off"),
      "What is in random order there."),
    .filed(
      .singleMode, .choice(QueueModes.Single.allCases.map(\.rawValue)), .text("off"),
      "Whether to wait behind a track there."),
    .filed(.consumeMode, .flag, .flag(false), "Whether what was played leaves the queue there."),
  ]

  private static let keys: [Setting] = KeyAction.allCases.map { action in
    .filed(action.setting, .keys, .list(action.standardKeys), action.help)
  }

  private static let colours: [Setting] = Palette.Role.allCases.map { role in
    .filed(role.setting, .style, .text(role.standard), role.help)
  }
}
