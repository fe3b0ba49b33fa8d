// SPDX-License-Identifier: GPL-3.0-or-later

import ArgumentParser
import AudioCore
import MusicModel
import Platform
import PlayerFlow
import PlayerPort
import Screens
import SystemPackage
import TOMLFiles
import Tagging
import UserSettings

/// The options of a player: the music directories, the output, the playback settings, and the directory of the queue.
///
/// They are in one group because at start-up all conformances of each option group's types are searched four times. The
/// names are written out because deriving them from the properties would be done seven times at each start.
struct PlayerOptions: ParsableArguments {
  @Option(name: .customLong("library"), help: .library)
  var library: [String] = []

  @Option(name: .customLong("state-dir"), help: .stateDirectory)
  var stateDir: String?

  @Option(name: .customLong("data-dir"), help: .dataDirectory)
  var dataDir: String?

  @Option(name: .customLong("socket"), help: .socket)
  var socket: String?

  // These are fixed when the player starts.

  @Option(
    name: .customLong("output"),
    help:
      "Audio output: pulse[:SINK], alsa-exclusive:DEVICE, DRIVER[:DEVICE], wav:FILE, au:FILE, raw:FILE, fifo:PATH or silent. Default: the first that opens."
  )
  var output: String?

  @Option(
    name: .customLong("buffer"),
    help: ArgumentHelp(
      "Device buffer in ms, 50 to 4000. Larger buffers use less power, but delay pause and skip (except with pulse and alsa-exclusive).",
      valueName: "ms"))
  var buffer: Int?

  @Option(
    name: .customLong("tap"),
    help: ArgumentHelp(
      "FIFO to which what plays is also written, for visualisers: signed 16-bit stereo, 44.1 kHz. Created if missing.",
      valueName: "fifo"))
  var tap: String?

  @Option(
    name: .customLong("rate"),
    help: ArgumentHelp("Output sample rate in Hz. Default: same as each source file.", valueName: "hz"))
  var rate: Int?

  @Option(
    name: .customLong("depth"),
    help: ArgumentHelp("Output bit depth: 16, 24 or 32. Default: same as each source file.", valueName: "bits"))
  var depth: Int?

  @Option(
    name: .customLong("on-format-change"),
    help: ArgumentHelp(
      "What to do when the sample rate or channel count changes: reopen the output, which leaves the samples unchanged (default), or resample.",
      valueName: "reopen|resample"))
  var onFormatChange: String?

  @Flag(
    name: .customLong("pause-on-loss"), inversion: .prefixedNo,
    help: "Pause when the output device is lost, instead of resuming when it is back.")
  var pauseOnLoss: Bool?

  // These can be changed during playback.

  @Option(
    name: .customLong("volume"), parsing: .unconditional,
    help: ArgumentHelp("Volume, 0 to 100.", valueName: "percent"))
  var volume: Int?

  @Option(
    name: .customLong("replay-gain"),
    help: ArgumentHelp(
      "ReplayGain mode: off, track, album, or auto (album while an album plays in order).", valueName: "mode"))
  var replayGain: String?

  @Option(
    name: .customLong("preamp"), parsing: .unconditional,
    help: ArgumentHelp("Gain added to measured ReplayGain values, in dB.", valueName: "db"))
  var preamp: Double?

  @Option(
    name: .customLong("fallback-gain"), parsing: .unconditional,
    help: ArgumentHelp("Gain for tracks without ReplayGain values, in dB. Default: -6.", valueName: "db"))
  var fallbackGain: Double?

  @Option(
    name: .customLong("clipping"),
    help: ArgumentHelp(
      "Clipping prevention: peak (lower the gain), limiter, or none.", valueName: "peak|limiter|none"))
  var clipping: String?

  @Option(
    name: .customLong("crossfade"), parsing: .unconditional,
    help: ArgumentHelp(
      "Crossfade between tracks, except within albums that play in order: 0 to 30 seconds.", valueName: "seconds"))
  var crossfade: Double?

  @Flag(
    name: .customLong("crossfade-albums"), inversion: .prefixedNo,
    help: "Also crossfade between tracks of an album that plays in order.")
  var crossfadeAlbums: Bool?

  @Option(
    name: .customLong("crossfade-on-next"), parsing: .unconditional,
    help: ArgumentHelp("Crossfade when you go to the next track: 0 to 30 seconds.", valueName: "seconds"))
  var crossfadeOnNext: Double?

  @Option(
    name: .customLong("sleep"),
    help: ArgumentHelp("Fade out and stop after this time: 45m, 1h30m.", valueName: "time"))
  var sleep: String?

  @Option(
    name: .customLong("sleep-after"),
    help: ArgumentHelp("Stop at the end of the current chapter, track, album or queue.", valueName: "unit"))
  var sleepAfter: String?

  // The options of ``OutputStyleOptions``. If that group were nested in this one, a player in a debug build would need
  // a quarter more instructions to start.

  @Option(name: .customLong("color"), help: .color)
  var color: String?

  @Flag(name: .customLong("plain"), inversion: .prefixedNo, help: .plain)
  var plain: Bool?

  @Flag(name: .customLong("inline"), inversion: .prefixedNo, help: .inline)
  var inline: Bool?

  @Flag(name: .customLong("quiet"), inversion: .prefixedNo, help: .quiet)
  var quiet: Bool?

  @Flag(name: .customLong("verbose"), inversion: .prefixedNo, help: .verbose)
  var verbose: Bool?

  /// Returns the request for the library that the options name, or otherwise for that of the session.
  func libraryRequest(in session: Session) -> LibraryRequest { session.libraryRequest(library, dataDir: dataDir) }

  /// Returns the library that the options name in place of the player's; `nil` if they name none.
  func libraryChoice(in session: Session) -> LibraryChoice? {
    LibraryChoice(
      roots: session.typedLibrary ?? LibraryRoots(library.map { FilePath(typed: $0) }),
      dataDirectory: dataDir.map { FilePath(typed: $0) })
  }

  /// Returns the state directory given by the option, or otherwise that of the session.
  func stateDirectory(in session: Session) -> FilePath {
    stateDir.map { FilePath(typed: $0) } ?? session.stateDirectory
  }
}

extension PlayerOptions {
  /// Returns the request for a player with these options.
  ///
  /// - Throws: `PlayerError` if a value is out of range.
  func request(in session: Session) throws(PlayerError) -> PlayerConfiguration {
    try checkRanges()
    var engine = EngineSettings()
    engine.pausesOnLoss = pauseOnLoss == true
    engine.formatChange = onFormatChange.flatMap(EngineSettings.FormatChange.init(rawValue:)) ?? .reopen
    engine.sampleRate = rate
    engine.depth = depth.flatMap(SampleDepth.init(rawValue:))
    var request = PlayerConfiguration(
      output: output, buffer: buffer.map { .milliseconds($0) }, tap: tap.map { FilePath(typed: $0) }, engine: engine,
      dataDirectory: libraryRequest(in: session).dataDirectory,
      allowsUnconfinedStreams: session.settings.allowsUnconfinedStreams)
    request.skipping = session.settings.silenceSkipping
    return request
  }

  /// Returns whether the output writes to a file or standard output. Such an output always needs a player of its own,
  /// not the running one.
  func rendersFile(_ services: Services) -> Bool { output.map(services.player.rendersFile) ?? false }

  /// The options that only take effect when a player starts, with their values.
  var fixed: [PlaybackOptions.Fixed] {
    let all: [(String, String?)] = [
      ("--output", output), ("--buffer", buffer.map { "\($0)" }), ("--tap", tap), ("--rate", rate.map { "\($0)" }),
      ("--depth", depth.map { "\($0)" }), ("--on-format-change", onFormatChange),
      ("--pause-on-loss", pauseOnLoss.map { "\($0)" }),
    ]
    return all.compactMap { name, value in value.map { PlaybackOptions.Fixed(name: name, value: $0) } }
  }

  /// Calls `send` with the running player, and with what these options change there. If no player is running, or if the
  /// options require one of their own, calls `start` instead.
  func withRunningPlayer(
    in session: Session, _ send: (any PlayerPort, PlaybackOptions) throws -> Void, orElse start: () throws -> Void
  ) throws {
    if rendersFile(session.services) { return try start() }
    let own = session.ownsPlayer ? session.player : nil
    let attached = socket == nil && stateDir == nil ? session.player : nil
    let target = PlayerTarget(socket: socket, stateDir: stateDir, needsRunningPlayer: false)
    var changes = try PlaybackOptions(self)
    changes.fixed = fixed
    changes.fixedAdvice =
      own == nil
      ? "leave it out to use the running player, or add --state-dir DIR to start a second one"
      : "use `segue repl \(fixed.first?.name ?? "") ...`"
    changes.waitsForStart = own == nil
    try session.retryingWhenOwned {
      guard let player = try own ?? attached ?? session.runningPlayer(target) else { return try start() }
      try send(player, changes)
    }
  }
}

extension PlayerOptions {
  /// The values of the settings whose options are given.
  var given: [SettingName: SettingValue] {
    let all: [(SettingName, SettingValue?)] = [
      (.library, library.isEmpty ? nil : .paths(library)), (.output, output.map { .text($0) }),
      (.buffer, buffer.map { .integer($0) }), (.tap, tap.map { .text($0) }), (.rate, rate.map { .integer($0) }),
      (.depth, depth.map { .integer($0) }), (.onFormatChange, onFormatChange.map { .text($0) }),
      (.pauseOnLoss, pauseOnLoss.map { .flag($0) }), (.replayGain, replayGain.map { .text($0) }),
      (.preamp, preamp.map { .number($0) }), (.fallbackGain, fallbackGain.map { .number($0) }),
      (.clipping, clipping.map { .text($0) }), (.crossfade, crossfade.map { .number($0) }),
      (.crossfadeAlbums, crossfadeAlbums.map { .flag($0) }), (.crossfadeOnNext, crossfadeOnNext.map { .number($0) }),
      (.color, color.map { .text($0) }),
      (.plain, plain.map { .flag($0) }), (.inline, inline.map { .flag($0) }),
    ]
    return Dictionary(
      all.compactMap { name, value in value.map { (name, $0) } }, uniquingKeysWith: { first, _ in first })
  }

  /// Returns these options with missing ones taken from `settings`, for a player that is being started.
  func filled(from settings: Settings) -> PlayerOptions {
    let settings = settings.overriding(with: given)
    var filled = self
    filled.output = settings.word(.output)
    filled.buffer = settings.integer(.buffer)
    filled.tap = settings.word(.tap)
    filled.rate = settings.integer(.rate)
    filled.depth = settings.integer(.depth)
    filled.onFormatChange = settings.word(.onFormatChange)
    filled.pauseOnLoss = settings.flag(.pauseOnLoss)
    filled.replayGain = settings.word(.replayGain)
    filled.preamp = settings.number(.preamp)
    filled.fallbackGain = settings.number(.fallbackGain)
    filled.clipping = settings.word(.clipping)
    filled.crossfade = settings.number(.crossfade)
    filled.crossfadeAlbums = settings.flag(.crossfadeAlbums)
    filled.crossfadeOnNext = settings.number(.crossfadeOnNext)
    // As an option without `--crossfade`, it is an error; as a setting, it has no effect.
    if filled.crossfade == nil, crossfadeAlbums == nil { filled.crossfadeAlbums = nil }
    return filled
  }

  /// Checks that all given values are in range.
  ///
  /// - Throws: `PlayerError` if one is not.
  func checkRanges() throws(PlayerError) {
    let given = given
    guard !given.isEmpty else { return }
    for setting in SettingsTable.shared {
      guard let option = setting.option, let value = given[setting.name] else { continue }
      // Paths and text are checked where they are used.
      guard [.path, .paths, .text].contains(setting.kind) || setting.kind.value(TOMLValue(value)) != nil
      else {
        throw .outOfRange(option, value.text, setting.kind.expectation)
      }
    }
  }
}
