// SPDX-License-Identifier: GPL-3.0-or-later

import Flux
import LibraryScanning
import MusicModel
import Platform
import PlayerFlow
import Synchronization

/// Adds music to the queue before it ends, as set by ``QueueModes/keepPlaying``: when an item becomes current after
/// which at most ``remainingCount`` are played. What the user undoes is not added again for the same item.
///
/// The library is read on a thread of its own, which sleeps while nothing is needed.
package final class QueueRefiller: Sendable {
  /// The number of items that remain when music is added.
  static let remainingCount = 2

  private let work: RefillWork
  private let subscription: Subscription

  /// Creates a refiller for the queue of `player`.
  ///
  /// - Parameter hours: The time within which a track is not played again.
  /// - Throws: `Errno` if the system cannot create the thread.
  package init(_ player: LocalPlayer, hours: Int) throws {
    let work = RefillWork(player, hours: hours)
    self.work = work
    try work.worker.start { [weak work] in
      work?.step()
      return nil
    }
    subscription = player.parts.queue.observe { work.receive($0) }
  }

  deinit { work.worker.close() }
}

private final class RefillWork: Sendable {
  /// What has been looked at: the current item, and the music to add.
  struct Seen: Equatable {
    let item: PlayQueue.Item.ID
    let music: KeepPlaying
  }

  struct Pending {
    var seen: Seen?
    var isDue = false
  }

  let worker = Worker<Pending>(named: "segue-refill", Pending())
  private weak let player: LocalPlayer?
  private let hours: Int

  init(_ player: LocalPlayer, hours: Int) { (self.player, self.hours) = (player, hours) }

  /// Receives a queue, and wakes the thread if it will soon end, and that has not been seen with this current item.
  func receive(_ queue: PlayQueue) {
    guard let music = queue.modes.keepPlaying, queue.modes.repeat == .off, let current = queue.current?.id else {
      return worker.withPending { $0.seen = nil }
    }
    let endsSoon = queue.remainingCount <= QueueRefiller.remainingCount
    let isDue = worker.withPending { pending in
      let seen = Seen(item: current, music: music)
      guard pending.seen != seen else { return false }
      (pending.seen, pending.isDue) = (endsSoon ? seen : nil, endsSoon)
      return endsSoon
    }
    if isDue { worker.wake() }
  }

  func step() {
    let isDue = worker.withPending { pending in
      defer { pending.isDue = false }
      return pending.isDue
    }
    guard isDue, let player else { return }
    let queue = player.parts.queue.queue
    guard let music = queue.modes.keepPlaying, let current = queue.current?.id else { return }
    do throws(PlayerError) {
      let added = try RefillMusic(index: try player.index(nil), language: player.parts.access.language, hours: hours)
        .tracks(for: music, after: queue)
      guard !added.isEmpty else {
        return player.report("nothing to keep playing: no track matches \"\(music.text)\"")
      }
      // The user may have done something else meanwhile.
      let present = player.parts.queue.queue
      guard present.modes.keepPlaying == music, present.current?.id == current,
        present.remainingCount <= QueueRefiller.remainingCount
      else { return worker.withPending { $0.seen = nil } }
      player.parts.actions.refill(TrackCollection(title: music.text, tracks: TrackList(added)))
    } catch {
      player.report("cannot keep playing: \(error)")
    }
  }
}
