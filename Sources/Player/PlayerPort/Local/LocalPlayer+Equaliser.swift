// SPDX-License-Identifier: GPL-3.0-or-later

import Equalising
import PlayerFlow
import Synchronization
import UnicodeText

/// The requests about the equaliser.
extension LocalPlayer {
  /// The name of the profile that is created for an output that has none.
  private static let newName = "Bands"

  private var equaliserFiles: EqualiserFiles { EqualiserFiles(directory: parts.equalisers) }

  /// Applies the stored profiles of the equaliser and levels of crossfeed to their outputs. Returns what is wrong with
  /// those that cannot be read.
  package func loadEqualisers() -> [String] {
    let (profiles, crossfeeds, problems) = equaliserFiles.contents()
    let state = parts.playback.state.equaliser
    if profiles != state.profiles || crossfeeds != state.crossfeeds {
      parts.actions.setEqualisers(profiles, crossfeeds: crossfeeds)
    }
    return problems
  }

  func perform(_ request: EqualiserRequest) throws(PlayerError) -> PlayerReply {
    let result = equaliserLock.withLock { _ in Result { () throws(PlayerError) in try change(request) } }
    return try result.get()
  }

  private func change(_ request: EqualiserRequest) throws(PlayerError) -> PlayerReply {
    let files = equaliserFiles
    var warnings: [String] = []
    var shown: String?
    switch request {
    case .report(let name): shown = name
    case .use(let name, let output):
      let output = if let output { output } else { try knownOutput(orUse: "equalizer use \(name ?? "off")") }
      if let name {
        warnings = Self.warnings(try files.read(name), name)
        shown = name
      }
      var bindings = try files.bindings()
      bindings[output] = name
      try files.store(bindings)
    case .crossfeed(let level, let output):
      let output = if let output { output } else { try knownOutput(orUse: "equalizer crossfeed \(level.name)") }
      var crossfeeds = try files.crossfeeds()
      crossfeeds[output] = level
      try files.store(crossfeeds)
    case .bypass(let isBypassed):
      parts.actions.bypassEqualiser(isBypassed ?? !parts.playback.state.equaliser.isBypassed)
      parts.actions.awaitDelivery()
      return PlayerReply(.equaliser(try report(nil)))
    case .edit(let edit, let name): shown = try self.edit(edit, name, files)
    case .create(let profile, let output):
      if let name = try files.bindings()[output] {
        throw PlayerError(.failure, "\(output.brief) has a profile by now: \"\(name.brief)\"")
      }
      shown = try create(profile, for: output, files)
    case .store(let name, let text, let replaces):
      try EqualiserFiles.check(name)
      guard text.utf8.count <= EqualiserReader.byteLimit else {
        throw PlayerError(.usage, "a profile cannot have more than \(EqualiserReader.byteLimit) bytes")
      }
      guard replaces || !files.names.contains(name) else {
        throw PlayerError(.failure, "there is already a profile \"\(name.brief)\": add --force, or choose another name")
      }
      let reading = EqualiserReader.read(text)
      warnings = Self.warnings(reading, name)
      if reading.profile.filters.isEmpty, reading.profile.preamp == nil {
        let reason = reading.problems.first.map { " (\($0))" } ?? ""
        throw PlayerError(.usage, "this is no profile of an equaliser: it has no filter that is on\(reason)")
      }
      try files.write(name, text)
      shown = name
    case .delete(let name):
      try files.delete(name)
      try files.store(try files.bindings().filter { $0.value != name })
    }
    if case .report = request {
    } else {
      warnings += loadEqualisers()
      parts.actions.awaitDelivery()
    }
    return PlayerReply(.equaliser(try report(shown)), warnings: warnings)
  }

  /// Changes a profile, and returns its name.
  private func edit(_ edit: EqualiserEdit, _ name: String?, _ files: EqualiserFiles) throws(PlayerError) -> String {
    let name = if let name { name } else { try editedProfile(files) }
    let text = try files.text(name)
    var profile = EqualiserReader.read(text).profile
    switch edit {
    case .preamp(let preamp): profile = EqualiserProfile(preamp: preamp, filters: profile.filters)
    case .all(let new): profile = new
    case .filter(let number, let gain, let frequency, let q):
      let (count, limit) = (profile.filters.count, EqualiserProfile.filterLimit)
      guard (1...min(count + 1, limit)).contains(number) else {
        throw PlayerError(.notFound, "no band \(number): \"\(name.brief)\" has \(count), and \(limit) are possible")
      }
      if number == count + 1 { profile.filters.append(EqualiserFilter(.peak, 1_000, gain: 0, .q(1.41))) }
      let old = profile.filters[number - 1]
      if gain != nil, !old.kind.hasGain {
        throw PlayerError(.usage, "band \(number) is a filter without a gain (\(old.kind.rawValue))")
      }
      profile.filters[number - 1] = EqualiserFilter(
        old.kind, frequency ?? old.frequency, gain: gain ?? old.gain, q.map { .q($0) } ?? old.width)
    }
    try files.write(name, EqualiserWriter.text(profile, replacing: text))
    return name
  }

  /// Returns the name of the output's profile, which is created if there is none.
  private func editedProfile(_ files: EqualiserFiles) throws(PlayerError) -> String {
    let output = try knownOutput(orUse: "equalizer set … --profile NAME")
    if let bound = try files.bindings()[output] { return bound }
    return try create(.tenBands, for: output, files)
  }

  /// Creates a profile for an output, and returns its name.
  private func create(
    _ profile: EqualiserProfile, for output: String, _ files: EqualiserFiles
  ) throws(PlayerError) -> String {
    var bindings = try files.bindings()
    var (new, number) = (Self.newName, 1)
    while files.names.contains(new) {
      number += 1
      new = "\(Self.newName) \(number)"
    }
    bindings[output] = new
    try files.write(new, EqualiserWriter.text(profile))
    try files.store(bindings)
    return new
  }

  /// The name of the output that plays or will play.
  private func knownOutput(orUse command: String) throws(PlayerError) -> String {
    if let output = parts.playback.state.equaliser.output { return output }
    throw PlayerError(
      .noPlayer,
      "no player is running, so the output is not known: name it, as in `segue \(command)"
        + (command.contains("--") ? "`" : " --output pulse`"))
  }

  private func report(_ name: String?) throws(PlayerError) -> EqualiserReport {
    let (state, files) = (parts.playback.state.equaliser, equaliserFiles)
    let bindings = try files.bindings()
    let chosen = state.output.flatMap { bindings[$0] }
    var report = EqualiserReport(output: state.output, chosen: chosen, isBypassed: state.isBypassed)
    report.crossfeeds = try files.crossfeeds()
    report.profiles = files.names.map { name in
      .init(name: name, outputs: bindings.filter { $0.value == name }.keys.sorted())
    }
    if let shown = name ?? chosen {
      let reading = try files.read(shown)
      report.shown = .init(name: shown, profile: reading.profile, approximationError: reading.approximationError)
    }
    return report
  }

  /// Returns what in a profile was not understood, or is not exact.
  private static func warnings(_ reading: EqualiserReading, _ name: String) -> [String] {
    var warnings = reading.problems.map { "\(name), \($0)" }
    if reading.problemCount > reading.problems.count {
      warnings.append("\(name): \(reading.problemCount - reading.problems.count) more lines are not understood")
    }
    if let error = reading.approximationError {
      let rounded = EqualiserWriter.number((error * 100).rounded(.up) / 100)
      warnings.append("\(name): the graphic equaliser is approximated by filters, within \(rounded) dB")
    }
    return warnings
  }
}
