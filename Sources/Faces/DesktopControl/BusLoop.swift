// SPDX-License-Identifier: GPL-3.0-or-later

import Platform
import PlayerFlow
import PlayerPort
import Synchronization

/// The work of the bus thread: it answers requests, and signals changes at most ten times a second.
final class BusLoop: Sendable {
  /// The time in milliseconds without a request to play after which the loop connects to the bus, even if nothing has
  /// been played.
  private static let quietMilliseconds: UInt64 = 500
  /// The minimum time between two change signals, in milliseconds.
  private static let minimumIntervalMilliseconds: UInt64 = 100

  private let pipe: WakePipe
  private let location: BusLocation
  private let address: String?
  private let face: PlayerFace
  private let isEnded = Atomic(false)
  /// Whether the player has changed since it was last read.
  private let isUpdatePending = Atomic(false)

  /// Creates the loop that publishes a player on the bus at `location`. Returns `nil` if no file descriptors are
  /// available.
  ///
  /// - Parameter address: The address of the bus; `nil` for the session bus.
  init?(_ face: PlayerFace, at location: BusLocation, address: String?) {
    guard let pipe = try? WakePipe() else { return nil }
    self.pipe = pipe
    self.face = face
    self.location = location
    self.address = address
  }

  /// Makes the loop read the state of the player and signal its changes. Safe to call from any thread.
  func scheduleUpdate() {
    if !isUpdatePending.exchange(true, ordering: .sequentiallyConsistent) { pipe.wake() }
  }

  /// Ends the loop. Safe to call from any thread.
  func end() {
    isEnded.store(true, ordering: .sequentiallyConsistent)
    pipe.wake()
  }

  /// Runs until the loop is ended. Waits for a bus whenever there is none.
  func run() {
    awaitSound()
    var arrival = ArrivalWatch(for: location.file)
    while !isEnded.load(ordering: .sequentiallyConsistent) {
      if location.mayExist {
        guard BusConnection.isAvailable else { return }
        let busFace = BusFace(face)
        if let bus = BusConnection(busFace, at: address) {
          serve(bus, busFace)
          arrival.restart()
        }
      }
      while !isEnded.load(ordering: .sequentiallyConsistent), !arrival.wait(until: pipe) {}
    }
  }

  /// Waits until a track has become audible, or no request to play has been pending for a while.
  private func awaitSound() {
    var deadline = MonotonicInstant.now.advanced(byMilliseconds: Self.quietMilliseconds)
    while !isEnded.load(ordering: .sequentiallyConsistent) {
      isUpdatePending.store(false, ordering: .sequentiallyConsistent)
      let (state, now) = (face.port.snapshot, MonotonicInstant.now)
      if state.startedCount > 0 { return }
      if state.status.phase != .stopped {
        deadline = now.advanced(byMilliseconds: Self.quietMilliseconds)
      } else if now >= deadline {
        return
      }
      pipe.wait(milliseconds: now.milliseconds(until: deadline))
    }
  }

  private func serve(_ bus: BusConnection, _ busFace: BusFace) {
    var nextSignal = MonotonicInstant.now
    while !isEnded.load(ordering: .sequentiallyConsistent) {
      let now = MonotonicInstant.now
      var mustWait = isUpdatePending.load(ordering: .sequentiallyConsistent)
      if mustWait, now >= nextSignal {
        isUpdatePending.store(false, ordering: .sequentiallyConsistent)
        busFace.signalChanges(bus, at: now)
        nextSignal = now.advanced(byMilliseconds: Self.minimumIntervalMilliseconds)
        mustWait = false
      }
      let timeout = mustWait ? now.milliseconds(until: nextSignal) : -1
      guard bus.serve(until: pipe, milliseconds: Int64(timeout)) else { return }
    }
  }
}

extension MonotonicInstant {
  /// Returns the number of milliseconds until `later`, rounded up; 0 if `later` is in the past.
  fileprivate func milliseconds(until later: MonotonicInstant) -> Int {
    later <= self ? 0 : Int(clamping: (later.nanoseconds - nanoseconds) / 1_000_000 + 1)
  }
}
