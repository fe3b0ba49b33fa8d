// SPDX-License-Identifier: GPL-3.0-or-later

/// A profile that was read from a file, and what in it was not understood.
public struct EqualiserReading: Sendable, Equatable {
  /// A line that was not understood, and is left out.
  public struct Problem: Sendable, Hashable, Codable, CustomStringConvertible {
    /// The number of the line, from 1.
    public let line: Int
    /// What is wrong with it; not yet escaped for a terminal.
    public let reason: String

    public var description: String { "line \(line): \(reason)" }
  }

  /// The maximum number of problems that are listed.
  static let problemLimit = 100

  public internal(set) var profile = EqualiserProfile()
  /// The lines that were not understood, at most 100, in their order.
  public private(set) var problems: [Problem] = []
  /// The number of all lines that were not understood.
  public private(set) var problemCount = 0
  /// How far the filters that approximate a graphic equaliser's curve are from it at most, in dB; `nil` if the file
  /// contains no such curve.
  public internal(set) var approximationError: Double?

  mutating func add(_ problem: EqualiserProblem, at line: Int) {
    problemCount += 1
    if problems.count < Self.problemLimit { problems.append(Problem(line: line, reason: problem.reason)) }
  }
}

/// What is wrong with a line.
struct EqualiserProblem: Error {
  let reason: String

  init(_ reason: String) { self.reason = reason }
}

/// Reads files in the syntax of Equalizer APO, which AutoEq writes.
public enum EqualiserReader {
  /// The maximum size of a file, in bytes.
  public static let byteLimit = 1 << 18

  /// Reads a profile. Every line that is not understood is reported, and left out.
  public static func read(_ text: String) -> EqualiserReading {
    var reading = EqualiserReading()
    var preamp: Double?
    var filters: [EqualiserFilter] = []
    var level = 0.0
    var concernsAllChannels = true
    let lines = text.split(omittingEmptySubsequences: false) { $0.isNewline }
    for (number, line) in lines.enumerated() {
      do throws(EqualiserProblem) {
        switch try EqualiserLine(line) {
        case .nothing: break
        case .someChannels:
          concernsAllChannels = false
          throw EqualiserProblem("filters of single channels are not supported, and are left out")
        case .preamp(let decibels):
          let sum = (preamp ?? 0) + decibels
          guard EqualiserProfile.preamps.contains(sum) else {
            throw EqualiserProblem("a preamp of \(sum) dB is out of range: use -60 to 30")
          }
          preamp = sum
        case .allChannels: concernsAllChannels = true
        case .filter(let filter):
          guard concernsAllChannels else { break }
          guard filters.count < EqualiserProfile.filterLimit else {
            throw EqualiserProblem("there are more than \(EqualiserProfile.filterLimit) filters")
          }
          filters.append(filter)
        case .curve(let curve):
          guard concernsAllChannels else { break }
          // Before the filters are computed, which takes a while.
          guard filters.count + FilterBank.filterCount <= EqualiserProfile.filterLimit else {
            throw EqualiserProblem("there are more than \(EqualiserProfile.filterLimit) filters")
          }
          let bank = FilterBank(approximating: curve)
          filters += bank.filters
          level += bank.level
          reading.approximationError = max(reading.approximationError ?? 0, bank.error)
        }
      } catch {
        reading.add(error, at: number + 1)
      }
    }
    reading.profile = EqualiserProfile(preamp: preamp.map { $0 + level }, filters: filters)
    // A curve below 0 dB keeps its level; any other gets the automatic preamp.
    if preamp == nil, reading.approximationError != nil, level + reading.profile.peak <= 0 {
      reading.profile.preamp = level == 0 ? nil : level
    }
    return reading
  }
}

/// A line of a file.
enum EqualiserLine {
  /// A comment, or a filter that is off.
  case nothing
  case preamp(Double)
  /// The following filters concern all channels.
  case allChannels
  /// The following filters concern some channels only.
  case someChannels
  case filter(EqualiserFilter)
  case curve([CurvePoint])

  init(_ line: Substring) throws(EqualiserProblem) {
    let line = line.drop { $0.isWhitespace || $0 == "\u{FEFF}" }
    guard let first = line.first, first != "#" else {
      self = .nothing
      return
    }
    guard let colon = line.firstIndex(of: ":") else { throw EqualiserProblem("no colon in \(Self.quoted(line))") }
    let words = line[..<colon].lowercased().split(whereSeparator: \.isWhitespace)
    let rest = line[line.index(after: colon)...]
    switch words.first {
    case "preamp": self = .preamp(try LineWords(rest).preamp())
    case "filter": self = try LineWords(rest).filter().map { .filter($0) } ?? .nothing
    case "graphiceq": self = .curve(try CurvePoint.points(rest))
    case "channel":
      self = rest.lowercased().split(whereSeparator: \.isWhitespace) == ["all"] ? .allChannels : .someChannels
    default: throw EqualiserProblem("\(Self.quoted(line[..<colon])) is not supported")
    }
  }

  /// Returns the beginning of a text, in quotation marks.
  static func quoted(_ text: some StringProtocol) -> String {
    let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    return words.count > 40 ? "\"\(words.prefix(40))…\"" : "\"\(words)\""
  }
}

/// The words of a line, after its colon.
private struct LineWords {
  private var words: ArraySlice<Substring>
  private let text: Substring

  init(_ text: Substring) {
    self.text = text
    words = text.split(whereSeparator: \.isWhitespace)[...]
  }

  mutating func next() -> String? { words.popFirst()?.lowercased() }

  /// Returns the next word as a number, and skips its unit, which may follow it directly.
  mutating func number(_ name: String, unit: String) throws(EqualiserProblem) -> Double {
    guard let word = next() else { throw EqualiserProblem("\(name) has no value") }
    let digits = unit.isEmpty || !word.hasSuffix(unit) ? word : String(word.dropLast(unit.count))
    guard let value = Double(digits), value.isFinite, digits.first?.isLetter == false else {
      throw EqualiserProblem("\(name) cannot be \(EqualiserLine.quoted(word)): use a number")
    }
    if digits == word, let following = words.first, following.lowercased() == unit { _ = next() }
    return value
  }

  func preamp() throws(EqualiserProblem) -> Double {
    var words = self
    let value = try words.number("the preamp", unit: "db")
    if let word = words.next() { throw EqualiserProblem("\(EqualiserLine.quoted(word)) is not understood") }
    return value
  }

  /// Returns the filter; `nil` if it is off.
  func filter() throws(EqualiserProblem) -> EqualiserFilter? {
    var words = self
    switch words.next() {
    case "on": break
    case "off": return nil
    default: throw EqualiserProblem("a filter must be ON or OFF: \(EqualiserLine.quoted(text))")
    }
    guard let name = words.next() else { throw EqualiserProblem("the filter has no type") }
    if name == "none" { return nil }
    guard let kind = Self.kinds[name] else {
      throw EqualiserProblem("the filter type \(EqualiserLine.quoted(name.uppercased())) is not supported")
    }
    var values: [String: Double] = [:]
    while let word = words.next() {
      let (key, value): (String, Double)
      switch word {
      case "fc": (key, value) = ("Fc", try words.number("Fc", unit: "hz"))
      case "gain": (key, value) = ("Gain", try words.number("Gain", unit: "db"))
      case "q": (key, value) = ("Q", try words.number("Q", unit: ""))
      case "bw":
        guard words.next() == "oct" else { throw EqualiserProblem("BW must be in octaves, as in BW Oct 0.5") }
        (key, value) = ("BW", try words.number("BW", unit: ""))
      default: throw EqualiserProblem("\(EqualiserLine.quoted(word)) is not understood")
      }
      guard values.updateValue(value, forKey: key) == nil else { throw EqualiserProblem("\(key) is given twice") }
    }
    return try Self.filter(kind, values)
  }

  private static func filter(
    _ kind: EqualiserFilter.Kind, _ values: [String: Double]
  ) throws(EqualiserProblem) -> EqualiserFilter {
    guard let frequency = values["Fc"] else { throw EqualiserProblem("the filter has no frequency: Fc is missing") }
    try check("Fc", frequency, EqualiserFilter.frequencies, "1 to 100000 Hz")
    let gain = values["Gain"] ?? 0
    if kind.hasGain, values["Gain"] == nil { throw EqualiserProblem("the filter has no gain: Gain is missing") }
    try check("Gain", gain, EqualiserFilter.gains, "-30 to 30 dB")
    if let q = values["Q"] { try check("Q", q, EqualiserFilter.qualities, "0.05 to 100") }
    if let octaves = values["BW"] { try check("BW", octaves, EqualiserFilter.bandwidths, "0.01 to 10 octaves") }
    let width: EqualiserFilter.Width
    switch (values["Q"], values["BW"]) {
    case (let q?, nil): width = .q(q)
    case (nil, let octaves?): width = .octaves(octaves)
    case (_?, _?): throw EqualiserProblem("the filter has both Q and BW: use one of them")
    case (nil, nil):
      if kind == .peak { throw EqualiserProblem("the filter has no width: Q or BW is missing") }
      width = .q(kind == .notch ? 30 : 0.5.squareRoot())
    }
    return EqualiserFilter(kind, frequency, gain: gain, width)
  }

  private static func check(
    _ name: String, _ value: Double, _ range: ClosedRange<Double>, _ words: String
  ) throws(EqualiserProblem) {
    if !range.contains(value) { throw EqualiserProblem("\(name) \(value) is out of range: use \(words)") }
  }

  /// The kinds of filters, by their names in files.
  private static let kinds: [String: EqualiserFilter.Kind] = [
    "pk": .peak, "peq": .peak, "ls": .lowShelf, "lsc": .lowShelf, "hs": .highShelf, "hsc": .highShelf,
    "lp": .lowPass, "lpq": .lowPass, "hp": .highPass, "hpq": .highPass, "no": .notch, "bp": .bandPass, "ap": .allPass,
  ]
}
