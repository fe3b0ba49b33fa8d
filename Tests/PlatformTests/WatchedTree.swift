// SPDX-License-Identifier: GPL-3.0-or-later

import SystemPackage
import TestSupport

@testable import Platform

/// A temporary directory, a watch of it, and the reports of the watch.
final class WatchedTree: Sendable {
  /// The reports so far.
  struct RecordedReports: Sendable {
    var reports: [DirectoryTreeReport] = []

    var batches: [DirectoryTreeChanges] {
      reports.compactMap { if case .changed(let changes) = $0 { changes } else { nil } }
    }

    var directories: Set<FilePath> { batches.reduce(into: []) { $0.formUnion($1.directories) } }
    var moves: [DirectoryTreeChanges.Move] { batches.flatMap(\.moves) }

    var unwatched: [FilePath] {
      reports.flatMap { if case .unwatched(let paths) = $0 { paths } else { [FilePath]() } }
    }
  }

  let directory: TemporaryDirectory
  let root: FilePath
  let recorded = Watched(RecordedReports())
  let watch: DirectoryTreeWatch

  /// Watches the directory `root` of a temporary directory, after `prepare` has created its contents.
  init(
    quiet: Duration = .milliseconds(30), longest: Duration = .seconds(30), limit: Int = .max,
    root name: String = "music", prepare: (TemporaryDirectory) throws -> Void = { _ in },
    ignoring isIgnored: @escaping @Sendable (ArraySlice<UInt8>) -> Bool = { _ in false }
  ) throws {
    let directory = try TemporaryDirectory()
    try directory.makeDirectory(name)
    try prepare(directory)
    self.directory = directory
    root = directory[name]
    let recorded = recorded
    watch = try DirectoryTreeWatch(
      root, delays: WatchDelays(quiet: quiet, longest: longest), limit: limit, ignoring: isIgnored
    ) { report in
      recorded.change { $0.reports.append(report) }
    }
  }

  deinit { watch.stop() }

  subscript(_ name: String) -> FilePath { name.isEmpty ? root : root.pushing(FilePath(name)) }

  /// Waits until the whole tree is watched.
  func waitUntilStarted() -> Bool { reportsReadAgain(.began) }

  /// Waits until the watch reports that the root has to be read again for this reason.
  func reportsReadAgain(_ reason: DirectoryTreeReport.Reason) -> Bool {
    recorded.wait { $0.reports.contains(.readAgain(self.root, because: reason)) }
  }

  /// Waits until these directories are reported as changed. Names are relative to the root.
  func reportsChange(_ names: String...) -> Bool {
    let paths = names.map { self[$0] }
    return recorded.wait { $0.directories.isSuperset(of: paths) }
  }

  /// Waits until this move is reported. Names are relative to the root.
  func reportsMove(_ from: String, _ to: String, isDirectory: Bool) -> Bool {
    recorded.wait {
      $0.moves.contains(
        DirectoryTreeChanges.Move(from: self[from], to: self[to], isDirectory: isDirectory))
    }
  }

  /// Forgets the reports so far.
  func forget() { recorded.change { $0 = RecordedReports() } }

  /// Writes a file into this directory, and returns whether the change is reported.
  func isFollowed(_ name: String) throws -> Bool {
    forget()
    try write("\(name)/followed")
    return reportsChange(name)
  }

  /// Writes a file in the tree, and creates the directories that contain it if they are missing.
  func write(_ name: String) throws {
    try directory.write([1], to: (root.lastComponent?.string ?? "") + "/" + name)
  }

  /// Renames a file within the tree.
  func move(_ from: String, _ to: String) throws { try self[from].rename(to: self[to]) }
}
