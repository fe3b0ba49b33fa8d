// SPDX-License-Identifier: GPL-3.0-or-later

import ArgumentParser
import MusicModel
import Platform
import PlayerFlow
import PlayerPort
import Screens

/// The `queue` command: shows and edits the queue.
struct QueueCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "queue", abstract: "Show and edit the queue.",
    discussion: """
      The queue of the running player; if none is running, the saved queue.

      Every edit can be undone, even after a restart. An edit that changes nothing says so and still succeeds. `queue use` switches between \
      several queues.

      Examples:
        queue
        queue add "Kind of Blue" ~/Music/Low/02.flac
        queue add --next 'artist:coltrane year:1957'
        queue move 3-5 1
        queue remove 2,9-
        queue undo
      """,
    subcommands: [
      QueueListCommand.self, QueuePlayCommand.self, QueueAddCommand.self, QueueInsertCommand.self,
      QueueRemoveCommand.self, QueueMoveCommand.self, QueueSwapCommand.self,
      QueueClearCommand.self, QueueCropCommand.self, QueueDedupeCommand.self, QueueShuffleCommand.self,
      QueueSortCommand.self, QueueUndoCommand.self, QueueRedoCommand.self, QueueHistoryCommand.self,
      QueueUseCommand.self, QueueForgetCommand.self,
    ], defaultSubcommand: QueueListCommand.self)
}

/// The `queue play` command: plays the queue from a position.
struct QueuePlayCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "play", abstract: "Play the queue from a position.",
    discussion: """
      POS is a position, . for the current item, or last. If no player is running, one is started with the saved queue, as by `resume`.

      Examples:
        queue play 3
        queue play last
      """, aliases: ["jump"])

  @Argument(help: ArgumentHelp("Position of the item to start with.", valueName: "pos"))
  var position: String

  @OptionGroup var options: PlayerOptions

  var outputStyle: OutputStyleOptions { options.outputStyle }
  var inline: Bool? { options.inline }

  func run(in session: Session) throws {
    let range = try ItemRange(position)
    try options.withRunningPlayer(in: session) { player, changes in
      guard case .playing(let started) = try session.send(.playItem(.range(range), changes), to: player) else {
        throw PlayerError.unexpectedReply
      }
      session.printRemark(TrackLine.text(started, session.outputStyle))
      try session.showPlayer(player)
    } orElse: {
      try PlayerRun(session, options).run { player, events in
        try player.resume(at: range) { events.post(.failed($0)) }
      }
    }
  }
}
