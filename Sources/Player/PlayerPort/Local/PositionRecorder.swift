// SPDX-License-Identifier: GPL-3.0-or-later

import Flux
import LibraryIndex
import LibraryScanning
package import MusicModel
package import Platform
package import PlayerFlow
import Synchronization
import Tagging

/// Stores where long tracks were left, in the sticker `elapsed`, and finds it again. It is stored when playback pauses
/// or stops, when another track starts, when the player ends, and once a minute.
///
/// What is near its end has no position: it is done.
package final class PositionRecorder: Sendable {
  /// How far before its stored position a track resumes, and what is played again after a longer pause.
  package static let rewind = Duration.seconds(5)
  /// The length of a pause after which a little is played again.
  private static let longPause: UInt64 = 5 * 60 * 1_000
  /// The time in a track until which nothing is stored: a moment of another track does not replace its position.
  private static let lead = Duration.seconds(10)
  /// The distance between positions that are stored while a track plays.
  private static let step = Duration.seconds(60)

  /// A track, and where it was left.
  struct Left: Sendable {
    let item: PlayQueue.Item.ID
    /// The number of the playback of the item.
    let startedCount: Int
    let track: Track
    var position: Duration
    var duration: Duration?
    /// The position at which the track ends; `nil` if it is not known.
    var end: Duration?

    /// The position from which the track resumes; zero if it begins at its beginning.
    var start: Duration {
      guard position >= PositionRecorder.lead, !isDone else { return .zero }
      return position - PositionRecorder.rewind
    }

    /// Whether the track is near its end: within its last half minute or, if it is longer than an hour, its last
    /// hundredth, but at most two minutes.
    var isDone: Bool {
      guard let end else { return false }
      return end - position <= min(max(.seconds(30), end / 100), .seconds(120))
    }

    func isSame(as other: Left) -> Bool {
      item == other.item && startedCount == other.startedCount && position == other.position
    }

    func isOf(_ other: Track) -> Bool {
      track.path == other.path && track.segment == other.segment && track.range == other.range
    }
  }

  fileprivate struct State {
    /// What plays, or is paused, if it resumes; `nil` if nothing does.
    var playing: Left?
    /// The position that was stored last.
    var storedPosition: Duration?
    /// What was left, and is not stored yet; the newest last.
    var unstored: [Left] = []
    var wasPlaying = false
    /// The time since when nothing has played; `nil` before anything has, and while something does.
    var silentSince: MonotonicInstant?
    var hasPlayed = false
  }

  /// Which tracks resume, whatever the query says.
  package let rule: ResumeRule
  private let query: String?
  private let clock: any MonotonicClock
  private let state = Mutex(State())
  private let player = Mutex<WeakPlayer>(WeakPlayer())
  private let subscription = Mutex<Subscription?>(nil)
  private let didStore = Mutex<(@Sendable () -> Void)?>(nil)
  private let worker = Worker<Void>(named: "segue-positions", ())

  private struct WeakPlayer: Sendable {
    weak var player: LocalPlayer?
  }

  /// Creates a recorder of the positions of tracks that are at least `minimum` long, of audiobooks, and of what `query`
  /// matches; `nil` for none.
  package init(minimum: Duration?, query: String?, clock: any MonotonicClock = SystemClock()) {
    rule = ResumeRule(minimum: minimum, hasQuery: query != nil)
    self.query = query
    self.clock = clock
  }

  deinit { worker.closeWhenIdle() }

  /// Stores the positions of what `player` plays from now on. A problem with the query is reported there.
  ///
  /// - Throws: `Errno` if the system cannot create the thread.
  package func observe(_ player: LocalPlayer) throws {
    self.player.withLock { $0.player = player }
    try worker.start { [weak self] in
      self?.storeAll()
      return nil
    }
    let (queue, playback) = (player.parts.queue, player.parts.playback)
    let observation = playback.observe { [weak self] in self?.receive($0, queue) }
    subscription.withLock { $0 = observation }
    if let query {
      do { _ = try player.parts.access.language.query(query, LibraryFilters()) } catch {
        player.report("the setting `resume` is no query: \(error)")
      }
    }
  }

  /// Calls `receive` whenever a position was stored or removed, on another thread.
  package func onStore(_ receive: @escaping @Sendable () -> Void) { didStore.withLock { $0 = receive } }

  /// Stores the position of what is playing, and everything else. Waits at most until `deadline`.
  package func finish(until deadline: MonotonicInstant) {
    subscription.withLock { $0 = nil }
    if let parts = player.withLock({ $0.player })?.parts {
      let exact = parts.queue.queue.current.flatMap { parts.playback.elapsed(of: $0.id) }
      state.withLock { state in
        guard var left = state.playing else { return }
        if let exact, left.item == parts.queue.queue.current?.id { left.position = exact }
        state.unstored.append(left)
        state.playing = nil
      }
    }
    worker.wake()
    worker.closeWhenIdle()
    _ = worker.join(until: deadline)
  }

  // MARK: Finding

  /// Returns the position from which `track` resumes; zero if it begins at its beginning. Blocks while the index is
  /// read.
  package func start(of track: Track) -> Duration {
    guard rule.mayApply(to: track) else { return .zero }
    let known = state.withLock { state in
      (state.playing.map { [$0] } ?? []).first { $0.isOf(track) } ?? state.unstored.last { $0.isOf(track) }
    }
    if let known { return known.start }
    guard let (index, id) = find(track), applies(to: track, id, index) else { return .zero }
    let value = try? index.sticker(Sticker.elapsed, of: id)
    guard let seconds = value.flatMap({ $0 }).flatMap(Double.init), seconds > 0, seconds < 1e9 else { return .zero }
    let left = Left(
      item: PlayQueue.Item.ID(rawValue: 0), startedCount: 0, track: track, position: .seconds(seconds),
      duration: track.duration, end: track.duration)
    return left.start
  }

  /// Returns whether `track` resumes where it was left. Blocks while the index is read, if a query decides.
  func applies(to track: Track, duration: Duration?) -> Bool {
    if rule.applies(to: track, duration: duration) { return true }
    guard rule.mayApply(to: track), let (index, id) = find(track) else { return false }
    return applies(to: track, id, index)
  }

  private func applies(to track: Track, _ id: Int64, _ index: any BrowsableLibrary) -> Bool {
    if rule.applies(to: track) { return true }
    guard let query, let language = player.withLock({ $0.player })?.parts.access.language,
      let parsed = try? language.query(query, LibraryFilters())
    else { return false }
    let page = try? index.tracks(
      .all([parsed, .tracks([id])]), order: LibraryOrder(), window: LibraryPage<TrackEntry>.Window(limit: 1))
    return page?.elements.isEmpty == false
  }

  /// Returns the library of the player, and the ID of a track in it; `nil` if it is not in it.
  func find(_ track: Track) -> (any BrowsableLibrary, Int64)? {
    guard let index = player.withLock({ $0.player })?.presentIndex(nil) else { return nil }
    let id = try? index.browse(isQuick: true) { browser in
      try index.roots.relative(track.path).flatMap { try browser.id(of: track, at: $0) }
    }
    return ((id ?? nil) ?? nil).map { (index, $0) }
  }

  /// Whether nothing has played for a longer time, or since the player started.
  var isLongPause: Bool {
    let now = clock.now
    return state.withLock { state in
      guard state.hasPlayed else { return true }
      return state.silentSince.map { $0.advanced(byMilliseconds: Self.longPause) <= now } ?? false
    }
  }

  // MARK: Storing

  private func receive(_ playback: PlaybackState, _ queue: QueueListener) {
    let now = clock.now
    let isDue = state.withLock { state in
      state.receive(playback, at: now, step: Self.step) { [rule] item in
        let queue = queue.queue
        guard let position = queue.position(of: item) else { return nil }
        let track = queue.items[position].track
        return rule.applies(to: track, duration: playback.duration) || rule.mayApply(to: track) ? track : nil
      }
    }
    if isDue { worker.wake() }
  }

  /// Stores what was left.
  private func storeAll() {
    while let left = state.withLock({ $0.unstored.first }) {
      store(left)
      // A newer position of it may have come meanwhile.
      state.withLock { state in state.unstored.removeAll { $0.isSame(as: left) } }
    }
  }

  private func store(_ left: Left) {
    guard left.position >= Self.lead, let (index, id) = find(left.track),
      rule.applies(to: left.track, duration: left.duration) || applies(to: left.track, id, index)
    else { return }
    do throws(LibraryError) {
      let value = left.isDone ? nil : "\(left.position.components.seconds)"
      guard try index.sticker(Sticker.elapsed, of: id) != value else { return }
      try index.setSticker(Sticker.elapsed, to: value, of: id)
      didStore.withLock { $0 }?()
    } catch {
      player.withLock { $0.player }?.report("cannot store the position in \(left.track.title): \(error)")
    }
  }
}

extension PositionRecorder.State {
  /// Receives a playback state. Returns whether something is to be stored.
  ///
  /// - Parameter track: Returns the track of an item, if it may resume.
  fileprivate mutating func receive(
    _ playback: PlaybackState, at now: MonotonicInstant, step: Duration, track: (PlayQueue.Item.ID) -> Track?
  ) -> Bool {
    let isPlaying = playback.phase == .playing
    if isPlaying {
      (silentSince, hasPlayed) = (nil, true)
    } else if wasPlaying {
      silentSince = now
    }
    defer { wasPlaying = isPlaying }
    let count = unstored.count
    // While another item is requested, and after the end, the position is no longer that of this one.
    let item = playback.phase == .stopped || playback.hasRequest ? nil : playback.item
    if let last = playing, last.item != item || last.startedCount != playback.startedCount {
      leave(last)
      playing = nil
    }
    guard let item else { return unstored.count > count }
    if playing == nil {
      guard let track = track(item) else { return unstored.count > count }
      playing = PositionRecorder.Left(
        item: item, startedCount: playback.startedCount, track: track, position: playback.position,
        duration: playback.duration, end: playback.playedEnd)
      storedPosition = playback.position
    }
    playing?.position = playback.position
    playing?.duration = playback.duration
    playing?.end = playback.playedEnd
    let distance = storedPosition.map { playback.position - $0 } ?? .zero
    if let playing, wasPlaying && !isPlaying || distance >= step || distance <= .zero - step { leave(playing) }
    return unstored.count > count
  }

  private mutating func leave(_ left: PositionRecorder.Left) {
    unstored.removeAll { $0.item == left.item && $0.startedCount == left.startedCount }
    unstored.append(left)
    storedPosition = left.position
  }
}
