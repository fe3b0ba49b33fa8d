// SPDX-License-Identifier: GPL-3.0-or-later

import ArgumentParser
import Platform
import Terminal
import UnicodeText
import UserSettings

/// The `outputs` command: lists the values of `--output`.
struct OutputsCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "outputs", abstract: "List the audio outputs.",
    discussion: """
      Without --output, the marked driver is tried first, then the other device drivers in the order of this list.

      Examples:
        outputs
        outputs --json
      """)

  @Flag(name: .long, help: "Print one JSON object per line.")
  var json = false

  @OptionGroup var outputStyle: OutputStyleOptions

  func run(in session: Session) throws {
    let outputs = session.services.player.listOutputs()
    if json {
      for output in outputs { try session.printJSON(ListedOutput(output)) }
      return
    }
    if session.outputStyle.isPlain {
      return session.printLines(
        outputs.map { PlainLine($0.usage).adding($0.title).adding($0.isDefault ? "tried first" : nil).text })
    }
    let headings = session.columns == nil || session.outputStyle.isQuiet ? [] : [["", "Output", "Description"]]
    let rows = outputs.map { [$0.isDefault ? "*" : " ", $0.usage, $0.title] }
    let table = Table(alignments: [.left, .left, .left], flexible: [2])
    let lines = table.lines(headings + rows, columns: session.columns)
    session.printLines(lines.prefix(headings.count).map { session.palette[.heading].applied(to: $0) })
    session.printLines(Array(lines.dropFirst(headings.count)))
  }
}

/// The JSON object that `outputs --json` prints for each output.
struct ListedOutput: Encodable, Equatable {
  let type = "output"
  /// The value to give to `--output`.
  let usage: String
  let title: String
  /// Whether this output is tried first if the user names none.
  let `default`: Bool

  init(_ output: OutputListing) {
    usage = output.usage
    title = output.title
    `default` = output.isDefault
  }
}
