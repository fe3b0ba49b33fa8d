// SPDX-License-Identifier: GPL-3.0-or-later

import Platform
import Synchronization
import SystemPackage
import Tagging

/// The ignore rules of each directory, from the pattern files that a scan has read. Safe to use from any thread.
final class ScanRules: Sendable {
  /// The maximum size of a pattern file, in bytes.
  static let sizeLimit = 1 << 20

  private struct State {
    /// The rules of the directories that have a pattern file.
    var own: [RelativePath: IgnoreRules] = [:]
    /// For each directory above the starting directories, whether a marker file excludes it.
    var above: [RelativePath: Bool] = [:]
  }

  private let plan: ScanPlan
  private let standard: IgnoreRules
  private let state = Mutex(State())

  init(_ plan: ScanPlan) {
    self.plan = plan
    standard = IgnoreRules(patterns: plan.ignoredPatterns)
  }

  /// Returns the rules that apply in a directory.
  func rules(in directory: RelativePath) -> IgnoreRules {
    state.withLock { state in
      if state.own.isEmpty { return standard }
      var path = directory
      while true {
        if let rules = state.own[path] { return rules }
        if path.bytes.isEmpty { return standard }
        path = path.parent
      }
    }
  }

  /// Reads the pattern file of a directory, if there is one.
  ///
  /// - Throws: If the file cannot be read; its patterns are then not applied.
  func read(in directory: RelativePath) throws(Errno) {
    let file = plan.absolute(directory.appending(IgnoreRules.fileName))
    guard let contents = try AtomicFile.read(file, limit: Self.sizeLimit) else { return }
    let rules = (directory == .root ? standard : rules(in: directory.parent)).adding(contents)
    state.withLock { $0.own[directory] = rules }
  }

  /// Whether a starting directory of the scan, or a directory above it, is excluded. Reads the rules of the directories
  /// above it.
  func excludes(_ directory: RelativePath) -> Bool {
    var above: [RelativePath] = []
    var path = directory
    while !path.bytes.isEmpty {
      above.append(path)
      path = path.parent
    }
    var parent = RelativePath.root
    for child in above.reversed() {
      if hasMarker(parent) || rules(in: parent).ignores(child.name) { return true }
      parent = child
    }
    return false
  }

  /// Whether a directory has a marker file that excludes it. Reads the directory's pattern file as well.
  private func hasMarker(_ directory: RelativePath) -> Bool {
    if let known = state.withLock({ $0.above[directory] }) { return known }
    // An unreadable pattern file is reported when its directory is read.
    try? read(in: directory)
    let marker = plan.absolute(directory.appending(IgnoreRules.markerName))
    let hasMarker = (try? FileStatus(of: marker)) != nil
    state.withLock { $0.above[directory] = hasMarker }
    return hasMarker
  }
}
