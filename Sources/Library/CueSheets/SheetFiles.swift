// SPDX-License-Identifier: GPL-3.0-or-later

import FormatSniffing
import Platform
import SystemPackage
import Tagging

/// An index of the audio files in a directory, by the names under which cue sheets may refer to them.
struct SheetFileNames {
  private let names: [[UInt8]]
  private var exact: [[UInt8]: Int] = [:]
  private var folded: [String: Int] = [:]
  private var stems: [String: (index: Int, rank: Int)] = [:]

  /// Creates an index of these names. Its results are indexes into `names`.
  init(_ names: [[UInt8]]) {
    self.names = names
    for (index, name) in names.enumerated() {
      exact[name] = index
      // Decode the name, because a sheet in the same legacy encoding is decoded, too.
      let text = LegacyText.decode(name).lowercased()
      if folded[text] == nil { folded[text] = index }
      let (stem, suffix) = Self.parts(of: text)
      let rank = Self.rank(of: suffix)
      if let best = stems[stem], best.rank <= rank { continue }
      stems[stem] = (index, rank)
    }
  }

  /// Returns the index of the file that a sheet calls `name`, or `nil` if there is none. If a file with the name of the
  /// sheet itself is also acceptable, pass that name as `sheet`.
  func find(_ name: String, sheet: [UInt8]?) -> Int? {
    let name = Self.lastName(name)
    if let index = find(name) { return index }
    let plain = LegacyText.decode(PercentEscapes.decoded(name.utf8))
    if plain != name, let index = find(Self.lastName(plain)) { return index }
    // "Album.flac.cue" belongs to "Album.flac".
    return sheet.flatMap { sheet in
      let sheetStem = Self.parts(of: LegacyText.decode(sheet).lowercased()).stem
      return folded[sheetStem] ?? stems[sheetStem]?.index
    }
  }

  /// Returns the name that is most similar to the missing `name`, if there is one.
  func nearest(to name: String) -> String? {
    let all = stems.sorted { $0.value.index < $1.value.index }
    let stem = Self.parts(of: Self.lastName(name).lowercased()).stem
    let index = Likeness.nearest(to: stem, in: all.map(\.key), limit: 1).first
    return index.map { LegacyText.decode(names[all[$0].value.index]) }
  }

  private func find(_ name: String) -> Int? {
    if let index = exact[Array(name.utf8)] { return index }
    let text = name.lowercased()
    return folded[text] ?? stems[Self.parts(of: text).stem]?.index
  }

  /// Returns the part of a path after the last slash or backslash.
  static func lastName(_ path: String) -> String {
    path.split { $0 == "/" || $0 == "\\" }.last.map(String.init) ?? path
  }

  private static func parts(of name: String) -> (stem: String, suffix: String) {
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return (name, "") }
    return (String(name[..<dot]), String(name[name.index(after: dot)...]))
  }

  /// Returns the rank of a suffix, for files that differ only in their suffix. The lowest rank is preferred.
  private static func rank(of suffix: String) -> Int {
    guard let format = AudioFileFormat(suffix: suffix), format.isPlayable else { return 9 }
    return switch format {
    case .flac: 0
    case .wav, .w64, .rf64, .aiff, .caf, .au: 1
    default: 2
    }
  }
}

/// The audio files in the subdirectories next to a cue sheet, which the sheet can name as in `FILE "CD1/01.flac"`, or
/// by a path of another machine that ends so.
struct SubdirectoryFiles {
  private struct Directory {
    let files: [[UInt8]]
    let names: SheetFileNames
  }

  private let path: FilePath
  /// The names of the subdirectories, exact and folded; `nil` until the first look-up.
  private var names: (exact: Set<[UInt8]>, folded: [String: [UInt8]])?
  private var directories: [[UInt8]: Directory] = [:]

  /// Creates a look-up of files below the directory at `path`. Nothing is read until the first look-up.
  init(_ path: FilePath) { self.path = path }

  /// Returns the last two names of a path, which are separated by slashes or backslashes. Returns `nil` if there is no
  /// directory before the last name, or if it is a drive or `..`.
  static func parts(of name: String) -> (directory: String, name: String)? {
    let parts = name.split { $0 == "/" || $0 == "\\" }.filter { $0 != "." }.suffix(2)
    guard parts.count == 2, let directory = parts.first, let last = parts.last, directory != "..",
      !directory.hasSuffix(":")
    else { return nil }
    return (String(directory), String(last))
  }

  /// Whether `text` in a sheet refers to a directory with this name.
  static func isDirectory(_ name: [UInt8], called text: String) -> Bool {
    name == Array(text.utf8) || [text, plain(text)].contains { $0.lowercased() == folded(name) }
  }

  /// Returns the file that a sheet calls `name`, with its directory, or `nil` if there is none.
  mutating func find(_ name: String) -> (directory: [UInt8], name: [UInt8])? {
    guard let parts = Self.parts(of: name), let directory = directory(parts.directory) else { return nil }
    let contents = directories[directory] ?? read(directory)
    directories[directory] = contents
    return contents.names.find(parts.name, sheet: nil).map { (directory, contents.files[$0]) }
  }

  private mutating func directory(_ text: String) -> [UInt8]? {
    let known = names ?? list()
    names = known
    let bytes = Array(text.utf8)
    return known.exact.contains(bytes)
      ? bytes : known.folded[text.lowercased()] ?? known.folded[Self.plain(text).lowercased()]
  }

  private func list() -> (exact: Set<[UInt8]>, folded: [String: [UInt8]]) {
    var (exact, folded): (Set<[UInt8]>, [String: [UInt8]]) = ([], [:])
    for entry in (try? DirectoryListing(of: path))?.entries ?? [] {
      let name = FilePath(root: nil, [entry.name]).systemBytes
      guard !SystemNames.contains(name),
        entry.kind == .directory || (try? FileStatus(of: path.appending(entry.name)))?.kind == .directory
      else { continue }
      exact.insert(name)
      if folded[Self.folded(name)] == nil { folded[Self.folded(name)] = name }
    }
    return (exact, folded)
  }

  private func read(_ name: [UInt8]) -> Directory {
    let directory = FilePath(systemBytes: path.systemBytes + [0x2F] + name)
    let entries = (try? DirectoryListing(of: directory))?.entries ?? []
    let files = entries.map { directory.appending($0.name) }.filter { AudioFileKind($0) != nil }.map(\.lastName)
    return Directory(files: files, names: SheetFileNames(files))
  }

  private static func folded(_ name: [UInt8]) -> String { LegacyText.decode(name).lowercased() }

  /// Returns a name without the escapes of a URI.
  private static func plain(_ text: String) -> String { LegacyText.decode(PercentEscapes.decoded(text.utf8)) }
}
