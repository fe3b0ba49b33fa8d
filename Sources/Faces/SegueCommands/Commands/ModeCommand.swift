import ArgumentParser
import MusicModel
import QueueFlow
import UnicodeText

/// `mode`: shows or sets how the queue is played.
struct ModeCommand: QueueStateCommand {
  static let configuration = CommandConfiguration(
    commandName: "mode", abstract: "Show or set how the queue is played.",
    discussion: """
      repeat off|all|one|album: what comes behind the end; one repeats the track, and next still goes on.
      random off|tracks|albums: in which order; albums stay whole. The items keep their positions.
      single on|off|once: whether playing waits behind every track, or this one; with repeat, it plays again.
      consume on|off: whether tracks leave the queue once they were played.
      stop-after current|album|off: where playing stops once.

      A mode alone is shown, and so are all without one. They never change what plays now, and are kept.

      Examples:
        mode
        mode repeat all
        mode random albums
        mode stop-after album
      """)

  @Argument(help: "repeat, random, single, consume or stop-after.")
  var name: String?

  @Argument(help: "What it is to be.")
  var value: String?

  @Flag(name: .long, help: "Print one line of JSON.")
  var json = false

  @OptionGroup var state: StateOptions
  @OptionGroup var manner: MannerOptions

  func run(in session: Session) throws {
    guard let name else { return try show(session.keptQueue(state).modes, in: session) }
    guard let mode = ModeName(rawValue: name) else {
      let names = ModeName.allCases.map(\.rawValue).joined(separator: ", ")
      throw CommandError(.usage, "\"\(name)\" is no mode: it is one of \(names)")
    }
    guard let value else { return try show(session.keptQueue(state).modes, [mode], in: session) }
    let change = try ModeChange(mode, value)
    let edit = try session.edit(state) { _ in change.apply(to: session.services.actions) }
    if json || !session.manner.isQuiet { try show(edit.after.modes, [mode], in: session) }
  }

  private func show(_ modes: QueueModes, _ names: [ModeName] = ModeName.allCases, in session: Session) throws {
    if json { return try session.say(json: ListedModes(modes)) }
    if session.manner.isPlain {
      return session.say(names.map { "\($0.rawValue): \($0.value(in: modes))" })
    }
    let table = Table(alignments: [.left, .left], flexible: [])
    for line in table.lines(names.map { [$0.rawValue, $0.value(in: modes)] }, columns: nil) {
      session.say(line)
    }
  }
}
