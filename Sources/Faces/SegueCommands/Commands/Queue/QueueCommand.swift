import ArgumentParser

/// `queue`: shows and edits the queue.
struct QueueCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "queue", abstract: "Show the queue, and edit it.",
    discussion: """
      The queue of the player that runs; where none does, the one that is kept.

      Every edit can be undone, also after a restart. An edit that finds nothing to do says so, and is no failure.

      Examples:
        queue
        queue add "Kind of Blue" ~/Music/Low/02.flac
        queue next 'artist:coltrane year:1957'
        queue move 3-5 1
        queue remove 2,9-
        queue undo
      """,
    subcommands: [
      QueueListCommand.self, QueuePlayCommand.self, QueueAddCommand.self, QueueNextCommand.self,
      QueueInsertCommand.self, QueueRemoveCommand.self, QueueMoveCommand.self, QueueSwapCommand.self,
      QueueClearCommand.self, QueueCropCommand.self, QueueDedupeCommand.self, QueueShuffleCommand.self,
      QueueSortCommand.self, QueueUndoCommand.self, QueueRedoCommand.self, QueueHistoryCommand.self,
      QueueSaveCommand.self, QueueLoadCommand.self, QueueListsCommand.self, QueueAppendCommand.self,
      QueueDeleteCommand.self,
    ], defaultSubcommand: QueueListCommand.self)
}
