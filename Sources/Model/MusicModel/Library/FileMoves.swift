// SPDX-License-Identifier: GPL-3.0-or-later

public import SystemPackage

/// Moves of files and directories that scans of the library have found, in the order in which they were found.
public struct FileMoves: Sendable, Equatable {
  /// The move of a file, or of a directory with everything in it. Both paths are absolute.
  public struct Move: Sendable, Equatable {
    public var former: FilePath
    public var present: FilePath
    /// Whether a directory was moved.
    public var isDirectory: Bool

    public init(from former: FilePath, to present: FilePath, isDirectory: Bool = false) {
      self.former = former
      self.present = present
      self.isDirectory = isDirectory
    }
  }

  /// Moves that apply to a path one after another.
  private enum Step: Sendable, Equatable {
    /// The present paths of files by their former ones.
    case files([FilePath: FilePath])
    case directory(from: FilePath, to: FilePath)
  }

  /// The number of the last scan whose moves these are. Later scans have higher numbers.
  public private(set) var lastScan: Int64
  private var steps: [Step] = []

  /// Creates moves without any. `lastScan` is the number of the last scan that was considered.
  public init(lastScan: Int64 = 0) { self.lastScan = lastScan }

  public var isEmpty: Bool { steps.isEmpty }

  /// Adds the moves that the scan `scan` has found. They happened at the same time, like the two of a swap.
  public mutating func append(_ moves: [Move], of scan: Int64) {
    lastScan = max(lastScan, scan)
    var files: [FilePath: FilePath] = [:]
    for move in moves {
      if move.isDirectory {
        steps.append(.directory(from: move.former, to: move.present))
      } else {
        files[move.former] = move.present
      }
    }
    if files.isEmpty { return }
    guard case .files(let earlier) = steps.last else { return steps.append(.files(files)) }
    // A file that was moved before, and then again.
    var all = earlier.mapValues { files[$0] ?? $0 }
    all.merge(files) { earlier, _ in earlier }
    steps[steps.count - 1] = .files(all)
  }

  /// Returns the present path of the file that had the path `path` before these moves; the same path if it was not
  /// moved.
  public func present(_ path: FilePath) -> FilePath {
    var path = path
    for step in steps {
      switch step {
      case .files(let files): path = files[path] ?? path
      case .directory(let former, let present):
        var rest = path
        if rest.removePrefix(former) { path = present.appending(rest.components) }
      }
    }
    return path
  }
}
