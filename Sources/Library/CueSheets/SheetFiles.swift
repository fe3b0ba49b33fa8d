import FormatSniffing
import Platform
import SystemPackage
import Tagging

/// The names of the audio files in a directory, as cue sheets look for them.
struct SheetFileNames {
  private var exact: [[UInt8]: Int] = [:]
  private var folded: [String: Int] = [:]
  private var stems: [String: (place: Int, rank: Int)] = [:]

  /// These names; what is found is a place among them.
  init(_ names: [[UInt8]]) {
    for (place, name) in names.enumerated() {
      exact[name] = place
      // A name in the encoding of the sheet is text like that of the sheet.
      let text = LegacyText.decode(name).lowercased()
      if folded[text] == nil { folded[text] = place }
      let (stem, suffix) = Self.parts(of: text)
      let rank = Self.rank(of: suffix)
      if let best = stems[stem], best.rank <= rank { continue }
      stems[stem] = (place, rank)
    }
  }

  /// The file that a sheet calls `name`; `sheet` is the name of the sheet where its own stem may stand for it.
  func find(_ name: String, sheet: [UInt8]?) -> Int? {
    let name = Self.lastName(name)
    if let place = exact[Array(name.utf8)] { return place }
    let text = name.lowercased()
    if let place = folded[text] ?? stems[Self.parts(of: text).stem]?.place { return place }
    // "Album.flac.cue" lies beside "Album.flac".
    return sheet.flatMap { sheet in
      let own = Self.parts(of: LegacyText.decode(sheet).lowercased()).stem
      return folded[own] ?? stems[own]?.place
    }
  }

  /// What stands behind the last separator of directories, of either kind.
  static func lastName(_ path: String) -> String {
    path.split { $0 == "/" || $0 == "\\" }.last.map(String.init) ?? path
  }

  private static func parts(of name: String) -> (stem: String, suffix: String) {
    guard let stop = name.lastIndex(of: "."), stop > name.startIndex else { return (name, "") }
    return (String(name[..<stop]), String(name[name.index(after: stop)...]))
  }

  /// Which of several files that differ in their suffix comes first: the least.
  private static func rank(of suffix: String) -> Int {
    guard let format = AudioFileFormat(suffix: suffix), format.use == .played else { return 9 }
    return switch format {
    case .flac: 0
    case .wav, .w64, .rf64, .aiff, .caf, .au: 1
    default: 2
    }
  }
}

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
}
