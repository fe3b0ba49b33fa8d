import ArgumentParser
import MusicModel
import QueueFlow

/// `queue sort`: puts items into an order.
struct QueueSortCommand: QueueStateCommand {
  static let configuration = CommandConfiguration(
    commandName: "sort", abstract: "Sort items of the queue, or all.",
    discussion: """
      KEY is title, artist, album (album artist, date, album, disc and number), date, duration or path. Items of equal keys keep their \
      order. \(ItemRange.help) It is one part of the queue here.

      Examples:
        queue sort album
        queue sort duration --reverse
        queue sort title 5-last
      """)

  @Argument(help: "By what.")
  var key: String

  @Argument(parsing: .allUnrecognized, help: "Which items. Default: all.")
  var range: [String] = []

  @Flag(name: .long, help: "Sort the other way round.")
  var reverse = false

  @OptionGroup var state: StateOptions
  @OptionGroup var manner: MannerOptions

  func run(in session: Session) throws {
    // The library's listings call it the year.
    guard let key = QueueSortKey(rawValue: key == "year" ? "date" : key) else {
      let keys = QueueSortKey.allCases.map(\.rawValue).joined(separator: ", ")
      throw CommandError(.usage, "a queue cannot be sorted by \"\(key)\": it is one of \(keys)")
    }
    let range = try range.isEmpty ? nil : ItemRange(range)
    var part: Range<Int>?
    let edit = try session.edit(state) { queue throws(CommandError) in
      part = try range?.row(in: queue)
      session.services.actions.sort(part, by: key, descending: reverse)
    }
    let count = part?.count ?? edit.before.items.count
    if count == 0 { return session.remark("the queue is empty: there is nothing to sort") }
    session.remark("sorted \(ItemCount.text(count))\(PositionText.place(part)) by \(key.rawValue)")
  }
}
