import SystemPackage

/// Another process has the queue: what was asked for is for that one.
struct PlayerIsElsewhere: Error, CustomStringConvertible {
  /// What to say where it does not answer.
  let refusal: CommandError

  var description: String { refusal.message }
}

extension CommandError {
  /// There is no player to be asked.
  static var noPlayer: CommandError {
    CommandError(.noPlayer, "no player is running; `segue play ALBUM` starts one")
  }
}
