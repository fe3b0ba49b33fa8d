// SPDX-License-Identifier: GPL-3.0-or-later

public import AudioCore
public import PlaybackEngine
import SystemPackage

/// An engine between scripted decoders and collecting outputs, with a log of its events.
///
/// Time passes only while the test waits for something and all threads of the engine sleep.
public final class EngineRig: Sendable {
  /// The engine.
  public let engine: PlaybackEngine
  /// The outputs.
  public let outputs: CollectingOutputs
  /// The decoders.
  public let decoders: ScriptedDecoders
  /// The clock.
  public let clock = ManualClock()
  /// The events so far.
  public let log = Watched<[EngineEvent]>([])

  /// Creates an engine that plays `scripts`, which are the sources 1, 2, ...
  ///
  /// The next track after each source is set: the next one by number, or none after the last, unless `follows` is
  /// `false`.
  public init(
    _ scripts: [DecodingScript], outputs: CollectingOutputs = CollectingOutputs(), follows: Bool = true,
    settings: EngineSettings = EngineSettings(),
    resamplers: @escaping ResamplerFactory = { _, _, _ in nil }
  ) throws {
    let decoders = ScriptedDecoders(scripts)
    self.decoders = decoders
    self.outputs = outputs
    outputs.follow(clock)
    engine = try PlaybackEngine(
      settings: settings, clock: clock, decoders: { path throws(DecodingError) in try decoders.open(path) },
      resamplers: resamplers, outputs: { format throws(OutputError) in try outputs.open(format) })
    let gates = scripts.flatMap { [$0.gate, $0.openingGate, $0.seekingGate].compactMap(\.self) }
    let held = Dictionary(gates.map { (ObjectIdentifier($0), $0) }) { first, _ in first }.values
    clock.setBusyCount { [outputs, weak engine] in
      (engine?.liveThreadCount ?? 0) - outputs.blockedCount - held.reduce(0) { $0 + $1.heldCount }
    }
    engine.onEvent { [log, weak engine] event, _ in
      log.change { $0.append(event) }
      guard follows, case .needsNext(let id) = event else { return }
      engine?.follow(id, with: id.rawValue < scripts.count ? Self.source(Int(id.rawValue) + 1) : nil)
    }
  }

  deinit {
    outputs.grant()
    _ = shutDown()
  }

  /// Shuts the engine down, letting time pass as needed; returns whether all its threads have ended.
  @discardableResult
  public func shutDown() -> Bool {
    _ = engine.shutDown(within: 0)
    return clock.run { engine.liveThreadCount == 0 }
  }

  /// Returns source `number`, starting at 1.
  public static func source(_ number: Int) -> PlaybackSource {
    PlaybackSource(id: .init(rawValue: UInt64(number)), path: FilePath("\(number)"))
  }

  /// The events so far.
  public var events: [EngineEvent] { log.value }

  /// Blocks until `event` has come `count` times.
  public func await(_ event: EngineEvent, count: Int = 1) -> Bool {
    self.await { $0.count { $0 == event } >= count }
  }

  /// Blocks until `isReached` is true for the events.
  public func await(_ isReached: ([EngineEvent]) -> Bool) -> Bool { clock.run { isReached(log.value) } }

  /// Blocks until this many sources were opened.
  public func awaitOpened(_ count: Int) -> Bool { clock.run { decoders.opened.count >= count } }

  /// Blocks until a thread waits at `gate`.
  public func awaitArrival(at gate: Gate) -> Bool { clock.run { gate.heldCount > 0 } }

  /// Pauses while a write is blocked, and blocks until the frames after it have been faded out, over `fade` frames, and
  /// the position was reported.
  public func pauseAndWait(fade: Int = 353) -> Bool {
    let before = events.count
    let end = outputs.frameCountAfterWrite + fade
    engine.pause()
    guard self.await({ $0.dropFirst(before).contains(.changed(.paused)) }) else { return false }
    outputs.grant()
    return outputs.awaitFrames(end)
      && self.await { events in
        guard let paused = events.dropFirst(before).firstIndex(of: .changed(.paused)) else { return false }
        return events[paused...].contains { if case .position = $0 { true } else { false } }
      }
  }
}
