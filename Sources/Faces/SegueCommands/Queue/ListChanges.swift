import RemoteControl
import Synchronization

/// Reports changes of saved lists by commands of this process to its server. Any thread.
final class ListChanges: Sendable {
  private let handler = Mutex<(@Sendable () -> Void)?>(nil)

  /// Calls `handle` from now on.
  func observe(_ handle: @escaping @Sendable () -> Void) { handler.withLock { $0 = handle } }

  /// A list was made, changed or removed.
  func note() { handler.withLock { $0 }?() }
}

extension Session {
  /// Reports to the clients of the player, in whichever process, that a saved list was made, changed or removed.
  func noteListChange() {
    if face.isPlayer { return services.listChanges.note() }
    let socket = if case .attached(let socket) = face { socket } else { self.socket(nil, stateDirectory: nil) }
    var client = try? ControlClient(socket, patience: .seconds(1))
    _ = try? client?.ask("segue_lists")
  }
}
