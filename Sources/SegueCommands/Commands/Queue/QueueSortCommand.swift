import ArgumentParser
import MusicModel
import QueueFlow

/// `queue sort`: puts the items into an order.
struct QueueSortCommand: QueueStateCommand {
  static let configuration = CommandConfiguration(
    commandName: "sort", abstract: "Sort the items of the queue.",
    discussion: """
      KEY is title, artist, album (album artist, date, album, disc and number), date, duration or path. Items of equal keys keep their \
      order.

      Examples:
        queue sort album
        queue sort duration --reverse
      """)

  @Argument(help: "By what.")
  var key: String

  @Flag(name: .long, help: "Sort the other way round.")
  var reverse = false

  @OptionGroup var state: StateOptions

  func run(in session: Session) throws {
    // The library's listings call it the year.
    guard let key = QueueSortKey(rawValue: key == "year" ? "date" : key) else {
      let keys = QueueSortKey.allCases.map(\.rawValue).joined(separator: ", ")
      throw CommandError(.usage, "a queue cannot be sorted by \"\(key)\": it is one of \(keys)")
    }
    let edit = try session.edit(state) { _ in session.services.actions.sort(by: key, descending: reverse) }
    let count = edit.before.items.count
    if count == 0 { return session.say("the queue is empty: there is nothing to sort") }
    session.say("sorted \(ItemCount.text(count)) by \(key.rawValue)")
  }
}
