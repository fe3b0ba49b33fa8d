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
        outputs prefer "pulse:USB DAC" pulse:Headphones
      """,
    subcommands: [OutputsListCommand.self, OutputsUseCommand.self, OutputsPreferCommand.self],
    defaultSubcommand: OutputsListCommand.self)
}

/// The `outputs use` command: changes the output while music plays.
struct OutputsUseCommand: TransportCommand {
  static let configuration = CommandConfiguration(
    commandName: "use", abstract: "Play to another output from now on.",
    discussion: """
      NAME is a value of --output. The music plays on there from the frame at which it was faded out. If that output does not open, nothing \
      changes. The choice is valid until the player ends; the setting `output` is for the next one. A list of preferred outputs is followed \
      again when the output is unplugged, or when the one that the list means is used.

      Examples:
        outputs use pulse
        outputs use alsa-exclusive:hw:1
      """)

  @Argument(help: "Output to play to.")
  var name: String

  @OptionGroup var state: StateOptions

  func run(in session: Session) throws {
    _ = try session.settings(.useOutput(name), .player(state))
    try session.answer("output \(name)".safeForTerminal, nil as String?, isChanged: true)
  }
}

/// The `outputs prefer` command: sets the list of preferred outputs.
struct OutputsPreferCommand: TransportCommand {
  static let configuration = CommandConfiguration(
    commandName: "prefer", abstract: "Play to the first of several outputs that is plugged in.",
    discussion: """
      NAME is pulse:SINK or alsa-exclusive:DEVICE, or a part of the description of a sink, as in "pulse:USB DAC". The list is saved as the \
      setting `outputs`, and a player that runs follows it from now on: when a better output is plugged in, the music moves there; when \
      the one that plays is unplugged, the music moves to the next of the list, or pauses if there is none. Without NAME, the list is \
      printed; `none` clears it.

      Examples:
        outputs prefer "pulse:USB DAC" pulse:Headphones
        outputs prefer alsa-exclusive:hw:CARD=DAC pulse
        outputs prefer none
      """)

  @Argument(help: ArgumentHelp("Outputs, the best first, or none.", valueName: "name"))
  var names: [String] = []

  @OptionGroup var state: StateOptions

  func run(in session: Session) throws {
    if names.isEmpty {
      guard case .list(let entries)? = session.settings[.outputs] else { return }
      return session.printLines(entries.map(\.safeForTerminal))
    }
    let list = PreferredOutputs(names == ["none"] ? [] : names)
    if let problem = PreferredOutputs.problem(of: list.entries) { throw PlayerError(.usage, problem) }
    do {
      _ = try session.settings(.preferOutputs(list.entries), .player(state))
    } catch let error as PlayerError where error.status == .noPlayer {}
    try SettingsFileEdit.save(.list(list.entries), as: .outputs, in: Environment.settingsFile)
    session.settings = session.settings.overriding(for: [.outputs: .list(list.entries)])
    session.confirm(
      "preferred outputs: \(list.isEmpty ? "none" : list.entries.joined(separator: ", "))".safeForTerminal)
    session.printRemark("saved in \(Environment.settingsFile.shown)".safeForTerminal)
  }
}

/// The `outputs list` command: lists the values of `--output`.
struct OutputsListCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the audio outputs.",
    discussion: """
      Without --output, the marked driver is tried first, then the other device drivers in the order of this list. If outputs are \
      preferred, their numbers are shown instead.

      Examples:
        outputs list
        outputs list --json
      """)

  @Flag(name: .long, help: "Print one JSON object per line.")
  var json = false

  @OptionGroup var outputStyle: OutputStyleOptions

  func run(in session: Session) throws {
    let preferred = session.settings.preferredOutputs
    let outputs = Self.listed(session.services.player.listOutputs(preferred), preferred)
    if json {
      for output in outputs { try session.printJSON(output) }
      return
    }
    if session.outputStyle.isPlain {
      return session.printLines(
        outputs.map { output in
          PlainLine(output.usage).adding(output.title).adding(output.default ? "tried first" : nil)
            .adding(output.preferred.map { "preferred \($0)" }).text
        })
    }
    let headings = session.columns == nil || session.outputStyle.isQuiet ? [] : [["", "Output", "Description"]]
    let rows = outputs.map { output in
      [output.preferred.map { "\($0)" } ?? (output.default ? "*" : " "), output.usage, output.title]
    }
    let table = Table(alignments: [.left, .left, .left], flexible: [2])
    let lines = table.lines(headings + rows.map { $0.map(\.safeForTerminal) }, columns: session.columns)
    session.printLines(lines.prefix(headings.count).map { session.palette[.heading].applied(to: $0) })
    session.printLines(Array(lines.dropFirst(headings.count)))
  }

  /// Returns `outputs` with their numbers in the list `preferred`, and then what is missing of that list. With a list,
  /// none is tried first.
  static func listed(_ outputs: [AvailableOutput], _ preferred: [String]) -> [ListedOutput] {
    let list = PreferredOutputs(preferred)
    return outputs.map { output in
      ListedOutput(
        usage: output.name, title: output.title, default: output.isTriedFirst && list.isEmpty,
        preferred: list.number(of: output.name, among: outputs))
    }
      + list.missing(among: outputs).map { number, entry in
        ListedOutput(usage: entry, title: "not available", default: false, preferred: number, available: false)
      }
  }
}

/// The JSON object that `outputs --json` prints for each output.
struct ListedOutput: Encodable, Equatable {
  let type = "output"
  /// The value to give to `--output`.
  var usage: String
  var title: String
  /// Whether this output is tried first if the user names none.
  var `default`: Bool
  /// The number in the list of preferred outputs, counted from 1; `nil` if it is not there.
  var preferred: Int?
  /// `false` if this is an entry of that list for which there is no output; otherwise `nil`.
  var available: Bool?
}
