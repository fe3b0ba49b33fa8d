import Platform
import SystemPackage

/// What was told of a library and is still to be done: merged, so that nothing is done twice.
struct PendingUpdates {
  /// One thing to do.
  enum Step: Equatable {
    case markAbsent
    case reportUnwatched([FilePath])
    case rescan(FilePath)
    case update(DirectoryTreeChanges)
  }

  /// Beyond so many pairs of a changed directory and a later move, reading the whole tree is quicker than finding where
  /// each is.
  static let mostComparisons = 1_000_000

  private let root: FilePath
  /// Whether the root is gone, and this is still to be told.
  private(set) var isGone = false
  private var unwatched: [FilePath] = []
  private var trees: [FilePath] = []
  private var changes = DirectoryTreeChanges()

  /// Nothing to be done to the library at `root`.
  init(root: FilePath) { self.root = root }

  /// Adds what was told.
  mutating func add(_ report: DirectoryTreeReport) {
    switch report {
    case .rootGone:
      self = PendingUpdates(root: root)
      isGone = true
    case .unwatched(let directories): unwatched += directories
    case .readAgain(let tree, _): addTree(tree)
    case .changed(let later): addChanges(later)
    }
  }

  /// What to do next, which counts as done from now on.
  mutating func next() -> Step? {
    if isGone {
      isGone = false
      return .markAbsent
    }
    if !unwatched.isEmpty {
      defer { unwatched = [] }
      return .reportUnwatched(unwatched)
    }
    if !trees.isEmpty { return .rescan(trees.removeFirst()) }
    if changes.isEmpty { return nil }
    defer { changes = DirectoryTreeChanges() }
    return .update(changes)
  }

  private mutating func addTree(_ tree: FilePath) {
    isGone = false
    guard !isToBeRead(tree) else { return }
    trees.removeAll { $0.starts(with: tree) }
    trees.append(tree)
    changes.directories = changes.directories.filter { !$0.starts(with: tree) }
    if tree == root { changes.moves = [] }
  }

  private mutating func addChanges(_ later: DirectoryTreeChanges) {
    guard !isToBeRead(root) else { return }
    let moves = later.moves.filter(\.isDirectory)
    let (comparisons, isTooMany) = changes.directories.count.multipliedReportingOverflow(by: moves.count)
    if isTooMany || comparisons > Self.mostComparisons { return addTree(root) }
    if !moves.isEmpty {
      changes.directories = Set(changes.directories.map { Self.path(of: $0, after: moves) })
      trees = trees.map { Self.path(of: $0, after: moves) }
    }
    changes.directories.formUnion(later.directories.filter { !isToBeRead($0) })
    changes.moves += later.moves
  }

  private func isToBeRead(_ directory: FilePath) -> Bool { trees.contains { directory.starts(with: $0) } }

  /// Where a directory is after these moves.
  private static func path(of directory: FilePath, after moves: [DirectoryTreeChanges.Move]) -> FilePath {
    var path = directory
    for move in moves {
      var below = path
      if below.removePrefix(move.from) { path = move.to.pushing(below) }
    }
    return path
  }
}
