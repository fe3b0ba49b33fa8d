// SPDX-License-Identifier: GPL-3.0-or-later

import ArgumentParser
import Equalising
import PlayerPort
import Screens
import Terminal
import UnicodeText

/// The `equalizer` command and its subcommands: the parametric equaliser, and the crossfeed for headphones.
struct EqualizerCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "equalizer", abstract: "Show or set the parametric equalizer.",
    discussion: """
      A profile is a file with filters, as AutoEq and Equalizer APO have them. It belongs to an output, and follows it. \
      `segue help sound` says more.

      Examples:
        equalizer import "HD 650 ParametricEQ.txt"
        equalizer use "HD 650"
        equalizer set 3 +2.5
        equalizer crossfeed default
        equalizer bypass
      """,
    subcommands: [
      EqualizerShowCommand.self, EqualizerListCommand.self, EqualizerUseCommand.self, EqualizerBypassCommand.self,
      EqualizerCrossfeedCommand.self, EqualizerSetCommand.self, EqualizerPreampCommand.self,
      EqualizerImportCommand.self, EqualizerDeleteCommand.self,
    ], defaultSubcommand: EqualizerShowCommand.self)
}

/// The `equalizer show` command: shows a profile with its curve.
struct EqualizerShowCommand: QueueStateCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show a profile, with its curve.",
    discussion: """
      Without NAME, the profile of the output is shown. The curve is that of the filters, without the preamp.

      Examples:
        equalizer show
        equalizer show "HD 650"
      """)

  @Argument(help: "Name of the profile. Default: that of the output.")
  var name: String?

  @Flag(name: .long, help: "Print one line of JSON.")
  var json = false

  @OptionGroup var state: StateOptions

  func run(in session: Session) throws {
    let report = try session.equalizer(.report(name), state)
    if json { return try session.printJSON(report) }
    session.printLines(
      EqualiserListing.lines(report, columns: session.columns, session.outputStyle, palette: session.palette))
  }
}

/// The `equalizer list` command: lists the profiles.
struct EqualizerListCommand: QueueStateCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the profiles, and the outputs to which they belong.",
    discussion: """
      Examples:
        equalizer list
        equalizer list --json
      """)

  @Flag(name: .long, help: "Print one JSON object per line.")
  var json = false

  @OptionGroup var state: StateOptions

  func run(in session: Session) throws {
    let report = try session.equalizer(.report(nil), state)
    if json {
      for profile in report.profiles { try session.printJSON(profile) }
      return
    }
    guard !report.profiles.isEmpty else {
      return session.printRemark("there are no profiles; `segue equalizer import FILE` adds one")
    }
    if session.outputStyle.isPlain {
      return session.printLines(
        report.profiles.map { profile in
          profile.outputs.reduce(PlainLine(profile.name)) { $0.adding($1) }.text
        })
    }
    let rows = report.profiles.map { profile in
      [profile.name == report.chosen ? ">" : " ", profile.name, profile.outputs.joined(separator: ", ")]
        .map(\.safeForTerminal)
    }
    session.printLines(Table(alignments: [.left, .left, .left], flexible: [2]).lines(rows, columns: session.columns))
  }
}

/// The `equalizer use` command: lets a profile belong to an output.
struct EqualizerUseCommand: QueueStateCommand {
  static let configuration = CommandConfiguration(
    commandName: "use", abstract: "Use a profile for an output, or none.",
    discussion: """
      The profile belongs to the output that plays, or to that of --output, and is applied whenever music is played there. The change is \
      heard at once, without a click. `off` is bit-perfect again.

      Examples:
        equalizer use "HD 650"
        equalizer use off
        equalizer use Speakers --output alsa-exclusive:hw:1
      """)

  @Argument(help: "Name of the profile, or off.")
  var name: String

  @OptionGroup var target: EqualizerTarget
  @OptionGroup var state: StateOptions

  func run(in session: Session) throws {
    try target.perform(.use(name == "off" ? nil : name, output: target.output), state, in: session) { output in
      name == "off" ? "no equalizer on \(output)" : "\(name) on \(output)"
    }
  }
}

/// The output whose equaliser a command changes, and the form of the command's answer.
struct EqualizerTarget: ParsableArguments {
  @Option(name: .long, help: "Output to which it belongs. Default: the one that plays.")
  var output: String?

  @Flag(name: .long, help: "Print one line of JSON.")
  var json = false

  /// Performs a request, and prints the text for the name of the output.
  func perform(
    _ request: EqualiserRequest, _ state: StateOptions, in session: Session, text: (String) -> String
  ) throws {
    let report = try session.equalizer(request, state)
    try session.answer(
      text(output ?? report.output ?? "").safeForTerminal, json ? report : nil, isChanged: true)
  }
}

/// The `equalizer crossfeed` command: sets the crossfeed of an output.
struct EqualizerCrossfeedCommand: QueueStateCommand {
  static let configuration = CommandConfiguration(
    commandName: "crossfeed", abstract: "Set the crossfeed for headphones.",
    discussion: """
      LEVEL is default (700 Hz, 4.5 dB), chu-moy (700 Hz, 6 dB), meier (650 Hz, 9.5 dB) or off. Each ear then also hears the low tones of the \
      other channel, as from loudspeakers. Like a profile, the crossfeed belongs to the output that plays, or to that of --output.

      Examples:
        equalizer crossfeed default
        equalizer crossfeed meier --output alsa-exclusive:hw:1
        equalizer crossfeed off
      """)

  @Argument(help: "default, chu-moy, meier or off.")
  var level: String

  @OptionGroup var target: EqualizerTarget
  @OptionGroup var state: StateOptions

  func run(in session: Session) throws {
    let crossfeed = Crossfeed(rawValue: level)
    guard crossfeed != nil || level == "off" else {
      let levels = Crossfeed.allCases.map(\.rawValue).joined(separator: ", ")
      throw PlayerError(.usage, "the crossfeed cannot be \"\(level.brief)\": use \(levels) or off")
    }
    try target.perform(.crossfeed(crossfeed, output: target.output), state, in: session) { output in
      crossfeed == nil ? "no crossfeed on \(output)" : "crossfeed \(level) on \(output)"
    }
  }
}

/// The `equalizer bypass` command: compares the sound with and without the equaliser.
struct EqualizerBypassCommand: TransportCommand {
  static let configuration = CommandConfiguration(
    commandName: "bypass", abstract: "Bypass the equalizer and the crossfeed, or apply them again.",
    discussion: """
      Without STATE, it does the opposite of before. Meanwhile, the output is bit-perfect if nothing else prevents it.

      Examples:
        equalizer bypass
        equalizer bypass off
      """)

  @Argument(help: "on or off. Default: the opposite of before.")
  var bypass: String?

  @Flag(name: .long, help: "Print one line of JSON.")
  var json = false

  @OptionGroup var state: StateOptions

  func run(in session: Session) throws {
    guard bypass.map({ ["on", "off"].contains($0) }) ?? true else {
      throw PlayerError(.usage, "bypass cannot be \"\((bypass ?? "").brief)\": use on or off")
    }
    guard
      case .equaliser(let report) = try session.send(
        .equaliser(.bypass(bypass.map { $0 == "on" })), to: .player(state), changes: false)
    else { throw PlayerError.unexpectedReply }
    try session.answer(report.text.safeForTerminal, json ? report : nil, isChanged: true)
  }
}

extension Session {
  /// Sends a request about the equaliser to the player or, if none is running, to the files.
  func equalizer(_ request: EqualiserRequest, _ options: StateOptions) throws -> EqualiserReport {
    // The stored queue is only read: the profiles are files of their own.
    guard case .equaliser(let report) = try send(.equaliser(request), to: .queue(options), changes: false) else {
      throw PlayerError.unexpectedReply
    }
    return report
  }
}
