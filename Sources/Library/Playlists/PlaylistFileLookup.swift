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
  /// The maximum number of names of files in all directories that are searched regardless of case.
  private static let nameLimit = 2_000_000
  /// The maximum length of a path that is searched for regardless of case, in bytes.
  private static let lengthLimit = 4_096

  private let reach: FileReach
  private var directories: [[UInt8]: Directory] = [:]
  /// The existing directories that paths mean regardless of case; `nil` for a path without one.
  private var similarDirectories: [[UInt8]: [UInt8]?] = [:]
  /// The names in directories, by their form regardless of case.
  private var names: [[UInt8]: [String: [[UInt8]]]] = [:]
  private var nameCount = 0

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

  /// Looks up the file or directory whose absolute path is `path`, regardless of case and of Unicode normalisation;
  /// returns `nil` if there is none, or if there are several.
  mutating func lookUpSimilar(_ path: [UInt8]) -> LookupResult? {
    guard path.count <= Self.lengthLimit, !path.contains(0) else { return nil }
    let names = FilePath(systemBytes: path).lexicallyNormalized().systemBytes.split(separator: Self.slash)
    guard let name = names.last, let directory = similarDirectory(names.dropLast()) else { return nil }
    return similar(Array(name), in: directory).map { lookUp(directory + [Self.slash] + $0) }
  }

  /// Whether the directory at `path` has a name that is, regardless of case, `name`.
  mutating func has(_ name: String, in path: [UInt8]) -> Bool { names(in: path)[name] != nil }

  /// Returns the name that is most similar to that of the missing file at `path`, in the directory that it means.
  mutating func nearest(to path: FilePath) -> FilePath? {
    let parts = path.lexicallyNormalized().systemBytes.split(separator: Self.slash)
    guard path.systemBytes.count <= Self.lengthLimit, let name = parts.last,
      let directory = similarDirectory(parts.dropLast())
    else { return nil }
    let all = names(in: directory).sorted { $0.key < $1.key }
    guard all.count <= 10_000, let index = FileNameKey.nearest(to: FileNameKey.key(name), in: all.map(\.key)),
      let found = all[index].value.first
    else { return nil }
    return FilePath(systemBytes: directory + [Self.slash] + found)
  }

  /// Whether there is a directory at the absolute path `path`, as far as that may be known.
  mutating func isDirectory(_ path: [UInt8]) -> Bool {
    let directory = directory(path)
    return directory.isInScope && (try? FileStatus(of: directory.path))?.kind == .directory
  }

  /// Returns the absolute path of the existing directory that these names mean, without a slash at its end.
  private mutating func similarDirectory(_ names: ArraySlice<ArraySlice<UInt8>>) -> [UInt8]? {
    func path(_ end: Int) -> [UInt8] { names[..<end].reduce(into: []) { $0 += [Self.slash] + $1 } }
    var end = names.endIndex
    var found: [UInt8]?
    while found == nil {
      let path = path(end)
      if let known = similarDirectories[path] {
        found = known
        break
      }
      if end == names.startIndex || isDirectory(path) { found = path } else { end -= 1 }
    }
    while let directory = found, end < names.endIndex {
      found = similar(Array(names[end]), in: directory).map { directory + [Self.slash] + $0 }
      end += 1
      if similarDirectories.count >= Self.cacheLimit { similarDirectories = [:] }
      similarDirectories[path(end)] = .some(found)
    }
    return found
  }

  /// Returns the name in `directory` that is `name` regardless of case: one that differs only in its normalisation, or
  /// the only one.
  private mutating func similar(_ name: [UInt8], in directory: [UInt8]) -> [UInt8]? {
    guard let all = names(in: directory)[FileNameKey.key(name)] else { return nil }
    let same = all.filter { String(decoding: $0, as: UTF8.self) == String(decoding: name, as: UTF8.self) }
    let candidates = same.isEmpty ? all : same
    return candidates.count == 1 ? candidates.first : nil
  }

  private mutating func names(in path: [UInt8]) -> [String: [[UInt8]]] {
    if let known = names[path] { return known }
    let directory = directory(path.isEmpty ? [Self.slash] : path)
    var found: [String: [[UInt8]]] = [:]
    if directory.isInScope, nameCount < Self.nameLimit {
      for entry in (try? DirectoryListing(of: directory.path))?.entries ?? [] {
        let name = FilePath(root: nil, [entry.name]).systemBytes
        found[FileNameKey.key(name), default: []].append(name)
        nameCount += 1
      }
    }
    names[path] = found
    return found
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

/// The form in which names of files are compared regardless of case and of Unicode normalisation: text is compared by
/// canonical equivalence.
enum FileNameKey {
  static func key(_ name: some Collection<UInt8>) -> String { LegacyText.decode(name).lowercased() }

  /// Returns the index of the key that is most similar to `key`, without the suffixes.
  static func nearest(to key: String, in keys: [String]) -> Int? {
    func stem(_ key: String) -> String { key.lastIndex(of: ".").map { String(key[..<$0]) } ?? key }
    return Likeness.nearest(to: stem(key), in: keys.map(stem), limit: 1).first
  }
}
