// SPDX-License-Identifier: GPL-3.0-or-later

import ArgumentParser
import PlayerPort
import Screens
import Terminal
import UnicodeText
import UserSettings

/// The `queue use` command: switches to another queue, or lists the queues.
struct QueueUseCommand: QueueStateCommand {
  static let configuration = CommandConfiguration(
    commandName: "use", abstract: "Switch to another queue, or list the queues.",
    discussion: """
      Each queue has its own items, position, modes and undo history; the first one is named "default". A queue that does not exist is \
      created. If the player is playing, it goes on with the other queue where that was left, and stops if that is empty; if it is paused or \
      stopped, it stays so. Without NAME, the queues are listed.

      Examples:
        queue use work
        queue use default
        queue use
      """)

  @Argument(help: "Name of the queue. Default: list the queues.")
  var name: String?

  @OptionGroup var window: WindowOptions
  @OptionGroup var state: StateOptions

  func run(in session: Session) throws {
    guard let name else {
      let printer = ListingPrinter<NamedQueue>(session, isJSON: window.json, mayPage: !window.noPager)
      let queues = try session.queues(.list, state, changes: false)
      _ = try printer.print(Array(queues.dropFirst(window.offset ?? 0).prefix(window.limit ?? .max)))
      return try printer.finish()
    }
    guard let used = try session.queues(.use(name), state).first else { throw PlayerError.unexpectedReply }
    session.printRemark(used.isNew ? "new queue: \(used.text)" : used.text)
  }
}

/// The `queue forget` command: deletes a queue.
struct QueueForgetCommand: QueueStateCommand {
  static let configuration = CommandConfiguration(
    commandName: "forget", abstract: "Delete a queue that is not in use.",
    discussion: """
      This cannot be undone; a queue with items is deleted only with --force. The current queue, and the one named "default", are not deleted.

      Examples:
        queue forget work
        queue forget work --force
      """)

  @Argument(help: "Name of the queue.")
  var name: String

  @Flag(name: .long, help: "Delete the queue even if it has items.")
  var force = false

  @OptionGroup var state: StateOptions

  func run(in session: Session) throws {
    guard let deleted = try session.queues(.delete(name, force: force), state).first else {
      throw PlayerError.unexpectedReply
    }
    session.printRemark("deleted queue \(deleted.text)")
  }
}

extension Session {
  fileprivate func queues(
    _ request: NamedQueueRequest, _ options: StateOptions, changes: Bool = true
  ) throws -> [NamedQueue] {
    guard case .queues(let queues) = try send(.queues(request), to: .queue(options), changes: changes) else {
      throw PlayerError.unexpectedReply
    }
    return queues
  }
}

extension NamedQueue: ListedEntry {
  static var table: Table { Table(alignments: [.left, .left, .right, .left], flexible: [1, 3]) }
  static var headings: [String] { ["", "Queue", "Tracks", "Current"] }

  private var countText: String { count.map { ItemCount.text($0, "track") } ?? "unreadable" }

  /// The queue in words, such as "work, 12 tracks, at So What"; safe for a terminal.
  fileprivate var text: String {
    ([name, countText] + (title.map { ["at \($0)"] } ?? [])).joined(separator: ", ").safeForTerminal
  }

  var cells: [String] { [isCurrent ? ">" : " ", name, countText, title ?? ""] }

  var plain: PlainLine {
    PlainLine(name).adding(countText).adding(title, as: "at").adding(isCurrent ? "current" : nil)
  }

  var role: Palette.Role? { count == nil ? .error : isCurrent ? .title : nil }

  var object: ListedObject {
    var object = ListedObject(.queue)
    object.name = name
    object.tracks = count
    object.title = title
    object.current = isCurrent
    return object
  }
}
