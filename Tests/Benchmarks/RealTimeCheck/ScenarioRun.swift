// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Equalising
import Platform
import PlaybackEngine
import RealTimeHooks
import Synchronization
import SystemPackage

/// A run of a scenario.
final class ScenarioRun: Sendable {
  private let scenario: Scenario
  private let violation: realtime_kind?
  private let progress: Progress
  private let engine = Mutex<PlaybackEngine?>(nil)
  private let isEnded = Atomic(false)
  private let end = ThreadSignal()

  /// Ten bands, some of which are above full scale together, so that the limiter works; with crossfeed.
  private static let equaliser = EqualiserProfile(
    preamp: 0,
    filters: EqualiserProfile.tenBands.filters.map { EqualiserFilter($0.kind, $0.frequency, gain: 3, $0.width) })

  /// Creates a run of `scenario`. If `violation` is not `nil`, the output performs an operation of this kind on
  /// purpose.
  init(_ scenario: Scenario, _ violation: realtime_kind?) {
    self.scenario = scenario
    self.violation = violation
    progress = Progress(scenario.sources)
  }

  /// Plays the scenario to its end.
  func run() throws {
    var settings = EngineSettings()
    settings.depth = scenario.depth
    let engine = try PlaybackEngine(
      settings: settings,
      decoders: { [self] path throws(DecodingError) in
        let number = Int(path.string) ?? 0
        return ToneDecoder(format: scenario.sources[number], scenario: scenario, progress: progress)
      },
      resamplers: { _, _, _ in nil },
      outputs: { [self] format throws(OutputError) in
        WatchedOutput(format: format, scenario: scenario, progress: progress, violation: violation) {
          [self] in
          self.engine.withLock { $0 }?.setVolume($0)
        }
      })
    if scenario.isEqualised { engine.setEqualiser(Self.equaliser, crossfeed: .standard) }
    engine.onEvent { [self] event, _ in receive(event) }
    self.engine.withLock { $0 = engine }
    engine.play(source(0))
    if scenario.holdsLocks {
      while !isEnded.load(ordering: .relaxed) { _ = engine.outputFailure }
    }
    end.wait()
    self.engine.withLock { $0 = nil }
    guard engine.shutDown(within: 5000) else { fatalError("a thread did not end") }
  }

  private func receive(_ event: EngineEvent) {
    switch event {
    case .needsNext(let id):
      let next = Int(id.rawValue) + 1
      engine.withLock { $0 }?.setNext(after: id, next < scenario.sources.count ? source(next) : nil)
    case .finished, .failed, .outputFailed:
      isEnded.store(true, ordering: .relaxed)
      end.wake()
    default: break
    }
  }

  private func source(_ number: Int) -> PlaybackSource {
    PlaybackSource(id: .init(rawValue: UInt64(number)), path: FilePath("\(number)"))
  }
}
