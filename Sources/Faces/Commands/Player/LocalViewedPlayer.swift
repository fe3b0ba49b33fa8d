// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Flux
import MusicModel
import PlayerFlow
import PlayerPort
import Screens
import Synchronization
import UnicodeText

/// The player of this process, as a view uses it.
final class LocalViewedPlayer: ViewedPlayer {
  private struct SceneKey: Equatable {
    let version: UInt64
    let currentPosition: Int?
    let playing: PlayQueue.Item.ID?
    let sourceText: SourceText?
  }

  private let session: Session
  private let ending: NowPlayingKeys.Ending
  private let reportsEverything: Bool
  private var playback = PlaybackState()
  private var queue = PlayQueue()
  private var sceneKey: SceneKey?
  private var notices = PlaybackNotices()
  private var details = PlaybackDetails()
  private var changes = PlainChanges()
  private var announcedCount = 0
  /// The title of a stream, or of a chapter, that was printed last.
  private var announcedTitle: String?
  /// The number of times that a stream has named another title.
  private var titleCount: UInt64 = 0

  private(set) var scene: NowPlaying?
  private(set) var state = PlayingState()

  /// Creates the player of `session` for a view. `ending` is what the quit key of the view does.
  ///
  /// - Parameter reportsEverything: Whether nothing else reports notices and failures, although the view is left
  ///   without ending the player.
  init(_ session: Session, _ ending: NowPlayingKeys.Ending, reportsEverything: Bool = false) {
    self.session = session
    self.ending = ending
    self.reportsEverything = reportsEverything || ending == .quit
    // The REPL has printed these notices already.
    if !self.reportsEverything { _ = notices.notices(for: session.services.playback.state) }
  }

  // The queue shows the titles of streams, too.
  var queueVersion: UInt64 { queue.version &+ titleCount }
  var hasStarted: Bool { playback.startedCount > 0 }
  // A client that can reach the player may have emptied the queue or stopped playback, and may start playback again.
  var isOver: Bool {
    ending == .quit && playback.isOver
      && !(playback.isInterrupted && session.persister?.ownership == .own)
  }
  var isWaiting: Bool { playback.isWaiting }
  // In the REPL, the REPL itself prints the notices.
  var isReportedByViewOnly: Bool { ending == .quit }
  var outlivesTerminal: Bool { true }
  var levelRefusal: String? { nil }
  var levels: SoundLevels? { session.services.playback.levels }

  func measureLevels(_ isOn: Bool) { session.services.playback.measureLevels(isOn) }

  func observe(everyPosition: Bool, _ onChange: @escaping @Sendable () -> Void) -> Subscription {
    let throttle = Mutex(RefreshThrottle(takesEveryPosition: everyPosition))
    let playback = session.services.playback.observe { state in
      if throttle.withLock({ $0.isDue(state) }) { onChange() }
    }
    let queue = session.services.queue.observe { _ in onChange() }
    return Subscription {
      playback.cancel()
      queue.cancel()
    }
  }

  func refresh() {
    playback = session.services.playback.state
    queue = session.services.queue.queue
    state = PlayingState(playback)
    // Finding the current and the next item takes time in a long queue, so it is done only after a change.
    let key = SceneKey(
      version: queue.version, currentPosition: queue.currentPosition, playing: playback.openItem,
      sourceText: playback.sourceText)
    if key != sceneKey {
      if key.sourceText != sceneKey?.sourceText { titleCount += 1 }
      sceneKey = key
      scene = NowPlaying(queue, playback)
    }
  }

  func perform(_ key: PlayerKey) {
    let actions = session.services.actions
    switch key {
    case .toggle: actions.toggle()
    case .stop: actions.stop()
    case .next: actions.next()
    case .previous: actions.previous()
    case .seek(let seconds): actions.seek(.by(.seconds(seconds)))
    case .volume(let percent): actions.changeVolume(by: percent)
    }
  }

  func takeNotices() -> [String] {
    // The command ends with an output failure as its error, so do not report it here, too.
    var lines = playback.outputError == nil || ending == .leave ? notices.notices(for: playback) : []
    if reportsEverything { lines += session.takeWarnings() }
    if let library = session.openFlow?.flow.library.state { lines += notices.notices(for: library) }
    return lines
  }

  func takeDetails() -> [String] { details.take(from: playback, queue) }

  func takeLines(hasKeys: Bool) -> [String] {
    let started = playback.startedItems.suffix(max(0, playback.startedCount - announcedCount))
    announcedCount = playback.startedCount
    let tracks = started.compactMap { item in
      queue.position(of: item).map { TrackLine.text(position: $0, in: queue, session.outputStyle) }
    }
    let text = playback.sourceText
    let title = text?.title.map { (text?.artists ?? []) + [$0] }?.joined(separator: " - ") ?? text?.chapter
    let isNewTitle = title != announcedTitle
    announcedTitle = title
    let lines = tracks + (isNewTitle ? [title.map(\.safeForTerminal)].compactMap(\.self) : [])
    let changed = changes.take(from: playback)
    return hasKeys ? lines + changed : lines
  }

  func status() throws(PlayerError) -> ExitStatus {
    if let error = playback.outputError { throw PlayerError(.noOutput, error.description) }
    if playback.startedCount == 0, !playback.problems.isEmpty {
      throw PlayerError(.nothingPlayable, "nothing in \(queue.title) could be played")
    }
    return .success
  }
}

/// Decides when a view refreshes: at each change or, if the view does not show the position, only when something else
/// has changed.
struct RefreshThrottle {
  /// The number of successive changes of the position after which the view refreshes anyway, to fetch other notices.
  static let skipLimit = 5

  private let takesEveryPosition: Bool
  private var last: PlaybackState?
  private var skippedCount = 0

  init(takesEveryPosition: Bool) { self.takesEveryPosition = takesEveryPosition }

  /// Records the new state, and returns whether the view should refresh.
  mutating func isDue(_ state: PlaybackState) -> Bool {
    guard !takesEveryPosition else { return true }
    defer { last = state }
    guard let last, state.differsOnlyInPosition(from: last), skippedCount + 1 < Self.skipLimit else {
      skippedCount = 0
      return true
    }
    skippedCount += 1
    return false
  }
}

/// The changes that the user has made with keys, as lines for a terminal that cannot be redrawn.
struct PlainChanges {
  private var isPaused = false
  private var volume: Volume?

  /// Returns the changes in `state` since the last call, one line each, safe for a terminal.
  mutating func take(from state: PlaybackState) -> [String] {
    var lines: [String] = []
    if isPaused != (state.phase == .paused) {
      isPaused.toggle()
      // If a pause ends because the next track starts, that track is announced by a line of its own.
      if isPaused || state.phase == .playing { lines.append(isPaused ? "paused" : "playing") }
    }
    if let volume, volume != state.volume { lines.append("volume \(state.volume.percent)") }
    // The initial volume is not a change.
    if state.phase != .stopped { volume = state.volume }
    return lines
  }
}
