import ArgumentParser
import AudioCore
import MusicModel
import Platform
import PlayerFlow
import Screens
import SystemPackage
import Tagging
import UserSettings

/// What a player works with: where the music is, where the sound goes and how, and where the queue is kept.
///
/// One group: a program that starts searches all conformances of its types four times for each. The names are written
/// out: they would be derived from the properties' seven times at each start.
struct PlayerOptions: ParsableArguments {
  @Option(name: .customLong("library"), help: .library)
  var library: [String] = []

  @Option(name: .customLong("state-dir"), help: .stateDirectory)
  var stateDir: String?

  @Option(name: .customLong("data-dir"), help: .dataDirectory)
  var dataDir: String?

  @Option(name: .customLong("socket"), help: .socket)
  var socket: String?

  // What is chosen when the player starts.

  @Option(
    name: .customLong("output"),
    help:
      "Where the sound goes: DRIVER[:DEVICE], wav:FILE, au:FILE, raw:FILE, fifo:PATH or silent. Default: the first that opens."
  )
  var output: String?

  @Option(
    name: .customLong("buffer"),
    help: ArgumentHelp(
      "How many milliseconds the device holds: 50 to 2000. Commands are heard after it.", valueName: "ms"))
  var buffer: Int?

  @Option(
    name: .customLong("rate"), help: ArgumentHelp("The sample rate for all that is played.", valueName: "hz"))
  var rate: Int?

  @Option(
    name: .customLong("depth"),
    help: ArgumentHelp("The depth for all that is played: 16, 24 or 32.", valueName: "bits"))
  var depth: Int?

  @Option(
    name: .customLong("on-format-change"),
    help: ArgumentHelp(
      "Where the sample rate or the channels change: reopen the output, and change no sample (the default), or resample.",
      valueName: "reopen|resample"))
  var onFormatChange: String?

  @Flag(
    name: .customLong("pause-on-loss"), inversion: .prefixedNo,
    help: "Pause when the device goes, instead of going on when it is back.")
  var pauseOnLoss: Bool?

  // What can be changed while it plays.

  @Option(
    name: .customLong("volume"), parsing: .unconditional,
    help: ArgumentHelp("How loud, from 0 to 100.", valueName: "percent"))
  var volume: Int?

  @Option(
    name: .customLong("replay-gain"),
    help: ArgumentHelp(
      "ReplayGain: off, track, album, or auto (album where an album plays in order).", valueName: "mode"))
  var replayGain: String?

  @Option(
    name: .customLong("preamp"), parsing: .unconditional,
    help: ArgumentHelp("What is added to gains that were measured.", valueName: "db"))
  var preamp: Double?

  @Option(
    name: .customLong("fallback-gain"), parsing: .unconditional,
    help: ArgumentHelp("The gain of tracks that were not measured: -6.", valueName: "db"))
  var fallbackGain: Double?

  @Option(
    name: .customLong("clipping"),
    help: ArgumentHelp(
      "Where a gain would clip: lower it by the peak, limit, or none.", valueName: "peak|limiter|none"))
  var clipping: String?

  @Option(
    name: .customLong("crossfade"), parsing: .unconditional,
    help: ArgumentHelp(
      "How long tracks fade into each other, but not on an album that plays in order.", valueName: "seconds"))
  var crossfade: Double?

  @Flag(
    name: .customLong("crossfade-albums"), inversion: .prefixedNo,
    help: "Crossfade on albums that play in order, too.")
  var crossfadeAlbums: Bool?

  @Option(
    name: .customLong("sleep"),
    help: ArgumentHelp("Fade out and stop after this long: 45m, 1h30m.", valueName: "time"))
  var sleep: String?

  @Option(
    name: .customLong("sleep-after"),
    help: ArgumentHelp("Stop when this has ended.", valueName: "track|album|queue"))
  var sleepAfter: String?

  // How it writes: those of ``MannerOptions``, which as a group within this one make a player of a debug build take a
  // quarter more instructions to start.

  @Option(name: .customLong("color"), help: .color)
  var color: String?

  @Flag(name: .customLong("plain"), inversion: .prefixedNo, help: .plain)
  var plain: Bool?

  @Flag(name: .customLong("quiet"), inversion: .prefixedNo, help: .quiet)
  var quiet: Bool?

  @Flag(name: .customLong("verbose"), inversion: .prefixedNo, help: .verbose)
  var verbose: Bool?

  /// The directory of music that is named here, or else the session's.
  func library(in session: Session) -> LibraryRoots {
    LibraryRoots(library.map { FilePath(typed: $0) }) ?? session.library
  }

  /// The directory of the index that is named here, or else the session's.
  func dataDirectory(in session: Session) -> FilePath {
    dataDir.map { FilePath(typed: $0) } ?? session.dataDirectory
  }

  /// The directory of the queue that is named here, or else the session's.
  func stateDirectory(in session: Session) -> FilePath {
    stateDir.map { FilePath(typed: $0) } ?? session.stateDirectory
  }
}

extension PlayerOptions {
  /// The player that these options ask for.
  ///
  /// - Throws: `CommandError` where a value is out of its range; so do the others.
  func request(in session: Session) throws(CommandError) -> PlayerRequest {
    try checkRanges()
    var engine = EngineSettings()
    engine.pausesOnLoss = pauseOnLoss == true
    engine.formatChange = onFormatChange.flatMap(EngineSettings.FormatChange.init(rawValue:)) ?? .reopen
    engine.sampleRate = rate
    engine.depth = depth.flatMap(SampleDepth.init(rawValue:))
    return PlayerRequest(
      output: output, buffer: buffer.map { .milliseconds($0) }, engine: engine,
      dataDirectory: dataDirectory(in: session))
  }

  /// Whether this asks for a file to be rendered, which no player that runs does.
  func rendersFile(_ services: Services) -> Bool { output.map(services.player.rendersFile) ?? false }

  /// Sees to it that of what is chosen when a player starts, nothing is asked for but what the player of `session`
  /// does.
  func checkThatItPlays(in session: Session) throws(CommandError) {
    let chosen = session.playerOptions
    let output = chosen?.output ?? session.services.playback.state.output?.name
    let others: [(name: String, isOther: Bool)] = [
      ("--output", self.output != nil && self.output != output),
      ("--buffer", buffer != nil && buffer != chosen?.buffer),
      ("--rate", rate != nil && rate != chosen?.rate), ("--depth", depth != nil && depth != chosen?.depth),
      ("--on-format-change", onFormatChange != nil && onFormatChange != chosen?.onFormatChange ?? "reopen"),
      ("--pause-on-loss", pauseOnLoss != nil && pauseOnLoss != chosen?.pauseOnLoss ?? false),
    ]
    guard let other = others.first(where: \.isOther) else { return }
    let way =
      if case .remote = session.face {
        "the player that runs plays this without it, and one with --state-dir DIR plays beside that"
      } else { "segue repl \(other.name) ..." }
    throw CommandError(.usage, "\(other.name) is chosen when a player starts: \(way)")
  }

  /// Says by `actions` what is asked for and can be changed while a player plays `state`; what is not mentioned stays.
  func apply(to actions: PlayerActionCreator, _ state: PlaybackState) throws(CommandError) {
    let changes = try ListeningChanges(self, state)
    if let volume = changes.volume { actions.setVolume(volume) }
    if let replayGain = changes.replayGain { actions.setReplayGain(replayGain) }
    if let crossfade = changes.crossfade { actions.setCrossfade(crossfade) }
    if let sleep = changes.sleep { actions.sleep(sleep) }
  }
}

extension PlayerOptions {
  /// The settings that the options set.
  var given: [SettingName: SettingValue] {
    let all: [(SettingName, SettingValue?)] = [
      (.library, library.isEmpty ? nil : .paths(library)), (.output, output.map { .text($0) }),
      (.buffer, buffer.map { .whole($0) }), (.rate, rate.map { .whole($0) }),
      (.depth, depth.map { .whole($0) }), (.onFormatChange, onFormatChange.map { .text($0) }),
      (.pauseOnLoss, pauseOnLoss.map { .flag($0) }), (.replayGain, replayGain.map { .text($0) }),
      (.preamp, preamp.map { .number($0) }), (.fallbackGain, fallbackGain.map { .number($0) }),
      (.clipping, clipping.map { .text($0) }), (.crossfade, crossfade.map { .number($0) }),
      (.crossfadeAlbums, crossfadeAlbums.map { .flag($0) }), (.color, color.map { .text($0) }),
      (.plain, plain.map { .flag($0) }),
    ]
    return Dictionary(
      all.compactMap { name, value in value.map { (name, $0) } }, uniquingKeysWith: { first, _ in first })
  }

  /// These options, and for a player that starts, what `settings` say of those that are not given.
  func filled(from settings: Settings) -> PlayerOptions {
    let settings = settings.choosing(given)
    var filled = self
    filled.output = settings.word(.output)
    filled.buffer = settings.whole(.buffer)
    filled.rate = settings.whole(.rate)
    filled.depth = settings.whole(.depth)
    filled.onFormatChange = settings.word(.onFormatChange)
    filled.pauseOnLoss = settings.flag(.pauseOnLoss)
    filled.replayGain = settings.word(.replayGain)
    filled.preamp = settings.number(.preamp)
    filled.fallbackGain = settings.number(.fallbackGain)
    filled.clipping = settings.word(.clipping)
    filled.crossfade = settings.number(.crossfade)
    filled.crossfadeAlbums = settings.flag(.crossfadeAlbums)
    // The option alone would be a mistake, the setting is none.
    if filled.crossfade == nil, crossfadeAlbums == nil { filled.crossfadeAlbums = nil }
    return filled
  }

  /// Sees to it that each value that was given is in its range.
  ///
  /// - Throws: `CommandError` where one is not.
  func checkRanges() throws(CommandError) {
    let given = given
    guard !given.isEmpty else { return }
    for setting in SettingsTable.shared {
      guard let option = setting.option, let value = given[setting.name] else { continue }
      // Who takes them says what is wrong with paths and texts.
      guard [.path, .paths, .text].contains(setting.kind) || setting.kind.value(SettingsTree(value)) != nil
      else {
        throw .outOfRange(option, value.text, setting.kind.expectation)
      }
    }
  }
}
