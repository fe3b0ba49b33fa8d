// SPDX-License-Identifier: GPL-3.0-or-later

import Platform
import SystemPackage
import Tagging

/// Looks up the paths in playlists on disk. Caches the directories that it has looked up.
struct PlaylistFileLookup {
  enum LookupResult {
    case file(FilePath)
    case directory(FilePath)
    /// Nothing that can be played: its path (`nil` if unknown or out of scope), and the reason.
    case missing(FilePath?, ResolvedEntry.Reason)
  }

  /// A directory that has been looked up.
  private struct Directory {
    /// The path as written, with links left unresolved; the real path if a `..` follows a link.
    let path: FilePath
    let isInScope: Bool
    /// The bytes of the path, with a trailing slash.
    let prefix: [UInt8]

    init(path: FilePath, isInScope: Bool) {
      (self.path, self.isInScope) = (path, isInScope)
      let bytes = path.systemBytes
      prefix = bytes.last == PlaylistFileLookup.slash ? bytes : bytes + [PlaylistFileLookup.slash]
    }
  }

  private static let slash = UInt8(ascii: "/")
  private static let cacheLimit = 10_000

  private let reach: FileReach
  private var directories: [[UInt8]: Directory] = [:]

  /// Creates a look-up of files within `reach`.
  init(_ reach: FileReach) { self.reach = reach }

  /// Looks up an absolute path.
  mutating func lookUp(_ path: [UInt8]) -> LookupResult {
    if path.contains(0) { return .missing(nil, .unusableName) }
    guard let slash = path.lastIndex(of: Self.slash) else { return .missing(nil, .unusableName) }
    let name = path[(slash + 1)...]
    guard !name.isEmpty, !name.elementsEqual(".".utf8), !name.elementsEqual("..".utf8) else {
      let directory = directory(path)
      guard directory.isInScope else { return .missing(nil, .outsideLibrary) }
      let exists = (try? FileStatus(of: directory.path))?.kind == .directory
      return exists ? .directory(directory.path) : .missing(directory.path, .notFound)
    }
    let directory = directory(Array(path[...slash]))
    return lookUp(FilePath(systemBytes: directory.prefix + name), in: directory)
  }

  private func lookUp(_ file: FilePath, in directory: Directory) -> LookupResult {
    do throws(Errno) {
      let entryStatus = try FileStatus(of: file, followingLinks: false)
      var isFileInScope = directory.isInScope
      var kind = entryStatus.kind
      if kind == .symbolicLink {
        isFileInScope = reach.contains(realPath: try file.realPath())
        kind = try FileStatus(of: file).kind
      }
      guard isFileInScope || reach.isIndexed(file) else { return .missing(nil, .outsideLibrary) }
      return switch kind {
      case .regular: .file(file)
      case .directory: .directory(file)
      case .fifo, .special, .symbolicLink: .missing(file, .notAFile)
      }
    } catch {
      guard directory.isInScope else { return .missing(nil, .outsideLibrary) }
      switch error {
      case .noSuchFileOrDirectory, .notDirectory, .fileNameTooLong, .tooManySymbolicLinkLevels:
        return .missing(file, .notFound)
      default: return .missing(file, .unreadable(error))
      }
    }
  }

  private mutating func directory(_ bytes: [UInt8]) -> Directory {
    if let known = directories[bytes] { return known }
    let found = find(FilePath(systemBytes: bytes))
    if directories.count >= Self.cacheLimit { directories = [:] }
    directories[bytes] = found
    return found
  }

  private func find(_ path: FilePath) -> Directory {
    let lexical = path.lexicallyNormalized()
    guard let real = try? path.realPath() else {
      // A missing directory is in scope if its nearest existing parent is.
      var parent = lexical
      var realParent: FilePath?
      while realParent == nil, parent.removeLastComponent() { realParent = try? parent.realPath() }
      return Directory(path: lexical, isInScope: reach.contains(realPath: realParent ?? lexical))
    }
    let isSame = path.components.allSatisfy { $0.kind == .regular } || (try? lexical.realPath()) == real
    return Directory(path: isSame ? lexical : real, isInScope: reach.contains(realPath: real))
  }
}

/// The absolute paths at which the file of a playlist entry may be, the most likely first:
///
/// 1. The path as it is; a relative path is relative to the playlist's directory.
/// 2. If the path is relative: the path below the library's directories, as MPD writes it.
/// 3. If it contains backslashes: the same with slashes.
/// 4. If it is an absolute Windows path (`C:\...`, `\\host\...`, `\...`): its longest tail that exists below the
///    playlist's directory or below the library, such as `Music\Low\a.mp3`, `Low\a.mp3`, `a.mp3`.
/// 5. If it contains URI escapes: the same, unescaped.
struct PlaylistCandidates {
  /// The maximum number of components of a Windows path that are searched for.
  static let tailLimit = 16

  private static let slash = UInt8(ascii: "/")
  private static let backslash = UInt8(ascii: "\\")

  let directory: [UInt8]
  /// The further directories below which relative paths and Windows paths are searched for.
  let others: [[UInt8]]

  /// Calls `body` with each candidate for `path` until it returns `true`.
  func search(_ path: [UInt8], _ body: ([UInt8]) -> Bool) {
    if searchRelative(path, body) { return }
    let drive =
      WindowsPath.hasDrive(path)
      ? 2 : path.first == Self.slash && WindowsPath.hasDrive(path.dropFirst()) ? 3 : 0
    let isWindows = drive > 0 || path.contains(Self.backslash) || path.starts(with: [Self.slash, Self.slash])
    let slashed = isWindows ? path.map { $0 == Self.backslash ? Self.slash : $0 } : path
    if isWindows, searchWindows(slashed.dropFirst(drive), path, body) { return }
    if path.contains(UInt8(ascii: "%")) {
      let unescaped = FileURI.unescaped(slashed)
      if unescaped != slashed, !unescaped.contains(0) { _ = searchRelative(unescaped, body) }
    }
  }

  private func searchWindows(_ slashed: ArraySlice<UInt8>, _ path: [UInt8], _ body: ([UInt8]) -> Bool) -> Bool {
    if slashed.first != Self.slash { return slashed != path[...] && searchRelative(Array(slashed), body) }
    let names = slashed.split(separator: Self.slash).suffix(Self.tailLimit)
    // A tail must not contain "..".
    for start in names.indices where !names[start...].contains(where: { $0.elementsEqual("..".utf8) }) {
      let tail = Array(names[start...].joined(separator: [Self.slash]))
      for base in [directory] + others where body(base + [Self.slash] + tail) { return true }
    }
    return false
  }

  /// Tries an absolute path as it is, or a relative path below each of the directories. Returns whether `body` accepted
  /// one.
  private func searchRelative(_ path: [UInt8], _ body: ([UInt8]) -> Bool) -> Bool {
    if path.first == Self.slash { return body(path) }
    return ([directory] + others).contains { body($0 + [Self.slash] + path) }
  }
}
