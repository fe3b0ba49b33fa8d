// SPDX-License-Identifier: GPL-3.0-or-later

import MusicModel
import Platform
package import SystemPackage
package import Tagging

/// Matches the cue sheets of one directory, and of its parent directory, with the audio files in the directory.
///
/// A `FILE` line with a directory before the name, separated by `/` or `\`, refers to a file in that directory, if the
/// directory is next to the sheet and contains the file. Otherwise, only the last component of the name counts. In
/// either directory, the name refers to the first of these:
///
/// 1. the file with exactly this name;
/// 2. the file with this name in different case or Unicode normalisation;
/// 3. a file with this name and another audio suffix;
/// 4. the same for the name without the escapes of a URI;
/// 5. if the sheet names no other file, a file with the name of the sheet itself.
///
/// If several match, a playable file is preferred, and among these a lossless one. Each file is claimed by one sheet.
/// Sheets whose files all exist take precedence, then sheets in the file's directory, then the first by name. A sheet
/// whose files are all claimed by others has no effect.
package struct DirectorySheets {
  /// A cue sheet file that has been read.
  package struct Source: Sendable {
    /// The contents of the sheet, or the reason why it could not be read.
    enum Contents: Sendable {
      case sheet(CueSheet)
      case problem(LibraryProblem.Reason)
    }

    let name: [UInt8]
    var isInParent = false
    /// The contents of the sheet, or the reason why it could not be read.
    let contents: Contents
    /// A hash of the file name and the contents.
    let claimHash: Int64

    /// Reads the cue sheet at `path`, in the directory itself or in its parent directory.
    ///
    /// - Parameter link: The path of a link through which the sheet was found.
    package init(_ path: FilePath, named link: FilePath? = nil, isInParent: Bool = false) {
      self.init(path, name: (link ?? path).lastName)
      self.isInParent = isInParent
    }

    private init(_ path: FilePath, name: [UInt8]) {
      do throws(Errno) {
        let status = try FileStatus(of: path)
        guard status.kind == .regular else {
          self.init(name: name, contents: .problem(.notAFile), claimHash: 0)
          return
        }
        guard status.size <= CueSheet.sizeLimit else {
          let error = CueSheetError.tooLarge(limit: CueSheet.sizeLimit)
          self.init(name: name, contents: .problem(.cueSheet(error.description)), claimHash: 0)
          return
        }
        self.init(name: name, try AtomicFile.read(path, limit: CueSheet.sizeLimit) ?? [])
      } catch {
        self.init(name: name, contents: .problem(.unreadable(error)), claimHash: 0)
      }
    }

    /// Parses the contents of a cue sheet file.
    init(name: [UInt8], _ bytes: [UInt8]) {
      let contents: Contents
      do { contents = .sheet(try CueSheet(bytes)) } catch { contents = .problem(.cueSheet(error.description)) }
      self.init(
        name: name, contents: contents, claimHash: Int64(bitPattern: (name + [0] + bytes).contentHash))
    }

    private init(name: [UInt8], contents: Contents, claimHash: Int64) {
      self.name = name
      self.contents = contents
      self.claimHash = claimHash
    }
  }

  /// The claims on files, by the index of the file.
  package private(set) var claims: [Int: SheetClaim] = [:]
  /// The indexes of the files that each sheet claims, by the index of the sheet.
  package private(set) var claimed: [[Int]]
  /// The problem with each sheet, by the index of the sheet. A problem with a sheet in the parent directory is reported
  /// for that directory.
  package private(set) var problems: [Int: LibraryProblem.Reason] = [:]
  /// The subdirectories in which each sheet names files, by the index of the sheet.
  package private(set) var subdirectories: [Int: Set<[UInt8]>] = [:]

  private enum FileLocation: Hashable {
    /// The file is in the directory itself, at this index in the list of names.
    case here(Int)
    /// The file is in another directory, whose own scan handles it.
    case elsewhere
    case missing
  }

  /// Matches `sheets` with the files of these names in `directory`.
  package init(_ sheets: [Source], files: [[UInt8]], in directory: FilePath) {
    claimed = Array(repeating: [], count: sheets.count)
    if sheets.isEmpty { return }
    let names = SheetFileNames(files)
    var subdirectoryFiles = SubdirectoryFiles(directory)
    var candidates: [(number: Int, sheet: CueSheet, files: [FileLocation])] = []
    for (number, source) in sheets.enumerated() {
      switch source.contents {
      case .problem(let reason): if !source.isInParent { problems[number] = reason }
      case .sheet(let sheet) where source.isInParent:
        candidates.append((number, sheet, Self.locations(of: sheet, above: directory, names)))
      case .sheet(let sheet):
        let sheetName = sheet.files.count == 1 ? source.name : nil
        let locations = sheet.files.map { file -> FileLocation in
          guard let match = subdirectoryFiles.find(file) else {
            return names.find(file, sheet: sheetName).map { .here($0) } ?? .missing
          }
          subdirectories[number, default: []].insert(match.directory)
          return .elsewhere
        }
        candidates.append((number, sheet, locations))
      }
    }
    candidates.sort { left, right in
      let (leftIsComplete, rightIsComplete) = (!left.files.contains(.missing), !right.files.contains(.missing))
      if leftIsComplete != rightIsComplete { return leftIsComplete }
      let (leftSource, rightSource) = (sheets[left.number], sheets[right.number])
      if leftSource.isInParent != rightSource.isInParent { return rightSource.isInParent }
      return leftSource.name.lexicographicallyPrecedes(rightSource.name)
    }
    for (number, sheet, files) in candidates { claim(files, sheet, number, sheets[number], names) }
  }

  /// Returns the locations of the files of a sheet that is in the parent of `directory`.
  private static func locations(
    of sheet: CueSheet, above directory: FilePath, _ names: SheetFileNames
  ) -> [FileLocation] {
    sheet.files.map { file in
      guard let parts = SubdirectoryFiles.parts(of: file),
        SubdirectoryFiles.isDirectory(directory.lastName, called: parts.directory)
      else { return .elsewhere }
      return names.find(parts.name, sheet: nil).map { .here($0) } ?? .elsewhere
    }
  }

  private mutating func claim(
    _ files: [FileLocation], _ sheet: CueSheet, _ number: Int, _ source: Source, _ names: SheetFileNames
  ) {
    var reasons = sheet.problems.map(\.description)
    for (file, location) in files.enumerated() {
      guard sheet.tracks.contains(where: { $0.playbackStart?.file == file && $0.isAudio }), location != .elsewhere
      else { continue }
      guard case .here(let index) = location else {
        let nearest = names.nearest(to: sheet.files[file]).map { " (nearest: \($0))" } ?? ""
        reasons.append("\(SheetFileNames.lastName(sheet.files[file])) is missing\(nearest)")
        continue
      }
      guard claims[index] == nil else {
        if claimed[number].contains(index) {
          reasons.append("\(SheetFileNames.lastName(sheet.files[file])) is missing")
        }
        continue
      }
      claimed[number].append(index)
      // A hash of 0 would mean that there is no claim.
      let hash = source.claimHash &+ Int64(file)
      claims[index] = SheetClaim(sheet, file: file, claimHash: hash == 0 ? 1 : hash)
    }
    if source.isInParent { return }
    guard let first = reasons.first else { return }
    problems[number] = .cueSheet(reasons.count == 1 ? first : "\(first), and \(reasons.count - 1) more")
  }
}

extension [UInt8] {
  /// A 64-bit FNV-1a hash.
  fileprivate var contentHash: UInt64 {
    reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }
}
