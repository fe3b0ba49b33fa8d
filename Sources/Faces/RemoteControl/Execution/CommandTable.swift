/// The commands that a server knows, by their names.
struct CommandTable: Sendable {
  private let commands: [String: RemoteCommand]

  /// A table of these commands.
  init(_ commands: [RemoteCommand]) {
    self.commands = Dictionary(commands.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The command of this name.
  subscript(name: String) -> RemoteCommand? { commands[name] }

  /// All names, sorted.
  var names: [String] { commands.keys.sorted() }

  /// Which thread obeys the command of `line`.
  func lane(of line: [UInt8]) -> RemoteCommand.Lane {
    let name = line.prefix { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }
    return commands[String(decoding: name, as: UTF8.self)]?.lane ?? .immediate
  }
}
