import AudioCore
import MusicModel
import Platform
import SystemPackage

/// The cue sheets of one directory, and what they say of the audio files beside them.
///
/// The name in a `FILE` line is taken without the directories in front of it, `/` or `\`. It means, of the files beside
/// the sheet: the one of this very name; else the one of this name in other case; else one of this name with another
/// suffix of audio, and where the sheet names no other file, one that is called as the sheet itself; of several, one
/// that can be played, without loss before with it. A file is claimed by one sheet: one of which all files are there
/// goes first, then one whose name comes first; a sheet of which others have all files says nothing.
struct DirectorySheets {
  /// A sheet that was read, or why it was not.
  struct Source: Sendable {
    /// What was read, or why nothing was.
    enum Contents: Sendable {
      case sheet(CueSheet)
      case fault(LibraryProblem.Reason)
    }

    /// The name of the `.cue` file.
    let name: [UInt8]
    /// What it says.
    let contents: Contents
    /// Tells these contents from others.
    let mark: Int64

    /// Reads the file at `path`.
    init(_ path: FilePath) {
      let name = path.lastName
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
  private(set) var claims: [Int: SheetClaim] = [:]
  /// The files that each sheet claims, by its place among the sheets.
  private(set) var claimed: [[Int]]
  /// What is wrong with each sheet, by its place among them.
  private(set) var problems: [Int: LibraryProblem.Reason] = [:]

  /// What `sheets` say of the files of these names, which lie beside them.
  init(_ sheets: [Source], files: [[UInt8]]) {
    claimed = Array(repeating: [], count: sheets.count)
    if sheets.isEmpty { return }
    let names = SheetFileNames(files)
    var found: [(number: Int, sheet: CueSheet, files: [Int?])] = []
    for (number, source) in sheets.enumerated() {
      switch source.contents {
      case .fault(let reason): problems[number] = reason
      case .sheet(let sheet):
        let stem = sheet.files.count == 1 ? source.name : nil
        found.append((number, sheet, sheet.files.map { names.find($0, sheet: stem) }))
      }
    }
    found.sort { left, right in
      let (leftIsWhole, rightIsWhole) = (!left.files.contains(nil), !right.files.contains(nil))
      if leftIsWhole != rightIsWhole { return leftIsWhole }
      return sheets[left.number].name.lexicographicallyPrecedes(sheets[right.number].name)
    }
    for (number, sheet, files) in found { claim(files, sheet, number, sheets[number].mark) }
  }

  private mutating func claim(_ files: [Int?], _ sheet: CueSheet, _ number: Int, _ mark: Int64) {
    var reasons = sheet.problems.map(\.description)
    for (file, place) in files.enumerated() {
      guard sheet.tracks.contains(where: { $0.beginning?.file == file && $0.isAudio }) else { continue }
      guard let place else {
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
      let own = mark &+ Int64(file)
      claims[place] = SheetClaim(sheet, file: file, mark: own == 0 ? 1 : own)
    }
    guard let first = reasons.first else { return }
    problems[number] = .cueSheet(reasons.count == 1 ? first : "\(first), and \(reasons.count - 1) more")
  }
}

extension FilePath {
  /// The bytes of its last name.
  var lastName: [UInt8] { RelativePath(systemBytes).name.map { $0 } }
}

extension [UInt8] {
  /// FNV-1a in 64 bits.
  fileprivate var contentHash: UInt64 {
    reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }
}
