// SPDX-License-Identifier: GPL-3.0-or-later

import ArgumentParser
import Platform
import PlayerPort
import Terminal
import UnicodeText
import UserSettings

/// The `outputs` command and its subcommands: the audio outputs.
struct OutputsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "outputs", abstract: "List the audio outputs, or change the one that plays.",
    discussion: """
      Without --output, the marked driver is tried first, then the other device drivers in the order of the list.

      Examples:
        outputs
        outputs use pulse
      """,
    subcommands: [OutputsListCommand.self, OutputsUseCommand.self], defaultSubcommand: OutputsListCommand.self)
}

/// The `outputs use` command: changes the output while music plays.
struct OutputsUseCommand: TransportCommand {
  static let configuration = CommandConfiguration(
    commandName: "use", abstract: "Play to another output from now on.",
    discussion: """
      NAME is a value of --output. The music plays on there from the frame at which it was faded out. If that output does not open, nothing \
      changes. The choice is valid until the player ends; the setting `output` is for the next one.

      Examples:
        outputs use pulse
        outputs use alsa-exclusive:hw:1
      """)

  @Argument(help: "Output to play to.")
  var name: String

  @OptionGroup var state: StateOptions
  @OptionGroup var outputStyle: OutputStyleOptions

  func run(in session: Session) throws {
    _ = try session.settings(.useOutput(name), .player(state))
    try session.answer("output \(name)".safeForTerminal, nil as String?, isChanged: true)
  }
}

/// The `outputs list` command: lists the values of `--output`.
struct OutputsListCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the audio outputs.",
    discussion: """
      Without --output, the marked driver is tried first, then the other device drivers in the order of this list.

      Examples:
        outputs list
        outputs list --json
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
