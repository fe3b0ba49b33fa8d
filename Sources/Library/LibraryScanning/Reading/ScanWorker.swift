// SPDX-License-Identifier: GPL-3.0-or-later

import CueSheets
import GRDB
import LibraryIndex
import MusicModel
import Platform
import Synchronization
import SystemPackage
import Tagging

/// Lists directories and reads files, on one thread of a scan.
struct ScanWorker: ~Copyable {
  /// The maximum number of files in one job: enough for an album, and few enough to distribute the work.
  private static let partSize = 64
  /// The age of a directory's last change, in nanoseconds, from which a further change is certain to alter the
  /// modification time.
  private static let timestampMargin: Int64 = 2_100_000_000

  let plan: ScanPlan
  private let rules: ScanRules
  let queue: ScanQueue
  let inbox: ScanInbox
  let known: IndexedFiles?
  private let now: Int64
  private var suffixes = AudioSuffixes()
  private var maker = TrackRecordMaker()

  /// Creates a worker that looks up files in `known`. If it is `nil`, every file is new.
  init(
    _ plan: ScanPlan, rules: ScanRules, queue: ScanQueue, inbox: ScanInbox, known: IndexedFiles?, now: Int64
  ) {
    self.plan = plan
    self.rules = rules
    self.queue = queue
    self.inbox = inbox
    self.known = known
    self.now = now
  }

  /// Performs jobs until none are left or the scan is cancelled.
  mutating func run() throws {
    defer { try? known?.endTransaction() }
    while let job = queue.next() {
      if plan.isCancelled() {
        queue.close()
        return
      }
      switch job {
      case .list(let paths):
        try known?.beginTransaction()
        for path in paths { try list(path) }
      case .read(let visit, let files):
        try known?.endTransaction()
        read(visit, files)
      }
      queue.finish(job)
    }
  }

  private mutating func read(_ visit: DirectoryVisit, _ files: ArraySlice<UnreadFile>) {
    let directory = plan.absolute(visit.path)
    var results: [FileResult] = []
    results.reserveCapacity(files.count)
    var undecoded: [UndecodedFile] = []
    for file in files {
      if plan.isCancelled() { return queue.close() }
      let path = FilePath(systemBytes: visit.path.appending(file.name).absolute(in: plan.root))
      let fields = append(file, in: directory, path, by: plan.reader, to: &results)
      if let fields, fields.hasUndecoded {
        undecoded.append(UndecodedFile(file: file, path: path, result: results.count - 1, fields: fields))
      }
    }
    if !undecoded.isEmpty {
      decode(undecoded, beside: undecodedText(in: visit, besides: files), in: directory, &results)
    }
    queue.readCount.add(files.count, ordering: .relaxed)
    inbox.post(.read(visit, results, visit.isReadAtOnce ? albums(of: results) : nil))
  }

  /// A file with text whose encoding its tags do not state.
  private struct UndecodedFile {
    let file: UnreadFile
    let path: FilePath
    /// The index of the file's result.
    let result: Int
    let fields: TagFields
  }

  /// Returns the text, in an encoding that is not stated, of the other files in a directory: those that are unchanged,
  /// or that another job reads.
  private mutating func undecodedText(in visit: DirectoryVisit, besides files: ArraySlice<UnreadFile>) -> [[UInt8]] {
    let listing: StatusListing
    do {
      listing = try unsafe StatusListing(of: plan.absolute(visit.path)) { unsafe suffixes.isAudio($0) }
    } catch { return [] }
    let names = Set(files.map(\.name))
    var text: [[UInt8]] = []
    let others = listing.entries.lazy.filter { $0.kind == .regular && !names.contains(Array(listing.names[$0.name])) }
    for entry in others.prefix(Self.partSize) {
      guard let status = entry.status, !plan.isCancelled() else { continue }
      let path = FilePath(systemBytes: visit.path.appending(listing.names[entry.name]).absolute(in: plan.root))
      if let found = try? plan.reader.read(path, status, claim: nil) {
        text += found.tracks.first?.fields.undecoded ?? []
      }
    }
    return text
  }

  /// Reads the files again whose own fields suggest another encoding than those of all files in the directory do.
  private mutating func decode(
    _ files: [UndecodedFile], beside others: [[UInt8]], in directory: FilePath, _ results: inout [FileResult]
  ) {
    var reader = plan.reader
    let decoder = LegacyText.FieldDecoder(files.flatMap(\.fields.undecoded) + others)
    reader.fieldDecoder = decoder
    for file in files where decoder.texts(of: file.fields.undecoded) != file.fields.decoded {
      var again: [FileResult] = []
      _ = append(file.file, in: directory, file.path, by: reader, to: &again)
      if let result = again.last { results[file.result] = result }
    }
  }

  private mutating func albums(of results: [FileResult]) -> [PreparedAlbum] {
    var records: [TrackRecord] = []
    for result in results {
      if case .tracks(let found) = result.contents { records += found }
    }
    return PreparedAlbum.albums(of: records, maker: &maker)
  }

  /// Reads a file, and adds the result. Returns the fields of its first track.
  private mutating func append(
    _ file: UnreadFile, in directory: FilePath, _ path: FilePath, by reader: TagReader, to results: inout [FileResult]
  ) -> TagFields? {
    let contents: FileResult.Contents
    var first: TagFields?
    do throws(LibraryProblem) {
      let (tracks, problem) = try reader.read(path, file.status, claim: file.claim?.claim)
      first = tracks.first?.fields
      var records: [TrackRecord] = []
      for (track, fields) in tracks { records.append(maker.record(track, fields: fields, in: directory)) }
      contents = .tracks(records)
      if let problem, let sheet = file.claim?.sheet, !sheet.isInParent {
        results.append(
          FileResult(name: sheet.name, state: sheet.state, identity: .new, contents: .problem(problem)))
      }
    } catch {
      contents = .problem(error.reason.description)
    }
    results.append(
      FileResult(
        name: file.name, state: file.state, identity: file.identity, contents: contents,
        claimHash: file.claim?.claim.claimHash ?? 0))
    return first
  }

  private mutating func list(_ path: RelativePath) throws {
    var listing: StatusListing
    do throws(Errno) {
      listing = try unsafe StatusListing(of: plan.absolute(path)) {
        unsafe suffixes.isAudio($0) || AudioSuffixes.isSheet($0) || IgnoreRules.isRulesFile($0)
      }
    } catch {
      switch error {
      case .noSuchFileOrDirectory, .notDirectory: inbox.post(.disappeared(path))
      default: inbox.post(.unreadable(path, LibraryProblem.Reason.unreadable(error).description))
      }
      return
    }
    guard queue.visit(listing.directory.identity) else { return }
    let excluded = removeExcluded(from: &listing, path)
    if listing.entries.isEmpty, excluded.isEmpty, path != .root,
      try known?.isOnOtherDevice(path, than: Int64(bitPattern: listing.directory.identity.device)) == true
    {
      // This is a mount point whose file system is not mounted.
      return inbox.post(.skipped(path))
    }
    let modificationTime = listing.directory.modificationTime
    let row = try known?.directory(path)
    let visit = DirectoryVisit(
      path: path, id: row?.id, storedTime: row?.modificationTime,
      modificationTime: modificationTime > now - Self.timestampMargin ? 0 : modificationTime)
    try sort(listing, of: visit, sheetCount: row?.sheetCount ?? 0, without: excluded)
  }

  /// The entries that the ignore rules exclude from a directory.
  private struct ExcludedEntries {
    var paths: [RelativePath] = []
    /// The error from reading the directory's pattern file; `nil` if there was none.
    var rulesError: Errno?

    var isEmpty: Bool { paths.isEmpty }
  }

  /// Removes the entries that the ignore rules exclude from a directory's listing, and returns them.
  private func removeExcluded(from listing: inout StatusListing, _ directory: RelativePath) -> ExcludedEntries {
    var excluded = ExcludedEntries()
    if listing.holdsFile(named: IgnoreRules.markerName) {
      let isIgnored = plan.ignoresRootMarker && directory == .root
      listing.remove { !isIgnored || $0.elementsEqual(IgnoreRules.markerName) }
      if !isIgnored {
        excluded.paths = [directory]
        return excluded
      }
    }
    if listing.holdsFile(named: IgnoreRules.fileName) {
      do throws(Errno) {
        try rules.read(in: directory)
      } catch {
        excluded.rulesError = error
      }
    }
    let rules = rules.rules(in: directory)
    listing.remove { name in
      guard rules.ignores(name), !name.elementsEqual(IgnoreRules.fileName) else { return false }
      excluded.paths.append(directory.appending(name))
      return true
    }
    return excluded
  }

  /// Separates the files of a directory that must be read from those that are unchanged.
  private mutating func sort(
    _ listing: StatusListing, of visit: DirectoryVisit, sheetCount: Int64, without excluded: ExcludedEntries
  ) throws {
    var found = ScanMessage.Listed()
    found.leftOut = excluded.paths
    var unread: [UnreadFile] = []
    var problems: [FileResult] = []
    var directories: [RelativePath] = []
    var links: [RelativePath] = []
    var files = try IndexedFiles.Cursor(known, directory: visit.id)
    var fileCount = 0
    let stored = try sheetCount > 0 ? visit.id.flatMap { try known?.sheets($0) } ?? [] : []
    var sheets = parentSheets(visit, stored)
    // If there are cue sheets, even an unchanged file may have different tracks now.
    let hasSheets =
      sheetCount > 0 || !sheets.isEmpty
      || listing.entries.contains { $0.kind != .directory && SheetFile.isStored(listing.names[$0.name]) }
    var names: [[UInt8]] = []
    var unchanged: [(index: Int, file: IndexedFiles.File, status: FileStatus)] = []
    for entry in listing.entries {
      let name = listing.names[entry.name]
      if entry.kind == .directory {
        try add(visit.path.appending(name), isLink: entry.isLink, &directories, &links)
        continue
      }
      let state = entry.status.map { FileState($0) } ?? .unknown
      if hasSheets {
        if SheetFile.isStored(name) {
          sheets.append(SheetFile(name: Array(name), state: state))
          if !AudioSuffixes.isSheet(name), let error = excluded.rulesError {
            problems.append(
              FileResult(
                name: Array(name), state: state, identity: .new,
                contents: .problem(LibraryProblem.Reason.unreadable(error).description)))
          }
          continue
        }
        names.append(Array(name))
      }
      fileCount += 1
      let track = try files.find(name, missing: &found.missing)
      if entry.kind == .regular, let track, track.isIdentified, isUnchanged(state, since: track.state) {
        if hasSheets, let status = entry.status {
          unchanged.append((names.count - 1, track, status))
        } else {
          found.unchangedCount += track.trackCount
        }
        continue
      }
      let bytes = Array(name)
      if track == nil, let problem = try known?.problem(visit.path.appending(name)),
        isUnchanged(state, since: problem.state)
      {
        found.problems.append(problem.id)
        continue
      }
      guard entry.kind == .regular, let status = entry.status else {
        let reason = entry.error.map { LibraryProblem.Reason.unreadable($0) } ?? .notAFile
        problems.append(
          FileResult(
            name: bytes, state: state, identity: track.map { .known($0.id) } ?? .new,
            contents: .problem(reason.description)))
        continue
      }
      var identity = track.map { TrackIdentity.known($0.id) } ?? .new
      // A file that is unchanged under this name was not moved here.
      let isKnown = track.map { state.isUnchanged(since: $0.state) } ?? false
      if !isKnown, let former = try known?.moved(state), former != track?.id {
        identity = .moved(former, displacing: track?.id)
        // The track that had this name may be found under another one.
        if let track { found.missing += track.ids }
      }
      unread.append(UnreadFile(name: bytes, state: state, status: status, identity: identity))
    }
    try files.finish(missing: &found.missing)
    var visit = visit
    if hasSheets {
      let siblings = SiblingFiles(names: names, unchanged: unchanged)
      sheets.sort { $0.name.lexicographicallyPrecedes($1.name) }
      let subdirectories = listing.entries.filter { $0.kind == .directory }
        .map { visit.path.appending(listing.names[$0.name]) }
      visit.sheets = try apply(
        sheets, stored: stored, in: visit, to: siblings, directories: subdirectories, &unread, &problems, &found)
    }
    queue.seenCount.add(fileCount, ordering: .relaxed)

    let parts = stride(from: 0, to: unread.count, by: Self.partSize).map {
      unread[$0..<min($0 + Self.partSize, unread.count)]
    }
    visit.isReadAtOnce = !plan.isKnown && parts.count == 1
    found.partCount = parts.count + (problems.isEmpty ? 0 : 1)
    inbox.post(.listed(visit, found))
    if !problems.isEmpty { inbox.post(.read(visit, problems)) }
    queue.add(directories, links: links, reads: parts.map { (visit, $0) })
  }

  /// Whether the rows of a file can remain as they are.
  private func isUnchanged(_ state: FileState, since former: FileState) -> Bool {
    !plan.readsUnchanged && state.isUnchanged(since: former)
  }

  private func add(
    _ path: RelativePath, isLink: Bool, _ directories: inout [RelativePath], _ links: inout [RelativePath]
  ) throws {
    if !plan.readsKnownDirectories, try known?.directory(path) != nil {
      inbox.post(.skipped(path))
    } else if !isLink {
      directories.append(path)
    } else if plan.scope == .everything {
      links.append(path)
    } else if try known?.directory(path) != nil {
      links.append(path)
    } else {
      inbox.post(.needsFullScan)
    }
  }
}
