import Platform
import SystemPackage

/// The audio files in the directories that lie beside cue sheets, which sheets may name: `FILE "CD1/01.flac"`.
struct FilesBelowSheet {
  private struct Directory {
    let files: [[UInt8]]
    let names: SheetFileNames
  }

  private let path: FilePath
  /// The names of the directories, by their bytes and folded; `nil` where nobody asked yet.
  private var names: (exact: Set<[UInt8]>, folded: [String: [UInt8]])?
  private var directories: [[UInt8]: Directory] = [:]

  /// Those below the directory at `path`. Nothing is looked at before it is asked for.
  init(_ path: FilePath) { self.path = path }

  /// The directory and the name of a file that a sheet names with one directory in front of it, with a slash or a
  /// backslash between them; `nil` for any other.
  static func parts(of name: String) -> (directory: String, name: String)? {
    let isSeparator = { (character: Character) in character == "/" || character == "\\" }
    guard let first = name.first, !isSeparator(first) else { return nil }
    let parts = name.split(whereSeparator: isSeparator).filter { $0 != "." }
    guard parts.count == 2, parts[0] != "..", !parts[0].hasSuffix(":") else { return nil }
    return (String(parts[0]), String(parts[1]))
  }

  /// Whether a directory of this name is meant where a sheet says `text`.
  static func isDirectory(_ name: [UInt8], called text: String) -> Bool {
    name == Array(text.utf8) || folded(name) == text.lowercased()
  }

  /// The file that a sheet names, and the directory that it is in; `nil` where there is none.
  mutating func find(_ name: String) -> (directory: [UInt8], name: [UInt8])? {
    guard let parts = Self.parts(of: name), let directory = directory(parts.directory) else { return nil }
    let content = directories[directory] ?? read(directory)
    directories[directory] = content
    return content.names.find(parts.name, sheet: nil).map { (directory, content.files[$0]) }
  }

  private mutating func directory(_ text: String) -> [UInt8]? {
    let known = names ?? list()
    names = known
    let bytes = Array(text.utf8)
    return known.exact.contains(bytes) ? bytes : known.folded[text.lowercased()]
  }

  private func list() -> (exact: Set<[UInt8]>, folded: [String: [UInt8]]) {
    var (exact, folded): (Set<[UInt8]>, [String: [UInt8]]) = ([], [:])
    for entry in (try? DirectoryListing(of: path))?.entries ?? [] {
      let name = FilePath(root: nil, [entry.name]).systemBytes
      guard !IgnoreRules.isSystemName(name),
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
}
