/// What is wrong with a setting; the others hold nevertheless.
struct SettingsFault: Error, Sendable, Equatable {
  /// Where it is said: the file with its line, or the variable of the environment.
  let place: String
  /// What is wrong, and what to write, not yet safe for a terminal.
  let message: String

  /// In one line.
  var description: String { "\(place): \(message)" }
}
