import Platform
import SystemPackage

/// What one reading of a library is about.
struct ScanPlan: Sendable {
  /// Which directories are read.
  enum Scope: Sendable, Hashable {
    /// All.
    case everything
    /// These; of the directories in them only those that are not known, or all.
    case directories([RelativePath], recursively: Bool)

    /// Whether this directory was asked for by its name.
    func names(_ path: RelativePath) -> Bool {
      if case .directories(let paths, _) = self { paths.contains(path) } else { false }
    }
  }

  /// The directory of the library, absolute.
  let root: [UInt8]
  /// The row of the library.
  let library: Int64
  /// Which directories are read.
  let scope: Scope
  /// Whether the index holds tracks or problems of it already.
  let isKnown: Bool
  /// Reads the tags.
  let reader: TagReader
  /// The patterns of names that are left out.
  var ignoredPatterns: [String] = []
  /// Whether files are read that have not changed.
  var readsUnchanged = false
  /// From where on it is kept as arrays, too.
  var snapshot = SnapshotLimits()
  /// Who is told what becomes of files, if anybody.
  var witness: FileChangeDesk.Witness?
  /// Whether to end early.
  let isCancelled: @Sendable () -> Bool

  /// Where something is.
  func absolute(_ path: RelativePath) -> FilePath { FilePath(systemBytes: path.absolute(in: root)) }

  /// Tells what becomes of the file at `path`.
  func tell(_ kind: @autoclosure () -> FileChange.Kind, _ path: @autoclosure () -> RelativePath) {
    witness?.see(FileChange(kind: kind(), path: absolute(path())))
  }

  /// Whether the directories in a directory are read whether or not they are known.
  var readsKnownDirectories: Bool {
    switch scope {
    case .everything: true
    case .directories(_, let recursively): recursively
    }
  }
}
