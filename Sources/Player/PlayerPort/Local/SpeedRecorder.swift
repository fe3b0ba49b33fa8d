// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Flux
import LibraryScanning
import MusicModel
package import Platform
import PlayerFlow
import Synchronization

/// Remembers the speed of each track that resumes where it was left, in the sticker `speed`. A book without one
/// continues at the speed of the track before, if that is of the same album. All other tracks have the speed that was
/// set last for one of them.
package final class SpeedRecorder: Sendable {
  /// What has happened, in its order.
  private enum Event: Sendable {
    case began(Track)
    case ended
    case changed(PlaybackSpeed)

    var isChange: Bool { if case .changed = self { true } else { false } }
  }

  private struct State {
    var events: [Event] = []
    /// The item that plays, or is about to; `nil` if none does.
    var item: PlayQueue.Item.ID?
    /// The speed of the player, or that which it has been asked to have.
    var speed = PlaybackSpeed.normal
    /// The speed of the player until it has the one that it has been asked to have; `nil` if it has.
    var former: PlaybackSpeed?
    /// The track that plays, if it has a speed of its own.
    var ownTrack: Track?
    /// The album and the speed of the track that played last, if it had a speed of its own.
    var last: (album: String?, speed: PlaybackSpeed)?
    /// The speed of tracks that have none of their own.
    var common = PlaybackSpeed.normal
  }

  private let positions: PositionRecorder
  private let state = Mutex(State())
  private let player = Mutex(WeakPlayer())
  private let subscription = Mutex<Subscription?>(nil)
  private let worker = Worker<Void>(named: "segue-speeds", ())

  private struct WeakPlayer: Sendable {
    weak var player: LocalPlayer?
  }

  /// Creates a recorder of the speeds of the tracks whose positions are stored by `positions`.
  package init(_ positions: PositionRecorder) { self.positions = positions }

  deinit { worker.closeWhenIdle() }

  /// Sets and stores the speeds of what `player` plays from now on.
  ///
  /// - Throws: `Errno` if the system cannot create the thread.
  package func observe(_ player: LocalPlayer) throws {
    self.player.withLock { $0.player = player }
    try worker.start { [weak self] in
      while let self, let event = self.state.withLock({ $0.events.isEmpty ? nil : $0.events.removeFirst() }) {
        self.handle(event)
      }
      return nil
    }
    let queue = player.parts.queue
    let observation = player.parts.playback.observe { [weak self] in self?.receive($0, queue) }
    subscription.withLock { $0 = observation }
  }

  /// Stores what is not stored yet. Waits at most until `deadline`.
  package func finish(until deadline: MonotonicInstant) {
    subscription.withLock { $0 = nil }
    worker.closeWhenIdle()
    _ = worker.join(until: deadline)
  }

  private func receive(_ playback: PlaybackState, _ queue: QueueListener) {
    let isDue = state.withLock { state in
      let count = state.events.count
      let item = playback.phase == .stopped ? nil : playback.hasRequest ? queue.queue.current?.id : playback.item
      if item != state.item {
        state.item = item
        let queue = queue.queue
        if let position = item.flatMap({ queue.position(of: $0) }) {
          state.events.append(.began(queue.items[position].track))
        } else {
          state.events.append(.ended)
        }
      }
      if playback.speed != state.speed, playback.speed != state.former {
        state.speed = playback.speed
        state.events.append(.changed(playback.speed))
      }
      return state.events.count > count
    }
    if isDue { worker.wake() }
  }

  private func handle(_ event: Event) {
    guard let player = player.withLock({ $0.player }) else { return }
    switch event {
    case .began(let track): begin(track, player)
    case .ended: state.withLock { $0.ownTrack = nil }
    case .changed(let speed):
      let ownTrack = state.withLock { state in
        if let track = state.ownTrack { state.last = (track.album, speed) } else { state.common = speed }
        return state.ownTrack
      }
      if let ownTrack { store(speed, of: ownTrack, player) }
    }
  }

  /// Plays `track`, which has begun, at its speed.
  private func begin(_ track: Track, _ player: LocalPlayer) {
    let isOwn = positions.applies(to: track, duration: nil)
    state.withLock { $0.ownTrack = isOwn ? track : nil }
    do {
      let stored = isOwn ? try storedSpeed(of: track) : nil
      let (speed, before) = state.withLock { state in
        let last = isOwn && track.album != nil && track.album == state.last?.album ? state.last?.speed : nil
        state.last = nil
        let before = state.speed
        // If the user has changed the speed since then, that is the next event.
        if state.events.contains(where: \.isChange) { return (PlaybackSpeed?.none, before) }
        let speed = stored ?? last ?? state.common
        if isOwn { state.last = (track.album, speed) }
        if speed != before { (state.speed, state.former) = (speed, before) }
        return (speed, before)
      }
      guard let speed else { return }
      if speed != before {
        defer {
          state.withLock { state in
            state.former = nil
            // The user may have returned to the former speed meanwhile.
            let present = player.parts.playback.state.speed
            if present != state.speed {
              state.speed = present
              state.events.append(.changed(present))
            }
          }
        }
        do throws(PlayerError) {
          _ = try player.send(.settings(.speed(speed.factor)))
        } catch {
          state.withLock { $0.speed = before }
          throw error
        }
      }
      if isOwn { store(speed, of: track, player) }
    } catch {
      player.report("cannot play \(track.title) at its speed: \(error)")
    }
  }

  /// Returns the valid speed in the sticker of `track`; `nil` if there is none.
  private func storedSpeed(of track: Track) throws(LibraryError) -> PlaybackSpeed? {
    guard let (index, id) = positions.find(track) else { return nil }
    return try index.sticker(Sticker.speed, of: id).flatMap(Double.init).flatMap { PlaybackSpeed($0) }
  }

  /// Stores the speed of a track, unless it has none of its own and needs none.
  private func store(_ speed: PlaybackSpeed, of track: Track, _ player: LocalPlayer) {
    guard let (index, id) = positions.find(track) else { return }
    do throws(LibraryError) {
      let (old, value) = (try index.sticker(Sticker.speed, of: id), "\(speed.factor)")
      guard old != value, old != nil || speed != state.withLock(\.common) else { return }
      try index.setSticker(Sticker.speed, to: value, of: id)
    } catch {
      player.report("cannot store the speed of \(track.title): \(error)")
    }
  }
}
