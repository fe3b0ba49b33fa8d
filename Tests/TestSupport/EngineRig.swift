public import AudioCore
public import PlaybackEngine
import SystemPackage

/// An engine between scripted decoders and collecting outputs, whose events are kept.
public final class EngineRig: Sendable {
  /// The engine.
  public let engine: PlaybackEngine
  /// Where its sound goes.
  public let outputs: CollectingOutputs
  /// What it decodes.
  public let decoders: ScriptedDecoders
  /// What it has reported.
  public let log = Watched<[EngineEvent]>([])

  /// An engine that plays `scripts`, which are the sources 1, 2, ...
  ///
  /// It is told what follows each source: the next one by number, or nothing behind the last, unless `follows` is `false`.
  public init(
    _ scripts: [DecodingScript], outputs: CollectingOutputs = CollectingOutputs(), follows: Bool = true,
    settings: EngineSettings = EngineSettings(),
    resamplers: @escaping ResamplerFactory = { _, _, _ in nil }
  ) throws {
    let decoders = ScriptedDecoders(scripts)
    self.decoders = decoders
    self.outputs = outputs
    engine = try PlaybackEngine(
      settings: settings, decoders: { path throws(DecodingError) in try decoders.open(path) },
      resamplers: resamplers, outputs: { format throws(OutputError) in try outputs.open(format) })
    engine.onEvent { [log, weak engine] event, _ in
      log.change { $0.append(event) }
      guard follows, case .needsNext(let id) = event else { return }
      engine?.follow(id, with: id.rawValue < scripts.count ? Self.source(Int(id.rawValue) + 1) : nil)
    }
  }

  deinit {
    outputs.grant()
    _ = engine.shutDown(within: 20_000)
  }

  /// Source `number`, from 1.
  public static func source(_ number: Int) -> PlaybackSource {
    PlaybackSource(id: .init(rawValue: UInt64(number)), path: FilePath("\(number)"))
  }

  /// The events so far.
  public var events: [EngineEvent] { log.value }

  /// Blocks until an event is `event`, for the `count`-th time.
  public func await(_ event: EngineEvent, count: Int = 1) -> Bool {
    log.wait { $0.count { $0 == event } >= count }
  }

  /// Blocks until `isReached` holds for what was reported.
  public func await(_ isReached: ([EngineEvent]) -> Bool) -> Bool { log.wait(until: isReached) }

  /// Pauses while a write is blocked, and blocks until what comes behind it has been faded out over `fade` frames and
  /// the position was told.
  public func pauseAndWait(fade: Int = 353) -> Bool {
    let before = events.count
    let end = outputs.frameCountAfterWrite + fade
    engine.pause()
    guard log.wait(until: { $0.dropFirst(before).contains(.changed(.paused)) }) else { return false }
    outputs.grant()
    return outputs.awaitFrames(end)
      && log.wait { events in
        guard let paused = events.dropFirst(before).firstIndex(of: .changed(.paused)) else { return false }
        return events[paused...].contains { if case .position = $0 { true } else { false } }
      }
  }
}
