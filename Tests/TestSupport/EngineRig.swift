// SPDX-License-Identifier: GPL-3.0-or-later

public import AudioCore
public import PlaybackEngine
import SystemPackage

/// An engine with scripted decoders and collecting outputs, and a log of its events.
///
/// Time passes only while the test is waiting for something and all threads of the engine are sleeping.
public final class EngineRig: Sendable {
  /// The engine under test.
  public let engine: PlaybackEngine
  /// The outputs to which the engine writes.
  public let outputs: CollectingOutputs
  /// The decoders from which the engine reads.
  public let decoders: ScriptedDecoders
  /// The clock that the engine uses.
  public let clock = ManualClock()
  /// The device to which the engine writes instead, if there is one.
  public let device: RewindableDevice?
  /// The events that the engine has reported so far.
  public let log = Watched<[EngineEvent]>([])

  /// Creates an engine that plays `scripts`, which are the sources 1, 2, ...
  ///
  /// If `follows`, the next track after each source is the source with the next number, and there is none after the
  /// last. Otherwise, no next track is set. If `isRewindable`, the output is a ``RewindableDevice``,
  /// which plays DSD if `playsDSD`.
  public init(
    _ scripts: [DecodingScript], outputs: CollectingOutputs = CollectingOutputs(), follows: Bool = true,
    isRewindable: Bool = false, playsDSD: Bool = false, settings: EngineSettings = EngineSettings(),
    resamplers: @escaping ResamplerFactory = { _, _, _ in nil },
    stretchers: @escaping StretcherFactory = { _, _, _ in nil }
  ) throws {
    let decoders = ScriptedDecoders(scripts)
    self.decoders = decoders
    self.outputs = outputs
    outputs.use(clock)
    let device = isRewindable ? RewindableDevice(playsDSD: playsDSD, clock: clock) : nil
    self.device = device
    engine = try PlaybackEngine(
      settings: settings, clock: clock, decoders: { path throws(DecodingError) in try decoders.open(path) },
      resamplers: resamplers, stretchers: stretchers,
      outputs: { format throws(OutputError) in
        guard let device else { return try outputs.open(format) }
        return try device.open(format)
      })
    let gates = scripts.flatMap { [$0.gate, $0.openingGate, $0.seekingGate].compactMap(\.self) }
    let uniqueGates = Dictionary(gates.map { (ObjectIdentifier($0), $0) }) { first, _ in first }.values
    clock.setBusyCount { [outputs, weak engine] in
      (engine?.liveThreadCount ?? 0) - outputs.blockedCount - uniqueGates.reduce(0) { $0 + $1.blockedCount }
    }
    engine.onEvent { [log, weak engine] event, _ in
      // A test that has seen the request may rely on the answer.
      if follows, case .needsNext(let id) = event {
        engine?.setNext(after: id, id.rawValue < scripts.count ? Self.source(Int(id.rawValue) + 1) : nil)
      }
      log.change { $0.append(event) }
    }
  }

  deinit {
    outputs.grant()
    _ = shutDown()
  }

  /// Shuts the engine down, and lets time pass as needed. Returns whether all its threads have ended.
  @discardableResult
  public func shutDown() -> Bool {
    _ = engine.shutDown(within: 0)
    return clock.run { engine.liveThreadCount == 0 }
  }

  /// Returns the source with this number, counted from 1.
  public static func source(_ number: Int) -> PlaybackSource {
    PlaybackSource(id: .init(rawValue: UInt64(number)), path: FilePath("\(number)"))
  }

  /// The events that the engine has reported so far.
  public var events: [EngineEvent] { log.value }

  /// Blocks until `event` has been reported `count` times. Returns whether that happened in time.
  public func await(_ event: EngineEvent, count: Int = 1) -> Bool {
    self.await { $0.count { $0 == event } >= count }
  }

  /// Blocks until `isReached` returns `true` for the events. Returns whether it did in time.
  public func await(_ isReached: ([EngineEvent]) -> Bool) -> Bool { clock.run { isReached(log.value) } }

  /// Blocks until this number of sources has been opened. Returns whether that happened in time.
  public func awaitOpened(_ count: Int) -> Bool { clock.run { decoders.opened.count >= count } }

  /// Blocks until a thread is waiting at `gate`. Returns whether that happened in time.
  public func awaitArrival(at gate: Gate) -> Bool { clock.run { gate.blockedCount > 0 } }

  /// Pauses the engine while a write is blocked. Blocks until the frames after that write have been faded out, over
  /// `fade` frames, and the position has been reported.
  public func pauseAndWait(fade: Int = 353) -> Bool {
    let eventCount = events.count
    let end = outputs.frameCountAfterWrite + fade
    engine.pause()
    guard self.await({ $0.dropFirst(eventCount).contains(.changed(.paused)) }) else { return false }
    outputs.grant()
    return outputs.awaitFrames(end)
      && self.await { events in
        guard let paused = events.dropFirst(eventCount).firstIndex(of: .changed(.paused)) else { return false }
        return events[paused...].contains { if case .position = $0 { true } else { false } }
      }
  }
}
