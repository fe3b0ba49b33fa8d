// SPDX-License-Identifier: GPL-3.0-or-later

package import Platform
public import SystemPackage

/// The files and directories that may be opened for a client.
///
/// A network client must not reach files outside the library, by whatever name or symbolic link. Every file that is
/// opened for one is resolved here first, and then opened under the path that this returns. Safe to use from any
/// thread; the methods block until the disk has been read.
public struct FileReach: Sendable {
  /// Any file, for the owner of the player.
  public static let anywhere = FileReach(roots: nil, isIndexed: { _ in true })

  /// The library's directories; `nil` if any file may be opened.
  package let roots: LibraryRoots?
  /// A directory beside the library whose files may be opened, too.
  private var other: FilePath?
  /// Whether the index has a track or a directory with tracks at an absolute path.
  package let isIndexed: @Sendable (FilePath) -> Bool

  private init(roots: LibraryRoots?, isIndexed: @escaping @Sendable (FilePath) -> Bool) {
    self.roots = roots
    self.isIndexed = isIndexed
  }

  /// Returns the reach of a network client: the files inside the directories of a library, after resolving links and
  /// `..`, and what the index shows behind links that lead out of them.
  ///
  /// - Parameter isIndexed: Returns whether the index has a track or a directory with tracks at an absolute path,
  ///   because the scan followed a link. It is called on the thread that asks, only for files outside the library.
  public static func library(
    _ roots: LibraryRoots, isIndexed: @escaping @Sendable (FilePath) -> Bool = { _ in false }
  ) -> FileReach {
    FileReach(roots: roots, isIndexed: isIndexed)
  }

  /// Returns this reach with the files inside `directory`, which the user has chosen.
  package func including(_ directory: FilePath) -> FileReach {
    var reach = self
    reach.other = directory
    return reach
  }

  /// This reach without what only the index shows, for use in a query of the index.
  package var withoutIndex: FileReach { roots.map { .library($0) } ?? self }

  package var isAnywhere: Bool { roots == nil }

  /// Returns the path under which to open the file or directory at the absolute path `path`: without links, unless any
  /// file may be opened. Returns `nil` if there is none, or if it must not be opened.
  ///
  /// - Parameter isBesideMusic: Whether it may also be opened if it is in a directory outside the library that the
  ///   index shows, although the index does not have the file itself. This is for playlists, cue sheets and covers.
  package func resolve(_ path: FilePath, isBesideMusic: Bool = false) -> FilePath? {
    if isAnywhere { return path }
    guard let real = try? path.realPath() else { return nil }
    if contains(realPath: real) || isIndexed(path) { return real }
    let directory = path.removingLastComponent()
    guard isBesideMusic, isIndexed(directory), let realDirectory = try? directory.realPath(),
      real.starts(with: realDirectory)
    else { return nil }
    return real
  }

  /// Returns the path under which to open the regular file at `path`, as ``resolve(_:isBesideMusic:)`` does, and its
  /// status.
  package func file(_ path: FilePath, isBesideMusic: Bool = false) -> (path: FilePath, status: FileStatus)? {
    guard let resolved = resolve(path, isBesideMusic: isBesideMusic), let status = try? FileStatus(of: resolved),
      status.kind == .regular
    else { return nil }
    return (resolved, status)
  }

  /// Whether the real path `path`, which contains no links, is inside the directories of the library or the chosen one.
  package func contains(realPath path: FilePath) -> Bool {
    guard let roots else { return true }
    return roots.contains(realPath: path) || (try? other?.realPath()).map { path.starts(with: $0) } ?? false
  }
}
