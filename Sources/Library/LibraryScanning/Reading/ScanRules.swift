import Platform
import Synchronization
import SystemPackage
import Tagging

/// What is left out where, as the files of patterns say that one scan has met. Any thread.
final class ScanRules: Sendable {
  /// The most bytes of a file of patterns.
  static let sizeLimit = 1 << 20

  private struct State {
    /// The rules of the directories that have such a file.
    var own: [RelativePath: IgnoreRules] = [:]
    /// The directories above those in which the scan begins: what is marked there is left out.
    var above: [RelativePath: Bool] = [:]
  }

  private let plan: ScanPlan
  private let standard: IgnoreRules
  private let state = Mutex(State())

  init(_ plan: ScanPlan) {
    self.plan = plan
    standard = IgnoreRules(patterns: plan.ignoredPatterns)
  }

  /// What holds in a directory.
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

  /// Reads the file of patterns of a directory, if it has one.
  ///
  /// - Throws: why it cannot be read; then it says nothing.
  func read(in directory: RelativePath) throws(Errno) {
    let file = plan.absolute(directory.appending(IgnoreRules.fileName))
    guard let contents = try AtomicFile.read(file, limit: Self.sizeLimit) else { return }
    let rules = (directory == .root ? standard : rules(in: directory.parent)).adding(contents)
    state.withLock { $0.own[directory] = rules }
  }

  /// Whether a directory in which a scan begins is left out, or one that it lies in. Reads the rules of those.
  func leavesOut(_ directory: RelativePath) -> Bool {
    var above: [RelativePath] = []
    var path = directory
    while !path.bytes.isEmpty {
      above.append(path)
      path = path.parent
    }
    var parent = RelativePath.root
    for child in above.reversed() {
      if isMarked(parent) || rules(in: parent).ignores(child.name) { return true }
      parent = child
    }
    return false
  }

  /// Whether a directory is marked to be left out. Reads its rules.
  private func isMarked(_ directory: RelativePath) -> Bool {
    if let known = state.withLock({ $0.above[directory] }) { return known }
    // What cannot be read is told where the directory itself is read.
    try? read(in: directory)
    let mark = plan.absolute(directory.appending(IgnoreRules.markName))
    let isMarked = (try? FileStatus(of: mark)) != nil
    state.withLock { $0.above[directory] = isMarked }
    return isMarked
  }
}
