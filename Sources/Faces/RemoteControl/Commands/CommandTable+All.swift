extension CommandTable {
  /// All commands, for a server to whose network clients `access` applies, and whose clients say things to each other
  /// at `board`.
  static func all(_ access: NetworkAccess, _ board: MessageBoard) -> CommandTable {
    let families =
      connection(access) + features + ranges + playing + status + queueReading + queueEditing + queueAdding
      + queueFinding
      + playlistReading + playlistEditing + library + messages(board) + forwarding
    let names = (families.map(\.name) + ["commands", "notcommands"] + ConnectionState.wordNames).sorted()
    return CommandTable(families + listing(names, families))
  }

  /// `commands` and `notcommands`, which tell what a client may give of `names`.
  private static func listing(_ names: [String], _ families: [RemoteCommand]) -> [RemoteCommand] {
    let permissions = Dictionary(
      families.map { ($0.name, $0.permission) }, uniquingKeysWith: { first, _ in first })
    let list = { @Sendable (context: inout CommandContext, isAllowed: Bool) in
      for name in names
      where context.client.permission.isSuperset(of: permissions[name] ?? []) == isAllowed {
        context.response.add("command", name)
      }
    }
    return [
      RemoteCommand("commands", []) { list(&$1, true) },
      RemoteCommand("notcommands", []) { list(&$1, false) },
    ]
  }
}
