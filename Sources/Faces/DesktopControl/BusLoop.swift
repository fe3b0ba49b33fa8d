// SPDX-License-Identifier: GPL-3.0-or-later

import Platform
import PlayerFlow
import Synchronization

/// The work of the bus thread: it answers requests, and signals changes a few times a second at most.
final class BusLoop: Sendable {
  /// How long a player that has played nothing waits before it connects to the bus, in milliseconds.
  private static let quietMilliseconds: UInt64 = 500
  /// The minimum time between two signals of changes, in milliseconds.
  private static let pauseMilliseconds: UInt64 = 100

  private let pipe: WakePipe
  private let place: BusPlace
  private let address: String?
  private let face: PlayerFace
  private let isEnded = Atomic(false)
  /// Whether there are changes that have not been examined.
  private let isNoted = Atomic(false)

  /// Creates the loop of a player on the bus at `place`, with the address `address` or that of the session bus. Returns
  /// `nil` if the system has no file descriptors left.
  init?(_ face: PlayerFace, at place: BusPlace, address: String?) {
    guard let pipe = try? WakePipe() else { return nil }
    self.pipe = pipe
    self.face = face
    self.place = place
    self.address = address
  }

  /// Schedules an examination of the stores. From any thread.
  func note() {
    if !isNoted.exchange(true, ordering: .sequentiallyConsistent) { pipe.wake() }
  }

  /// Ends the loop. From any thread.
  func end() {
    isEnded.store(true, ordering: .sequentiallyConsistent)
    pipe.wake()
  }

  /// Runs until the loop is ended. While there is no bus, it waits for one.
  func run() {
    awaitSound()
    var arrival = ArrivalWatch(for: place.file)
    while !isEnded.load(ordering: .sequentiallyConsistent) {
      if place.mayBeThere {
        guard BusConnection.canBeMade else { return }
        let shown = BusFace(face)
        if let bus = BusConnection(shown, at: address) {
          serve(bus, shown)
          arrival.restart()
        }
      }
      while !isEnded.load(ordering: .sequentiallyConsistent), !arrival.wait(until: pipe) {}
    }
  }

  /// Waits until something has become audible, or nothing has been requested for a while.
  private func awaitSound() {
    var limit = MonotonicInstant.now.advanced(byMilliseconds: Self.quietMilliseconds)
    while !isEnded.load(ordering: .sequentiallyConsistent) {
      isNoted.store(false, ordering: .sequentiallyConsistent)
      let (state, now) = (face.playback.state, MonotonicInstant.now)
      if state.startedCount > 0 { return }
      if state.isAwaited {
        limit = now.advanced(byMilliseconds: Self.quietMilliseconds)
      } else if now >= limit {
        return
      }
      pipe.wait(milliseconds: now.milliseconds(until: limit))
    }
  }

  private func serve(_ bus: BusConnection, _ shown: BusFace) {
    var allowed = MonotonicInstant.now
    while !isEnded.load(ordering: .sequentiallyConsistent) {
      let now = MonotonicInstant.now
      var isAwaited = isNoted.load(ordering: .sequentiallyConsistent)
      if isAwaited, now >= allowed {
        isNoted.store(false, ordering: .sequentiallyConsistent)
        shown.tellChanges(bus, at: now)
        allowed = now.advanced(byMilliseconds: Self.pauseMilliseconds)
        isAwaited = false
      }
      let limit = isAwaited ? now.milliseconds(until: allowed) : -1
      guard bus.serve(until: pipe, milliseconds: Int64(limit)) else { return }
    }
  }
}

extension MonotonicInstant {
  /// Returns the milliseconds until `later`, rounded up.
  fileprivate func milliseconds(until later: MonotonicInstant) -> Int {
    later <= self ? 0 : Int(clamping: (later.nanoseconds - nanoseconds) / 1_000_000 + 1)
  }
}
