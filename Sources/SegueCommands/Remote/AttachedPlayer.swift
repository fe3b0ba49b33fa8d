import Platform
import QueueFlow
import RemoteControl
import Synchronization
import SystemPackage

/// What the player does whose socket a REPL is attached to, as far as this process was told.
///
/// Two threads of its own follow it: one hears what happens, the other tells the seconds while something plays. A player that ends is looked
/// for again, since another may begin there.
final class AttachedPlayer: Sendable {
  /// How long until an absent player is looked for again.
  private static let patience: UInt64 = 2_000

  private let socket: FilePath
  private let known = Mutex<PlayerStatus?>(nil)
  private let seconds = ThreadSignal()
  private let onChange: @Sendable () -> Void

  /// Follows the player that listens at `socket`; `onChange` is called on one of the threads whenever ``prompt`` may be another.
  ///
  /// - Throws: `Errno` where the system grants no thread.
  init(_ socket: FilePath, onChange: @escaping @Sendable () -> Void) throws(Errno) {
    self.socket = socket
    self.onChange = onChange
    _ = try WorkerThread(name: "segue-attached") { [self] in follow() }
    _ = try WorkerThread(name: "segue-seconds") { [self] in tellSeconds() }
  }

  /// What a prompt says of it; `nil` where nothing plays, or there is no player.
  var prompt: ReplPrompt.Subject? {
    guard let status = known.withLock(\.self), let song = status.song else { return nil }
    return ReplPrompt.Subject(status.phase, position: position(status), title: song.title)
  }

  private func position(_ status: PlayerStatus) -> Duration {
    let passed = MonotonicInstant.now.nanoseconds.subtractingReportingOverflow(status.instant)
    let onward = status.isHeard && !passed.overflow ? Double(passed.partialValue) / 1e9 : 0
    let position = min(status.elapsed + onward, status.song?.seconds ?? .infinity)
    return position.isFinite ? .seconds(max(0, min(position, 1e9))) : .zero
  }

  private func follow() {
    while true {
      listen()
      take(nil)
      MonotonicInstant.now.advanced(byMilliseconds: Self.patience).sleep()
    }
  }

  /// Takes what the player says, until it says nothing more.
  ///
  /// Apart from the loop that begins it anew: Swift 6.3's optimiser does not end on the two in one.
  @inline(never)
  private func listen() {
    do throws(ControlClient.Failure) {
      var client = try ControlClient(socket)
      try client.watch { event in
        switch event.event {
        case .status: take(event.status)
        case .track, .state, .seek, .missed: take(askedStatus)
        case .queue, .volume, .modes, .scan, .problem: break
        }
        return true
      }
    } catch {
      // It ended, or there is none: the caller says so and looks again.
    }
  }

  /// All of its state, as it is now.
  private var askedStatus: PlayerStatus? {
    var status: PlayerStatus?
    var client = try? ControlClient(socket)
    try? client?.watch { event in
      status = event.status
      return false
    }
    return status
  }

  private func take(_ status: PlayerStatus?) {
    known.withLock { $0 = status }
    seconds.wake()
    onChange()
  }

  private func tellSeconds() {
    while true {
      let status = known.withLock(\.self)
      guard let status, status.isHeard else {
        seconds.wait()
        continue
      }
      let rest = 1_000 - position(status).wholeMilliseconds % 1_000
      if !seconds.wait(until: .now.advanced(byMilliseconds: rest)) { onChange() }
    }
  }
}
