// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Flux
import MusicModel
import Platform
import Synchronization
import SystemPackage

/// Observes stores, and reports their changes as a sequence of events.
public final class PlayerEventSource: Sendable {
  private let subscriptions: [Subscription]

  /// Creates a source that calls `onEvent` with each event, on delivering threads, one call at a time for each store.
  /// The state at the time of creation is not reported.
  public init(
    queue: QueueListener, playback: PlaybackStore, onEvent: @escaping @Sendable (PlayerEvent) -> Void
  ) {
    let queues = Mutex<PlayQueue?>(nil)
    let states = Mutex<PlaybackChanges?>(nil)
    subscriptions = [
      queue.observe { new in
        let before = queues.withLock { last in
          defer { last = new }
          return last
        }
        if let before { for event in PlayerEvent.events(from: before, to: new) { onEvent(event) } }
      },
      playback.observe { new in
        let events = states.withLock { changes -> [PlayerEvent] in
          guard changes != nil else {
            changes = PlaybackChanges(new)
            return []
          }
          return changes?.receive(new, queue.queue) ?? []
        }
        for event in events { onEvent(event) }
      },
    ]
  }

  /// Creates a source that calls `onEvent` with each event of a library in the same way.
  public init(library: LibraryStore, onEvent: @escaping @Sendable (PlayerEvent) -> Void) {
    let states = Mutex<(state: LibraryState, notices: PlaybackNotices)?>(nil)
    subscriptions = [
      library.observe { new in
        let events = states.withLock { last -> [PlayerEvent] in
          var (before, notices) = last ?? (new, PlaybackNotices())
          let lines = notices.notices(for: new)
          defer { last = (new, notices) }
          guard last != nil else { return [] }
          return PlayerEvent.events(from: before, to: new) + lines.map { PlayerEvent(problem: $0) }
        }
        for event in events { onEvent(event) }
      }
    ]
  }
}

/// The last playback state that was received.
private struct PlaybackChanges: Sendable {
  private var state: PlaybackState
  private var notices = PlaybackNotices()

  init(_ state: PlaybackState) {
    self.state = state
    // The status event includes earlier problems.
    _ = notices.notices(for: state)
  }

  /// Receives a new state; returns the events since the last one.
  mutating func receive(_ new: PlaybackState, _ queue: PlayQueue) -> [PlayerEvent] {
    defer { state = new }
    return PlayerEvent.events(from: state, to: new, queue)
      + notices.notices(for: new).map { PlayerEvent(problem: $0) }
  }
}

/// Collects the messages about playback and the library that the user has not seen yet.
public struct PlaybackNotices: Sendable {
  private var reportedProblem = 0
  private var reportedWarning: String?
  private var reportedFailureCount = 0
  private var reportedLossCount = 0
  private var reportedSwitch = PlaybackState.OutputSwitch()
  private var isLost = false
  private var isOutputStalled = false
  private var isInputStalled = false
  private var connectionFailure: String?
  private var reportedUnwatched: [FilePath] = []
  private var reportedResumption = 0

  private static let outputIsBack = "the output device is back"
  private static let outputResponds = "the output is responding again"
  private static let movePrefix = "playing to "
  private static let audioArrives = "the audio is arriving again"
  /// The message while an item produces no sound.
  static let inputIsStalled = "waiting for the audio: its disk or server is slow, or does not respond"

  /// Returns the message while a server is to be connected to again.
  public static func connectsAgain(_ reason: String) -> String { "\(reason); connecting again" }

  /// Returns whether `line`, one of this type's messages, reports that a problem is over.
  public static func isGood(_ line: String) -> Bool {
    [outputIsBack, outputResponds, audioArrives].contains(line)
      || [movePrefix, Resumption.noticePrefix].contains { line.hasPrefix($0) }
  }

  public init() {}

  /// Returns the new messages about the library, one line each. Each is returned only once.
  public mutating func notices(for library: LibraryState) -> [String] {
    guard library.unwatched != reportedUnwatched else { return [] }
    reportedUnwatched = library.unwatched
    guard let first = reportedUnwatched.first else { return [] }
    let others = reportedUnwatched.count > 1 ? " and \(reportedUnwatched.count - 1) more" : ""
    return [
      "cannot watch \(first)\(others) for changes: limit of watched directories reached; raise "
        + "fs.inotify.max_user_watches, or run `segue scan` after changes"
    ]
  }

  /// Returns the new messages about the playback state, one line each. Each is returned only once.
  public mutating func notices(for state: PlaybackState) -> [String] {
    var lines: [String] = []
    for problem in state.problems where problem.number > reportedProblem {
      reportedProblem = problem.number
      lines.append((problem.isSkipped ? "skipped " : "") + problem.error.message)
    }
    if let resumption = state.resumption, resumption.number > reportedResumption {
      reportedResumption = resumption.number
      lines.append(resumption.notice)
    }
    if state.warning != reportedWarning {
      reportedWarning = state.warning
      if let warning = state.warning { lines.append(warning) }
    }
    let (outputs, before) = (state.outputSwitch, reportedSwitch)
    reportedSwitch = outputs
    if outputs.pauseCount > before.pauseCount {
      reportedLossCount = state.outputLossCount
      lines.append("paused: none of the preferred outputs is available")
    }
    if outputs.count > before.count, outputs.failure == nil, let name = outputs.preferred {
      reportedLossCount = state.outputLossCount
      lines.append(Self.movePrefix + name)
    }
    // What happens instead is reported when it has been decided.
    let isLossExplained = outputs.isFollowed && state.phase == .playing
    if state.outputLossCount > reportedLossCount, !isLossExplained {
      reportedLossCount = state.outputLossCount
      // A second loss means that the device was back in the meantime, if only for a moment.
      if isLost { lines.append(Self.outputIsBack) }
      if let error = state.outputLoss {
        isLost = true
        lines.append(
          "\(state.phase == .paused ? "paused" : "reopening the output"): \(error.description)")
      }
    }
    if isLost, state.outputLoss == nil {
      isLost = false
      if state.output != nil { lines.append(Self.outputIsBack) }
    }
    if state.isOutputStalled != isOutputStalled {
      isOutputStalled = state.isOutputStalled
      lines.append(isOutputStalled ? "the output is not responding" : Self.outputResponds)
    }
    if state.connectionFailure != connectionFailure {
      connectionFailure = state.connectionFailure
      if let connectionFailure { lines.append(Self.connectsAgain(connectionFailure)) }
    }
    if state.isInputStalled != isInputStalled {
      isInputStalled = state.isInputStalled
      // If another item plays instead, the event of that item shows it.
      if isInputStalled {
        lines.append(Self.inputIsStalled)
      } else if state.phase == .playing, !state.hasRequest {
        lines.append(Self.audioArrives)
      }
    }
    if state.outputFailureCount > reportedFailureCount {
      reportedFailureCount = state.outputFailureCount
      if let error = state.outputError { lines.append(error.description) }
    }
    return lines
  }
}

extension DecodingError {
  /// The path of the file as text for display, and what is wrong with the file.
  fileprivate var message: String { "\(path.shown): \(reason)" }
}
