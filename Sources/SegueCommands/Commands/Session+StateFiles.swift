import QueueFlow

extension Session {
  /// What `file` keeps, or `nil` where no player has written it yet.
  func read<Value>(_ file: StateFile<Value>) throws(CommandError) -> Value? {
    do throws(StateFileFailure) {
      return try file.read()
    } catch {
      switch error {
      case .damaged:
        throw CommandError(.failure, "\(file.path) is damaged; the next `segue play` writes it anew")
      case .unreadable(let error):
        throw CommandError(.failure, "\(file.path) cannot be read: \(error); check its permissions")
      }
    }
  }
}
