// SPDX-License-Identifier: GPL-3.0-or-later

import CueSheets
import Platform
import SystemPackage
import Tagging

/// Finds the audio files below a directory by their names, without those that ignore rules exclude.
struct DirectoryWalk {
  /// A file to read, or a problem that was found.
  enum Finding: Sendable, Hashable {
    /// The path of a file with an audio file's name; it may turn out not to be a regular file.
    case file(FilePath)
    /// A directory or a pattern file that cannot be read, or a cue sheet with a problem.
    case problem(LibraryProblem)
  }

  /// A directory that is still to be visited, with the rules of the directory that contains it, or the link to it.
  private struct PendingDirectory {
    let path: FilePath
    let rules: IgnoreRules
  }

  /// The findings, directory by directory, in byte order of the names. Directories that are reached only through links
  /// come last.
  private(set) var findings: [Finding] = []
  /// The cue sheets' claims on files, by the path of the file, each with the path of the sheet.
  private(set) var claims: [FilePath: (claim: SheetClaim, sheet: FilePath)] = [:]

  /// The cue sheets that name files in a subdirectory, by that subdirectory.
  private var parentSheets: [FilePath: [FilePath]] = [:]
  private var visited: Set<FileStatus.Identity> = []
  private var pending: [PendingDirectory] = []
  private var links: [PendingDirectory] = []

  /// Walks the directory `root`. Directories below it that cannot be read become problems. Since the user has named
  /// `root`, a marker file in it does not exclude it.
  init(_ root: FilePath, rules: IgnoreRules = IgnoreRules()) throws(LibraryScannerError) {
    do throws(Errno) {
      visited.insert(try FileStatus(of: root).identity)
      add(try DirectoryListing(of: root), of: PendingDirectory(path: root, rules: rules))
    } catch {
      throw .unreadable(root, error)
    }
    // Links come after all real directories, so that a directory that is reached both ways gets its real path.
    while let directory = pending.popLast() ?? nextLink() { visit(directory) }
  }

  private mutating func nextLink() -> PendingDirectory? {
    links.popLast()
  }

  private mutating func visit(_ directory: PendingDirectory) {
    do throws(Errno) {
      guard visited.insert(try FileStatus(of: directory.path).identity).inserted else { return }
      let listing = try DirectoryListing(of: directory.path)
      if !listing.holdsFile(named: IgnoreRules.markerName) { add(listing, of: directory) }
    } catch {
      findings.append(.problem(LibraryProblem(path: directory.path, reason: .unreadable(error))))
    }
  }

  /// Returns the rules that apply in a directory with this listing.
  private mutating func rules(in directory: PendingDirectory, _ listing: DirectoryListing) -> IgnoreRules {
    guard listing.holdsFile(named: IgnoreRules.fileName) else { return directory.rules }
    let file = FilePath(systemBytes: directory.path.systemBytes + [0x2F] + IgnoreRules.fileName)
    do throws(Errno) {
      return try AtomicFile.read(file, limit: ScanRules.sizeLimit).map(directory.rules.adding) ?? directory.rules
    } catch {
      findings.append(.problem(LibraryProblem(path: file, reason: .unreadable(error))))
      return directory.rules
    }
  }

  private mutating func add(_ listing: DirectoryListing, of pendingDirectory: PendingDirectory) {
    let directory = pendingDirectory.path
    let rules = rules(in: pendingDirectory, listing)
    var directories: [FilePath] = []
    var linked: [FilePath] = []
    var sheets: [FilePath] = []
    let first = findings.count
    for entry in listing.entries where !rules.ignores(entry.nameBytes) {
      let path = directory.appending(entry.name)
      if AudioSuffixes.isSheet(path.systemBytes) {
        if (try? FileStatus(of: path))?.kind != .directory {
          sheets.append(path)
          continue
        }
      }
      switch entry.kind {
      case .directory: directories.append(path)
      case .regular: if AudioFileKind(path) != nil { findings.append(.file(path)) }
      case .symbolicLink, nil:
        // A broken link is reported only if it has an audio file's name.
        let kind = try? FileStatus(of: path).kind
        if kind == .directory {
          if entry.kind == nil, (try? FileStatus(of: path, followingLinks: false).kind) == .directory {
            directories.append(path)
          } else {
            linked.append(path)
          }
        } else if AudioFileKind(path) != nil {
          findings.append(.file(path))
        }
      case .fifo, .special: if AudioFileKind(path) != nil { findings.append(.file(path)) }
      }
    }
    pending += directories.reversed().map { PendingDirectory(path: $0, rules: rules) }
    links += linked.reversed().map { PendingDirectory(path: $0, rules: rules) }
    let inherited = parentSheets.removeValue(forKey: directory) ?? []
    if !sheets.isEmpty || !inherited.isEmpty { apply(sheets, inherited, in: directory, toFilesFrom: first) }
  }

  /// Applies a directory's cue sheets, and those of its parent directory, to the files in `findings` from `first` on.
  private mutating func apply(
    _ own: [FilePath], _ inherited: [FilePath], in directory: FilePath, toFilesFrom first: Int
  ) {
    let sheets = own + inherited
    let files = findings[first...].compactMap { if case .file(let path) = $0 { path } else { nil } }
    let sources =
      own.map { DirectorySheets.Source($0) } + inherited.map { DirectorySheets.Source($0, isInParent: true) }
    let applied = DirectorySheets(sources, files: files.map { $0.lastName }, in: directory)
    for (number, sheet) in sheets.enumerated() {
      for index in applied.claimed[number] {
        claims[files[index]] = applied.claims[index].map { ($0, sheet) }
      }
      for name in applied.subdirectories[number] ?? [] {
        parentSheets[FilePath(systemBytes: directory.systemBytes + [0x2F] + name), default: []].append(sheet)
      }
      if let reason = applied.problems[number] {
        findings.append(.problem(LibraryProblem(path: sheet, reason: reason)))
      }
    }
  }
}

extension DirectoryListing {
  /// Whether there is an entry with this name that is not a directory.
  fileprivate func holdsFile(named name: [UInt8]) -> Bool {
    entries.contains { $0.kind != .directory && $0.nameBytes == name }
  }
}

extension DirectoryListing.Entry {
  /// The bytes of the name.
  fileprivate var nameBytes: [UInt8] { FilePath(root: nil, [name]).systemBytes }
}
