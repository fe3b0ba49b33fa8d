import MusicModel
import Platform
package import SystemPackage
package import Tagging

/// The cue sheets of one directory and of the one above it, and what they say of the audio files in the directory.
///
/// A `FILE` line with one directory in front of the name, `/` or `\`, means the file there, where the sheet lies beside
/// such a directory. Else the name is taken without directories. It means, of the files beside the sheet, as of those
/// there: the one of this very name; else the one of this name in other case; else one of this name with another
/// suffix of audio, and where the sheet names no other file, one that is called as the sheet itself; of several, one
/// that can be played, without loss before with it. A file is claimed by one sheet: one of which all files are there
/// goes first, then one beside the file, then one whose name comes first; a sheet of which others have all files says
/// nothing.
package struct DirectorySheets {
  /// A sheet that was read, or why it was not.
  package struct Source: Sendable {
    /// What was read, or why nothing was.
    enum Contents: Sendable {
      case sheet(CueSheet)
      case fault(LibraryProblem.Reason)
    }

    /// The name of the `.cue` file.
    let name: [UInt8]
    /// Whether it lies in the directory above.
    var isAbove = false
    /// What it says.
    let contents: Contents
    /// Tells these contents from others.
    let mark: Int64

    /// Reads the file at `path`, of the directory itself or of the one above.
    package init(_ path: FilePath, isAbove: Bool = false) {
      self.init(path, name: path.lastName)
      self.isAbove = isAbove
    }

    private init(_ path: FilePath, name: [UInt8]) {
      do throws(Errno) {
        let status = try FileStatus(of: path)
        guard status.kind == .regular else {
          self.init(name: name, contents: .fault(.notAFile), mark: 0)
          return
        }
        guard status.size <= CueSheet.sizeLimit else {
          let error = CueSheetError.tooLarge(limit: CueSheet.sizeLimit)
          self.init(name: name, contents: .fault(.cueSheet(error.description)), mark: 0)
          return
        }
        self.init(name: name, try AtomicFile.read(path, limit: CueSheet.sizeLimit) ?? [])
      } catch {
        self.init(name: name, contents: .fault(.unreadable(error)), mark: 0)
      }
    }

    /// The sheet in `bytes`.
    init(name: [UInt8], _ bytes: [UInt8]) {
      let contents: Contents
      do { contents = .sheet(try CueSheet(bytes)) } catch { contents = .fault(.cueSheet(error.description)) }
      self.init(
        name: name, contents: contents, mark: Int64(bitPattern: (name + [0] + bytes).contentHash))
    }

    private init(name: [UInt8], contents: Contents, mark: Int64) {
      self.name = name
      self.contents = contents
      self.mark = mark
    }
  }

  /// The claims on the files, by their place among the names.
  package private(set) var claims: [Int: SheetClaim] = [:]
  /// The files that each sheet claims, by its place among the sheets.
  package private(set) var claimed: [[Int]]
  /// What is wrong with each sheet, by its place among them; what is wrong with those above is told where they lie.
  package private(set) var problems: [Int: LibraryProblem.Reason] = [:]
  /// The directories below in which each sheet names files, by its place among them.
  package private(set) var directoriesBelow: [Int: Set<[UInt8]>] = [:]

  /// Where a file is that a sheet names.
  private enum Place: Hashable {
    /// In the directory, under this place among the names.
    case here(Int)
    /// In another directory, which is another one's to tell of.
    case elsewhere
    case missing
  }

  /// What `sheets` say of the files of these names, which lie in `directory`.
  package init(_ sheets: [Source], files: [[UInt8]], in directory: FilePath) {
    claimed = Array(repeating: [], count: sheets.count)
    if sheets.isEmpty { return }
    let names = SheetFileNames(files)
    var below = FilesBelowSheet(directory)
    var found: [(number: Int, sheet: CueSheet, files: [Place])] = []
    for (number, source) in sheets.enumerated() {
      switch source.contents {
      case .fault(let reason): if !source.isAbove { problems[number] = reason }
      case .sheet(let sheet) where source.isAbove:
        found.append((number, sheet, Self.places(of: sheet, above: directory, names)))
      case .sheet(let sheet):
        let stem = sheet.files.count == 1 ? source.name : nil
        let places = sheet.files.map { file -> Place in
          guard let other = below.find(file) else {
            return names.find(file, sheet: stem).map { .here($0) } ?? .missing
          }
          directoriesBelow[number, default: []].insert(other.directory)
          return .elsewhere
        }
        found.append((number, sheet, places))
      }
    }
    found.sort { left, right in
      let (leftIsWhole, rightIsWhole) = (!left.files.contains(.missing), !right.files.contains(.missing))
      if leftIsWhole != rightIsWhole { return leftIsWhole }
      let (one, other) = (sheets[left.number], sheets[right.number])
      if one.isAbove != other.isAbove { return other.isAbove }
      return one.name.lexicographicallyPrecedes(other.name)
    }
    for (number, sheet, files) in found { claim(files, sheet, number, sheets[number]) }
  }

  /// Where the files are of a sheet that lies above `directory`.
  private static func places(
    of sheet: CueSheet, above directory: FilePath, _ names: SheetFileNames
  ) -> [Place] {
    sheet.files.map { file in
      guard let parts = FilesBelowSheet.parts(of: file),
        FilesBelowSheet.isDirectory(directory.lastName, called: parts.directory)
      else { return .elsewhere }
      return names.find(parts.name, sheet: nil).map { .here($0) } ?? .elsewhere
    }
  }

  private mutating func claim(_ files: [Place], _ sheet: CueSheet, _ number: Int, _ source: Source) {
    var reasons = sheet.problems.map(\.description)
    for (file, place) in files.enumerated() {
      guard sheet.tracks.contains(where: { $0.beginning?.file == file && $0.isAudio }), place != .elsewhere else {
        continue
      }
      guard case .here(let place) = place else {
        reasons.append("\(SheetFileNames.lastName(sheet.files[file])) is not there")
        continue
      }
      guard claims[place] == nil else {
        if claimed[number].contains(place) {
          reasons.append("\(SheetFileNames.lastName(sheet.files[file])) is not there")
        }
        continue
      }
      claimed[number].append(place)
      // 0 is no claim.
      let own = source.mark &+ Int64(file)
      claims[place] = SheetClaim(sheet, file: file, mark: own == 0 ? 1 : own)
    }
    if source.isAbove { return }
    guard let first = reasons.first else { return }
    problems[number] = .cueSheet(reasons.count == 1 ? first : "\(first), and \(reasons.count - 1) more")
  }
}

extension [UInt8] {
  /// FNV-1a in 64 bits.
  fileprivate var contentHash: UInt64 {
    reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }
}
