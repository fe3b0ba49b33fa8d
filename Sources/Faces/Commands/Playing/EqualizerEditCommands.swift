// SPDX-License-Identifier: GPL-3.0-or-later

import ArgumentParser
import Equalising
import Platform
import PlayerPort
import Screens
import SystemPackage
import Terminal
import UnicodeText

/// The `equalizer set` command: changes a band of a profile.
struct EqualizerSetCommand: QueueStateCommand {
  static let configuration = CommandConfiguration(
    commandName: "set", abstract: "Change a band of a profile.",
    discussion: """
      BAND is the number of a filter, as `equalizer show` lists them; the number after the last adds one. GAIN is in dB. If the output has no \
      profile, one with ten bands is created: at 31, 62, 125, 250 and 500 Hz, and 1, 2, 4, 8 and 16 kHz.

      Examples:
        equalizer set 3 +2.5
        equalizer set 3 -2.5 --q 2
        equalizer set 11 4 --frequency 3000
      """)

  @Argument(parsing: .allUnrecognized, help: ArgumentHelp("Number of the band, and its gain.", valueName: "band gain"))
  var words: [String] = []

  @Option(name: .long, help: ArgumentHelp("New frequency.", valueName: "hz"))
  var frequency: Double?

  @Option(name: .long, help: "New quality: how narrow the band is.")
  var q: Double?

  @OptionGroup var edited: EditedProfile
  @OptionGroup var state: StateOptions

  func run(in session: Session) throws {
    guard let number = words.first.flatMap({ Int($0) }), words.count <= 2 else {
      throw PlayerError(.usage, "name a band by its number, and its gain, as in `segue equalizer set 3 +2.5`")
    }
    let gain = try words.dropFirst().first.map { text throws(PlayerError) in try Self.decibels("gain", text) }
    if gain == nil, frequency == nil, q == nil {
      throw PlayerError(.usage, "what is to change? Give a gain, --frequency or --q")
    }
    try Self.check("gain", gain, EqualiserFilter.gains, "-30 to 30 dB")
    try Self.check("--frequency", frequency, EqualiserFilter.frequencies, "1 to 100000 Hz")
    try Self.check("--q", q, EqualiserFilter.qualities, "0.05 to 100")
    try edited.send(.filter(number, gain: gain, frequency: frequency, q: q), state, in: session)
  }

  /// Returns the decibels in `text`.
  static func decibels(_ name: String, _ text: String) throws(PlayerError) -> Double {
    let number = text.lowercased().hasSuffix("db") ? String(text.dropLast(2)) : text
    guard let value = Double(number), value.isFinite else {
      throw PlayerError(.usage, "invalid \(name) \"\(text.brief)\": use decibels, as in +2.5")
    }
    return value
  }

  private static func check(
    _ name: String, _ value: Double?, _ range: ClosedRange<Double>, _ words: String
  ) throws(PlayerError) {
    guard let value, !range.contains(value) else { return }
    throw PlayerError.outOfRange(name, EqualiserWriter.number(value), words)
  }
}

/// The `equalizer preamp` command: sets the gain before the filters.
struct EqualizerPreampCommand: QueueStateCommand {
  static let configuration = CommandConfiguration(
    commandName: "preamp", abstract: "Set the gain before the filters of a profile.",
    discussion: """
      GAIN is in dB, or auto, which brings the highest point of the curve to 0 dB. What is louder than full scale is limited.

      Examples:
        equalizer preamp -6
        equalizer preamp auto
      """)

  @Argument(parsing: .allUnrecognized, help: ArgumentHelp("Gain in dB, or auto.", valueName: "gain"))
  var words: [String] = []

  @OptionGroup var edited: EditedProfile
  @OptionGroup var state: StateOptions

  func run(in session: Session) throws {
    guard let text = words.first, words.count == 1 else {
      throw PlayerError(.usage, "give the preamp in dB, or auto, as in `segue equalizer preamp -6`")
    }
    let preamp = text == "auto" ? nil : try EqualizerSetCommand.decibels("preamp", text)
    if let preamp, !EqualiserProfile.preamps.contains(preamp) {
      throw PlayerError.outOfRange("preamp", text.brief, "-60 to 30 dB, or auto")
    }
    try edited.send(.preamp(preamp), state, in: session)
  }
}

/// The options of commands that change a profile.
struct EditedProfile: ParsableArguments {
  @Option(name: .long, help: "Profile to change. Default: that of the output.")
  var profile: String?

  @Flag(name: .long, help: "Print one line of JSON.")
  var json = false

  func send(_ edit: EqualiserEdit, _ state: StateOptions, in session: Session) throws {
    let report = try session.equalizer(.edit(edit, in: profile), state)
    if json { return try session.printJSON(report) }
    guard !session.outputStyle.isQuiet else { return }
    session.printLines(
      EqualiserListing.lines(report, columns: session.columns, session.outputStyle, palette: session.palette))
  }
}

/// The `equalizer import` command: stores a file as a profile.
struct EqualizerImportCommand: QueueStateCommand {
  static let configuration = CommandConfiguration(
    commandName: "import", abstract: "Store a file of AutoEq or Equalizer APO as a profile.",
    discussion: """
      Every line that is not understood is reported, and left out. The profile gets the name of the file, without "ParametricEQ" and the \
      like. `equalizer use` applies it.

      Examples:
        equalizer import "Sennheiser HD 650 ParametricEQ.txt"
        equalizer import eq.txt --name Speakers --force
      """)

  @Argument(help: "File to read.", completion: .file())
  var file: String

  @Option(name: .long, help: "Name of the profile. Default: that of the file.")
  var name: String?

  @Flag(name: .long, help: "Replace a profile of the same name.")
  var force = false

  @Flag(name: .long, help: "Print one line of JSON.")
  var json = false

  @OptionGroup var state: StateOptions

  func run(in session: Session) throws {
    let path = FilePath(typed: file)
    let bytes: [UInt8]?
    do throws(Errno) { bytes = try AtomicFile.read(path, limit: EqualiserReader.byteLimit) } catch {
      let reason =
        error == .fileTooLarge
        ? "has more than \(EqualiserReader.byteLimit) bytes" : error == .invalidArgument ? "is not a file" : "\(error)"
      throw PlayerError(.failure, "cannot read \(path.shown): \(reason)")
    }
    guard let bytes else { throw PlayerError(.notFound, "no such file: \(path.shown)") }
    guard !bytes.contains(0), let text = String(validating: bytes, as: UTF8.self) else {
      throw PlayerError(.failure, "\(path.shown) is not UTF-8 text")
    }
    let name = name ?? Self.name(path)
    let report = try session.equalizer(.store(name, text: text, replaces: force), state)
    let count = report.shown?.profile.filters.count ?? 0
    let filters = count == 1 ? "1 filter" : "\(count) filters"
    try session.answer(
      "\(name): \(filters); `equalizer use` applies it".safeForTerminal, json ? report : nil, isChanged: true)
  }

  /// Returns the name of the profile in a file.
  private static func name(_ path: FilePath) -> String {
    let stem = path.stem ?? path.shown
    let suffix = [" ParametricEQ", " FixedBandEQ", " GraphicEQ"].first { stem.hasSuffix($0) && stem != $0 }
    return String(stem.dropLast(suffix?.count ?? 0))
  }
}

/// The `equalizer delete` command: deletes a profile.
struct EqualizerDeleteCommand: QueueStateCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete", abstract: "Delete a profile.",
    discussion: """
      The outputs to which it belongs have none afterwards.

      Examples:
        equalizer delete Speakers
      """)

  @Argument(help: "Name of the profile.")
  var name: String

  @OptionGroup var state: StateOptions

  func run(in session: Session) throws {
    _ = try session.equalizer(.delete(name), state)
    session.printRemark("deleted profile \(name.safeForTerminal)")
  }
}
