import Platform
import PlayerFlow
import Synchronization

/// What the thread of the bus does: it answers what comes, and tells what has changed, some times a second at most.
final class BusLoop: Sendable {
  /// How long a player that has played nothing waits before it shows itself.
  private static let quietMilliseconds: UInt64 = 500
  /// How soon a change may be told after another.
  private static let pauseMilliseconds: UInt64 = 100

  private let pipe: WakePipe
  private let place: BusPlace
  private let address: String?
  private let face: PlayerFace
  private let isEnded = Atomic(false)
  /// Whether something has changed that was not looked at.
  private let isNoted = Atomic(false)

  /// The loop of a player on the bus that listens at `place`, at `address` or as the session's; `nil` where the system
  /// has no descriptors left.
  init?(_ face: PlayerFace, at place: BusPlace, address: String?) {
    guard let pipe = try? WakePipe() else { return nil }
    self.pipe = pipe
    self.face = face
    self.place = place
    self.address = address
  }

  /// Has the stores be looked at soon. From any thread.
  func note() {
    if !isNoted.exchange(true, ordering: .sequentiallyConsistent) { pipe.wake() }
  }

  /// Ends the loop soon. From any thread.
  func end() {
    isEnded.store(true, ordering: .sequentiallyConsistent)
    pipe.wake()
  }

  /// Works until it is ended; without a bus, it waits for one.
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

  /// Waits until something is heard, or nothing is to be for a while.
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
  /// How many milliseconds, rounded up, until `later`.
  fileprivate func milliseconds(until later: MonotonicInstant) -> Int {
    later <= self ? 0 : Int(clamping: (later.nanoseconds - nanoseconds) / 1_000_000 + 1)
  }
}
