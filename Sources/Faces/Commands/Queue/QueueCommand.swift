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

      Every edit can be undone, even after a restart. An edit that changes nothing says so and still succeeds.

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

/// The `queue play` command: plays the queue from a position.
struct QueuePlayCommand: PlayerCommand {
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

  var showsPlayer: Bool { true }
  func wantsOwnPlayer(_ services: Services) -> Bool { options.rendersFile(services) }
  var socketText: String? { options.socket }
  var stateDirectoryText: String? { options.stateDir }

  func run(in session: Session) throws {
    let range = try ItemRange(position)
    if !session.origin.isPlayer {
      return try PlayerRun(session, options).run { player, events in
        try player.resume(at: range) { events.post(.failed($0)) }
      }
    }
    try options.checkFixedOptions(in: session)
    let services = session.services
    let queue = services.queue.queue
    let index = try range.position(in: queue)
    try options.apply(to: services.actions, services.playback.state)
    services.actions.play(queue.items[index].id)
    session.printRemark(TrackLine.text(position: index, in: queue, session.outputStyle))
    session.reportDisabledOutput()
  }
}
