// SPDX-License-Identifier: GPL-3.0-or-later

import ArgumentParser
import LibraryIndex
import LibraryScanning
import MusicModel
import Platform
import PlayerPort
import RemoteControl
import Screens
import SystemPackage
import Tagging
import Terminal
import UnicodeText
import UserSettings

/// The `doctor` command: checks the installation, for a report about a problem.
struct DoctorCommand: StateCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor", abstract: "Check the installation, and print what a bug report needs.",
    discussion: """
      Checks the settings, the music directories, the index and the queue, and changes nothing. The exit status is 1 if something is wrong. \
      With --redact, no path is printed.

      Examples:
        doctor
        doctor --redact
      """)

  @Flag(name: .long, help: "Leave out all paths, for a public report.")
  var redact = false

  @OptionGroup var library: LibraryOptions
  @OptionGroup var state: StateOptions

  func run(in session: Session) throws {
    var report = DoctorReport(hidesPaths: redact)
    report.addProgram(session.services.diagnosis)
    report.addSettings(session.settings)
    report.addLibrary(library.request(in: session), session.services)
    report.addState(state.directory(in: session), session.services.diagnosis)
    report.addPlayer(session.socket(state.socket, stateDirectory: state.stateDir))
    report.addLimits()
    report.addOutputs(session.services.player.listOutputs([]))
    session.printLines(report.lines(isPlain: session.outputStyle.isPlain))
    if report.problemCount > 0 { session.status = .failure }
  }
}

/// The lines of a report about the installation.
struct DoctorReport {
  /// What was checked, and what was found.
  struct Entry: Equatable {
    var name: String
    var value: String
    var problem: String?
  }

  private let hidesPaths: Bool
  private(set) var entries: [Entry] = []

  /// The number of problems found.
  var problemCount: Int { entries.count { $0.problem != nil } }

  init(hidesPaths: Bool) { self.hidesPaths = hidesPaths }

  private mutating func add(_ name: String, _ value: String, problem: String? = nil) {
    entries.append(Entry(name: name, value: value, problem: problem))
  }

  private func text(_ path: FilePath) -> String { hidesPaths ? "(path left out)" : path.shown }

  mutating func addProgram(_ services: DiagnosisServices) {
    add("segue", SegueCommand.version)
    if let distribution = SystemReport.distribution { add("system", distribution) }
    if let kernel = SystemReport.kernel { add("kernel", kernel) }
    for library in services.libraries() { add(library.name, library.version ?? "not installed") }
  }

  mutating func addSettings(_ settings: Settings) {
    let path = Environment.settingsFile
    let exists = (try? FileStatus(of: path)) != nil
    add("settings", exists ? text(path) : "none")
    for problem in settings.problems {
      add("settings", exists ? text(path) : "none", problem: hidesPaths ? "a setting is invalid" : problem.description)
    }
  }

  mutating func addLibrary(_ request: LibraryRequest, _ services: Services) {
    for root in request.roots.all.map(\.path) {
      let kind = (try? FileStatus(of: root))?.kind
      add(
        "music", text(root),
        problem: kind == nil ? "there is no such directory" : kind == .directory ? nil : "this is not a directory")
    }
    let (path, report) = services.diagnosis.checkIndex(request.dataDirectory)
    add("index", path, report)
    guard report != nil, report?.problem == nil, let index = services.library.access.openPresent(request) else {
      return
    }
    for (listing, name) in [(LibraryListing.tracks, "tracks"), (.albums, "albums")] {
      if let count = try? index.count(of: listing, matching: .everything) { add(name, "\(count)") }
    }
  }

  mutating func addState(_ directory: FilePath, _ services: DiagnosisServices) {
    for (path, report) in services.checkState(directory) { add("queue", path, report) }
  }

  private mutating func add(_ name: String, _ path: FilePath, _ report: StoredFileReport?) {
    guard let report else { return add(name, "none yet") }
    let version = report.version.map { ", schema \($0 & 0xFF)" } ?? ""
    add(name, "\(text(path)), \(report.byteCount) bytes\(version)", problem: report.problem)
  }

  mutating func addPlayer(_ socket: FilePath) {
    do throws(ControlClientError) {
      _ = try ControlClient(socket, timeout: .seconds(1))
      add("player", "running")
    } catch {
      if case .notListening = error { return add("player", "not running") }
      add("player", text(socket), problem: PlayerError(error, at: hidesPaths ? "(path left out)" : socket).message)
    }
  }

  mutating func addLimits() {
    add("open files", "\(DescriptorLimit.raised())")
    add("address space", MemoryLimit.current == .max ? "no limit" : "\(MemoryLimit.current) bytes")
    if let limit = SystemReport.watchLimit { add("watched directories", "\(limit) at most") }
  }

  mutating func addOutputs(_ outputs: [AvailableOutput]) {
    add("outputs", outputs.map(\.name).joined(separator: ", "))
  }

  func lines(isPlain: Bool) -> [String] {
    guard !isPlain else {
      return entries.map { PlainLine($0.name).adding($0.value).adding($0.problem).text }
    }
    let width = (entries.map { $0.name.count }.max() ?? 0) + 2
    return entries.flatMap { entry in
      let name = entry.name.padded(toCells: width)
      let problem =
        entry.problem.map { [String(repeating: " ", count: width) + "problem: \($0)".safeForTerminal] } ?? []
      return [name + entry.value.safeForTerminal] + problem
    }
  }
}
