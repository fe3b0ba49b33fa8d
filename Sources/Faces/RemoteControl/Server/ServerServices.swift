/// What all connections of a server share.
struct ServerServices: Sendable {
  let player: RemotePlayer
  let table: CommandTable
  let threads: CommandThreads
  let budget: ListBudget
  let board: MessageBoard
  /// Tells all clients what has changed. From any thread.
  let announce: @Sendable (Subsystem) -> Void
}
