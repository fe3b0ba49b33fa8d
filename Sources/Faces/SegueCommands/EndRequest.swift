import Platform
import Synchronization

/// Has the program end because somebody has asked the player for it. Any thread.
public final class EndRequest: Sendable {
  private let isNoted = Atomic(false)

  /// Nobody has asked yet.
  public init() {}

  /// Whether somebody has.
  var isMade: Bool { isNoted.load(ordering: .acquiring) }

  /// Asks for it: whoever waits for the end of the program learns it as from the system.
  func make() {
    isNoted.store(true, ordering: .releasing)
    ProcessSignal.terminate.sendToThisProcess()
  }
}
