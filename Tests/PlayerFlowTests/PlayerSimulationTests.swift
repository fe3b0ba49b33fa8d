// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import MusicModel
import PlaybackEngine
import SystemPackage
import TestSupport
import Testing

@testable import PlayerFlow

/// Random commands and edits, with an engine that executes them late and reports even later.
@Suite struct PlayerSimulationTests {
  @Test(arguments: Array(1...40) as [UInt64])
  func `In any order of requests and events, the engine finally plays what the queue says`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var state = PlayerState()
    var engine = EngineModel()
    var lookups: [[PlayQueue.Item]] = []

    func reduce(_ action: PlayerAction) {
      let audible = engine.sources.first.map {
        SourcePosition(source: $0.id, position: .milliseconds(Int64.random(in: 0...9_000, using: &random)))
      }
      for effect in state.reduce(action, audible: audible).effects {
        if case .lookUpMeasurements(let items) = effect { lookups = [items] } else { engine.commands.append(effect) }
      }
    }

    /// Delivers events and executes commands in random order. Playback advances only if `timePasses` is set.
    func runEngine(timePasses: Bool) {
      for _ in 0..<400 {
        switch Int.random(in: 0..<(timePasses ? 4 : 3), using: &random) {
        case 0: engine.execute()
        case 1:
          if let (event, executed) = engine.takeEvent() { reduce(.engine(event, after: executed)) }
        case 2:
          guard let items = lookups.popLast() else { continue }
          let measured = AudioMeasurement(replayGain: ReplayGainTags(trackGain: -3))
          reduce(.measurements(Dictionary(items.map { ($0.id, measured) }) { $1 }))
        default: engine.advanceTime(using: &random)
        }
      }
    }

    for step in 0..<120 {
      reduce(Self.action(state, using: &random))
      runEngine(timePasses: true)
      runEngine(timePasses: false)
      while engine.isBusy || !lookups.isEmpty { runEngine(timePasses: false) }

      let phase = state.playback.phase
      #expect(phase == engine.phase, "seed \(seed), step \(step)")
      if engine.phase != .stopped {
        #expect(state.plan.chain.item == state.queue.current?.id, "seed \(seed), step \(step)")
        #expect(engine.sources.first?.path == state.queue.current?.track.path, "seed \(seed), step \(step)")
      }
      guard phase == engine.phase else { return }
    }
  }

  private static func action(_ state: PlayerState, using random: inout SeededGenerator) -> PlayerAction {
    let count = state.queue.items.count
    let position = Int.random(in: 0..<max(1, count), using: &random)
    let range = [position..<min(count, position + Int.random(in: 1...2, using: &random))].filter { !$0.isEmpty }
    let anyItem = count > 0 ? state.queue.items[position].id : PlayQueue.Item.ID(rawValue: 99_999)
    let commands: [PlaybackAction] = [
      .pause, .resume, .toggle, .stop(rewinds: Bool.random(using: &random)), .next, .previous, .back,
      .seek(.to(.seconds(Int64.random(in: 0...80, using: &random)))), .seek(.by(.seconds(-5))),
      .setReplayGain(ReplayGainSettings(mode: Bool.random(using: &random) ? .off : .track)),
      .setCrossfade(
        Crossfade(
          duration: .seconds(Int64.random(in: 0...3, using: &random)), withinAlbums: true,
          onNext: .seconds(Int64.random(in: 0...1, using: &random)))),
      .enableOutput(Bool.random(using: &random)), .enableOutput(true),
    ]
    let edits: [QueueAction] = [
      .enqueue(PlayerStateTests.album(Int.random(in: 1...6, using: &random)), item: 0),
      .add(PlayerStateTests.album(Int.random(in: 1...3, using: &random)), at: .end),
      // The same tracks again, so that a track is in the queue twice.
      .add(PlayerStateTests.album(2), at: .next),
      .remove(.positions(range)), .move(.positions(range), to: 0), .clear, .undo(steps: 1), .redo(steps: 1),
      .shuffle(nil, by: .tracks, seed: random.next()), .play(anyItem, from: .seconds(3)),
      .setRepeat([.off, .one, .all].randomElement(using: &random) ?? .off),
      .setRandom(Bool.random(using: &random) ? .off : .tracks, seed: random.next()),
      .setSingle([.off, .on, .once].randomElement(using: &random) ?? .off),
      .setConsume(Bool.random(using: &random)), .stopAfter(Bool.random(using: &random) ? .current : nil),
      .availability(missing: [anyItem], found: []), .availability(missing: [], found: [anyItem]),
    ]
    if Bool.random(using: &random) { return .playback(commands.randomElement(using: &random) ?? .pause) }
    return .queue(edits.randomElement(using: &random) ?? .clear)
  }
}

/// A model of the engine as the reducer sees it: it executes commands one at a time, decodes some sources ahead, and
/// reports events one at a time.
private struct EngineModel {
  /// The commands that have not been executed yet.
  var commands: [PlayerEffect] = []
  private var events: [(EngineEvent, ExecutedCommands)] = []
  private(set) var phase = PlaybackState.Phase.stopped
  /// The current source, followed by those that are decoded ahead.
  private(set) var sources: [PlaybackSource] = []
  /// The next source after each source, as far as the engine knows it; `nil` where playback ends.
  private var nextSources: [PlaybackSource.ID: PlaybackSource?] = [:]
  /// The sources after which the engine has requested the next one.
  private var requestedIDs: Set<PlaybackSource.ID> = []
  private var executed = ExecutedCommands()
  private var isStarted = false

  /// Whether there are commands to execute or events to report.
  var isBusy: Bool { !commands.isEmpty || !events.isEmpty }

  mutating func takeEvent() -> (EngineEvent, ExecutedCommands)? { events.isEmpty ? nil : events.removeFirst() }

  mutating func execute() {
    guard !commands.isEmpty else { return }
    switch commands.removeFirst() {
    case .play(let source, _, let isPaused, _):
      (sources, nextSources, requestedIDs, isStarted) = ([source], [:], [], false)
      executed = ExecutedCommands(source: source.id)
      change(isPaused ? .paused : .playing)
    case .setNext(let next, let id, _):
      guard let index = sources.firstIndex(where: { $0.id == id }) else { return }
      sources.removeSubrange((index + 1)...)
      nextSources.updateValue(next, forKey: id)
    case .pause, .release: if phase == .playing { change(.paused) }
    case .resume: if phase == .paused { change(.playing) }
    case .seek:
      executed.seekCount += 1
      guard phase != .stopped else { return }
      isStarted = false
      sources.removeSubrange(1...)
    case .stop:
      guard phase != .stopped else { return }
      end()
      report(.changed(.stopped))
    case .setGain, .setSpeed, .setFrames, .setPassage, .setVolume, .setEqualiser, .setMaximumCrossfade,
      .lookUpMeasurements,
      .lookUpPosition, .checkFiles, .reopenOutput:
      break
    }
  }

  /// Advances time by a moment.
  mutating func advanceTime(using random: inout SeededGenerator) {
    guard phase != .stopped, let first = sources.first, let last = sources.last else { return }
    switch Int.random(in: 0..<4, using: &random) {
    case 0 where phase == .playing && !isStarted: start(first)
    case 1:
      if requestedIDs.insert(last.id).inserted { report(.needsNext(after: last.id)) }
    case 2:
      if sources.count < 4, let next = nextSources[last.id] ?? nil { sources.append(next) }
    case 3 where phase == .playing && isStarted:
      if sources.count > 1 {
        sources.removeFirst()
        start(sources[0])
      } else if let next = nextSources[first.id], next == nil {
        end()
        report(.finished)
      }
    default: break
    }
  }

  private mutating func start(_ source: PlaybackSource) {
    isStarted = true
    report(.started(source.id, format: .cd, stream: .cd, duration: .seconds(60)))
  }

  private mutating func end() {
    phase = .stopped
    (sources, nextSources, requestedIDs, isStarted) = ([], [:], [], false)
  }

  private mutating func change(_ phase: PlaybackState.Phase) {
    self.phase = phase
    report(.changed(phase == .playing ? .playing : .paused))
  }

  private mutating func report(_ event: EngineEvent) { events.append((event, executed)) }
}
