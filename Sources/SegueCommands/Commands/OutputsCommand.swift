import ArgumentParser
import Platform
import UnicodeText

/// `outputs`: lists what `--output` takes.
struct OutputsCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "outputs", abstract: "List where the sound can go.",
    discussion: """
      With no --output, the drivers of devices are tried in the order of this list, the one marked first.

      Example:
        outputs
      """)

  @OptionGroup var manner: MannerOptions

  func run(in session: Session) throws {
    let outputs = session.services.listOutputs()
    if session.manner.isPlain {
      return session.say(
        outputs.map { PlainLine($0.usage).adding($0.title).adding($0.isDefault ? "tried first" : nil).text })
    }
    let rows = outputs.map { [$0.isDefault ? "*" : " ", $0.usage, $0.title] }
    let table = Table(alignments: [.left, .left, .left], flexible: [2])
    for line in table.lines(rows, columns: session.columns) { session.say(line) }
  }
}
