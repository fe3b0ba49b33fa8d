// SPDX-License-Identifier: GPL-3.0-or-later

import FoundationEssentials
import GRDB
import LibraryIndex
import MusicModel
import Platform
import SystemPackage
import Tagging

/// Writes the results of reading into the index, in batches that are written completely or not at all. Use it on one
/// thread only.
///
/// Several batches may share a transaction, which ``commit()`` ends and ``rollBack()`` rolls back.
final class ScanWriter {
  /// The number of files in a batch, which is also the number that may wait to be written. The first batch is smaller,
  /// so that writing starts soon.
  private static let batchSizes = 250...500
  /// The maximum time for collecting a batch, in milliseconds.
  private static let batchTime: UInt64 = 500
  /// The maximum duration of a transaction, in milliseconds. Changes that its batches share, such as pages of an index,
  /// are written only once. Other writers wait until it ends.
  private static let transactionTime: UInt64 = 300
  /// The maximum number of files in a transaction, whose changes are held in memory. The last batch may exceed it.
  private static let transactionSize = 8_000

  private let plan: ScanPlan
  private let database: Database
  private let now: Int64
  private let rows: TrackRows
  private let albums: AlbumRows
  private let directories: DirectoryRows
  private let problems: ProblemRows
  private let tracks: StoredTracks
  private let deferral: AlbumDeferral
  private let lastID: IndexStatement
  private let carried: SalvagedRows
  private let ratings: TagRatings
  private let plays: PlayedTracks
  private let memory: TrackMemory
  private let reunion: TrackReunion
  /// The highest track ID before the scan.
  private let lastIDBefore: Int64
  /// The highest track ID before the first of the scans just before this one that were interrupted; `nil` if none was.
  private let lastIDBeforeInterruption: Int64?
  private var isRecorded = false

  /// Files of a directory that have been read.
  private struct Part: Sendable {
    let visit: DirectoryVisit
    let files: [FileResult]
    let albums: [PreparedAlbum]?
  }

  private let free: (any Sendable) -> Void
  private var batch: [Part] = []
  private var batchCount = 0
  private var batchSize = batchSizes.lowerBound
  private var batchEnd: MonotonicInstant?
  private var transactionEnd: MonotonicInstant?
  private var uncommittedCount = 0
  private var listed: [DirectoryVisit] = []
  private var openParts: [RelativePath: Int] = [:]
  private let claims: TrackClaims
  private var nextID: Int64 = 1
  /// The tracks that were not found under their names in a listed directory.
  private(set) var missing: [Int64] = []
  /// The row IDs of the listed directories.
  private(set) var visited: Set<Int64> = []
  /// The paths whose rows are left unchanged, including everything below them.
  private(set) var untouchedPaths: Set<RelativePath> = []
  /// The row IDs of the problems that still exist.
  private(set) var seenProblems: Set<Int64> = []
  private(set) var needsFullScan = false
  /// The changes written so far.
  private(set) var summary = ScanSummary()

  /// Creates a writer into `database`. Values that have been written are passed to `free`, which releases them.
  init(
    _ database: Database, plan: ScanPlan, now: Int64, free: @escaping (any Sendable) -> Void = { _ in }
  ) throws {
    self.plan = plan
    self.free = free
    self.database = database
    self.now = now
    rows = try TrackRows(database, library: plan.library)
    deferral = AlbumDeferral(database, plan: plan)
    albums = try AlbumRows(database, plan: plan, rows: rows, deferral: deferral)
    directories = DirectoryRows(database, library: plan.library)
    problems = ProblemRows(database, library: plan.library)
    tracks = StoredTracks(database, plan: plan, rows: rows)
    claims = TrackClaims(tracks)
    memory = try TrackMemory(database, library: plan.library, now: now)
    reunion = TrackReunion(plan: plan, rows: rows, tracks: tracks, memory: memory)
    let last = "SELECT \(TrackMemory.lastID)"
    lastID = IndexStatement(database, last)
    lastIDBefore = try Int64.fetchOne(database, sql: last) ?? 0
    lastIDBeforeInterruption = try Int64.fetchOne(
      database, sql: "SELECT last_track FROM unfinished_scan WHERE library = ?", arguments: [plan.library])
    carried = try SalvagedRows(database, root: plan.root)
    ratings = TagRatings(database)
    plays = try PlayedTracks(database)
  }

  /// The time by which the current batch must be written or the transaction committed; `nil` if there is neither.
  var deadline: MonotonicInstant? {
    guard let batchEnd, let transactionEnd else { return batchEnd ?? transactionEnd }
    return min(batchEnd, transactionEnd)
  }

  /// Groups the tracks that an interrupted scan left ungrouped.
  func resume() throws {
    var dirty = DirtyGroups()
    dirty.keys = try albums.postponedKeys()
    if dirty.keys.isEmpty { return }
    try transaction { try albums.group(dirty, isFinal: true) }
    try commit()
  }

  /// Handles a message from a reading thread.
  func handle(_ message: ScanMessage) throws {
    switch message {
    case .listed(let visit, let found):
      if let id = visit.id { visited.insert(id) }
      summary.unchangedCount += found.unchangedCount
      missing += found.missing
      summary.leftOutCount += found.leftOut.count
      for path in found.leftOut { plan.report(.leftOut, path) }
      seenProblems.formUnion(found.problems)
      if found.partCount > 0 {
        openParts[visit.path] = found.partCount
      } else if visit.id == nil || visit.storedTime != visit.modificationTime || visit.sheets != nil {
        listed.append(visit)
      }
    case .read(let visit, let files, let albums):
      batch.append(Part(visit: visit, files: files, albums: albums))
      batchCount += files.count
      let remaining = (openParts[visit.path] ?? 1) - 1
      openParts[visit.path] = remaining > 0 ? remaining : nil
      if remaining == 0 { listed.append(visit) }
    case .unreadable(let path, let reason):
      untouchedPaths.insert(path)
      plan.report(.rejected(reason), path)
      try transaction { seenProblems.insert(try problems.insert(path, .unknown, reason)) }
    case .skipped(let path): untouchedPaths.insert(path)
    case .disappeared(let path):
      // The directory may just have been moved, so keep its rows, unless the scan was requested for this directory.
      if !plan.scope.lists(path) { untouchedPaths.insert(path) }
    case .needsFullScan: needsFullScan = true
    }
    if batchEnd == nil, !batch.isEmpty || !listed.isEmpty {
      batchEnd = MonotonicInstant.now.advanced(byMilliseconds: Self.batchTime)
    }
    if batchCount >= batchSize { try writeBatch() }
  }

  /// Writes the current batch and commits the transaction, if they are due.
  func writeIfDue() throws {
    guard let deadline, MonotonicInstant.now >= deadline else { return }
    if let batchEnd, deadline == batchEnd { try writeBatch() }
    if let transactionEnd, MonotonicInstant.now >= transactionEnd { try commit() }
  }

  /// Writes the current batch.
  private func writeBatch() throws {
    batchEnd = nil
    if batch.isEmpty, listed.isEmpty { return }
    try transaction { try writeFiles() }
    uncommittedCount += batchCount
    // The first batch is committed at once, so that something is visible soon.
    let isFirst = batchSize == Self.batchSizes.lowerBound
    batchSize = min(2 * batchSize, Self.batchSizes.upperBound)
    albums.forget()
    free(batch)
    batch = []
    batchCount = 0
    listed.removeAll(keepingCapacity: true)
    if isFirst || uncommittedCount >= Self.transactionSize { try commit() }
  }

  /// Writes the current batch and commits everything.
  func flush() throws {
    try writeBatch()
    try commit()
  }

  /// Rolls back what has not been committed, after an error.
  func rollBack() {
    if database.isInsideTransaction { try? database.rollback() }
    transactionEnd = nil
  }

  /// Ends the scan in one transaction: gives the tracks that were found elsewhere the IDs that they had, removes the
  /// rows of missing tracks and directories, groups the tracks that had to wait, and commits everything.
  func finish(missing: [Int64], directories missingDirectories: [Int64], problems obsoleteProblems: [Int64]) throws {
    try transaction {
      var dirty = DirtyGroups()
      var removed: [Int64: StoredTracks.Row] = [:]
      for id in missing where !claims.contains(id) {
        guard let row = try tracks.row(id) else { continue }
        try memory.add(id, row.lastPath)
        _ = try tracks.remove((id, row), &dirty)
        removed[id] = row
      }
      // What an interrupted scan has added is as new as what this one has: it has not looked for missing tracks.
      try reunion.run(
        removed, newTracksAfter: lastIDBeforeInterruption ?? lastIDBefore, addedAfter: lastIDBefore, &summary, &dirty)
      for id in missingDirectories { try directories.remove(id) }
      for id in obsoleteProblems { try problems.remove(id) }
      dirty.keys.formUnion(try albums.postponedKeys())
      try albums.group(dirty, isFinal: true)
      try albums.sortArtists()
      if plan.scope == .everything, untouchedPaths.isEmpty {
        try carried.removeRemaining()
        try memory.removeExpired()
      }
      if plan.scope == .everything || lastIDBeforeInterruption == nil { try recordEnd() }
      try memory.publishMoves()
    }
    try commit()
    summary.problemCount = try problems.count()
  }

  /// Completes the cached counts of changed names.
  func completeCounts() throws {
    for names in [rows.artists, rows.genres] { try names.completeCounts() }
  }

  /// Records that the scan is unfinished, for the next one in case this one is interrupted.
  private func recordBeginning() throws {
    if isRecorded { return }
    isRecorded = true
    try database.execute(
      sql: "INSERT OR IGNORE INTO unfinished_scan VALUES (?, ?)", arguments: [plan.library, lastIDBefore])
  }

  private func recordEnd() throws {
    try database.execute(sql: "DELETE FROM unfinished_scan WHERE library = ?", arguments: [plan.library])
  }

  private func writeFiles() throws {
    try recordBeginning()
    while try lastID.step() { nextID = lastID.integer(0) + 1 }
    var dirty = DirtyGroups()
    var pending: [PendingTrack] = []
    pending.reserveCapacity(batchCount)
    var parts: [ReadPart] = []
    for part in batch {
      let start = pending.count
      for file in part.files { try add(file, of: part.visit, to: &pending, &dirty) }
      if !plan.isKnown { parts.append(ReadPart(tracks: start..<pending.count, albums: part.albums)) }
    }
    try albums.group(dirty, pending, in: parts, isFinal: false)
    for visit in listed { visited.insert(try directories.complete(visit)) }
  }

  private func add(
    _ file: FileResult, of visit: DirectoryVisit, to pending: inout [PendingTrack],
    _ dirty: inout DirtyGroups
  ) throws {
    let identity = try claims.resolve(file.identity, visit, file.name)
    var stored = try tracks.tracks(of: identity)
    for track in stored { deferral.markRead(track.id) }
    if case .tracks(let records) = file.contents, let first = stored.first, let record = records.first,
      try tracks.isReplaced(first, by: record)
    {
      // A new file in an old place is a new track. The one that was there may be found under another name.
      try tracks.renameTemporarily(first.id, first.row.directory, visit.path, file.name)
      missing += stored.map(\.id)
      stored = []
    }
    // Its old directory may be listed later, and would then report it as missing.
    if case .moved = identity { claims.insert(stored.map(\.id)) }
    var path: RelativePath { visit.path.appending(file.name) }
    switch file.contents {
    case .problem(let reason):
      for track in stored {
        try memory.add(track.id, track.row.lastPath)
        _ = try tracks.remove(track, &dirty)
      }
      plan.report(.rejected(reason), path)
      seenProblems.insert(try problems.insert(path, file.state, reason))
      summary.missingCount += stored.count
    case .tracks(let records):
      if plan.isKnown { try problems.remove(path) }
      let hasMoved = stored.first.map { $0.row.path != path } ?? false
      if hasMoved, let old = stored.first {
        try tracks.rename(old.row.path.absolute(in: plan.root), to: path.absolute(in: plan.root))
        // A file that is displaced has a temporary name, which nobody has seen.
        try reunion.recordMove(of: old.id, from: old.row.lastPath.absolute(in: plan.root), to: path)
      } else if stored.isEmpty {
        plan.report(.added, path)
      }
      let directory = try directory(visit)
      let matches = StoredTracks.matches(of: records, in: stored)
      let start = pending.count
      for (record, match) in zip(records, matches) {
        let known = match.map { stored[$0] }
        let id = known?.id ?? nextID
        var formerTime: Int64?
        if known == nil {
          nextID += 1
          summary.addedCount += 1
          let segment = record.track.segment.map { Int64($0.start) } ?? -1
          formerTime = try carried.restore(visit.path, file.name, segment: segment, to: id)
          try plays.adopt(path.absolute(in: plan.root), segment: segment, by: id)
        }
        if known != nil || record.rating != nil { try ratings.note(record.rating, of: id) }
        pending.append(
          PendingTrack(
            id: id, directory: directory, name: file.name, state: file.state,
            added: (known ?? stored.first)?.row.added ?? formerTime ?? now, record: record, sheet: file.claimHash))
      }
      let knownCount = matches.count { $0 != nil }
      summary.missingCount += stored.count - knownCount
      let remaining = Set(matches.compactMap { $0 })
      for index in stored.indices where !remaining.contains(index) {
        try memory.add(stored[index].id, stored[index].row.lastPath)
      }
      if stored.isEmpty { return }
      let isUnchanged = try keepRows(pending[start...], matches, of: stored, &dirty)
      if hasMoved {
        summary.movedCount += knownCount
      } else if isUnchanged, stored.allSatisfy({ file.state.isUnchanged(since: $0.row.state) }) {
        // The file was read only because the scan reads everything.
        summary.unchangedCount += knownCount
      } else {
        summary.changedCount += knownCount
        plan.report(.changed, path)
      }
      if isUnchanged { return pending.removeSubrange(start...) }
      let former = try stored.map { try tracks.remove($0, &dirty) }
      // A new track of a known file takes the place of the file's first track.
      for (index, match) in matches.enumerated() { pending[start + index].former = former[match ?? 0] }
    }
  }

  /// Leaves the rows of a file unchanged if they already contain what was read. Returns whether they do.
  private func keepRows(
    _ read: ArraySlice<PendingTrack>, _ matches: [Int?], of stored: [StoredTracks.IdentifiedRow],
    _ dirty: inout DirtyGroups
  ) throws -> Bool {
    guard stored.count == read.count else { return false }
    for (track, match) in zip(read, matches) {
      guard let match, try tracks.isUnchanged(track, stored[match].row) else { return false }
    }
    for (track, match) in zip(read, matches) {
      guard let row = match.map({ stored[$0].row }) else { continue }
      // A scan that reads everything also groups everything by the current rules.
      if plan.readsUnchanged { dirty.keys.insert(row.key) }
      if track.state == row.state, track.sound == row.sound { continue }
      try rows.write(track.state, sound: track.sound, of: track.id)
    }
    return true
  }

  private func directory(_ visit: DirectoryVisit) throws -> Int64 {
    if let id = visit.id { return id }
    let id = try directories.id(of: visit.path)
    visited.insert(id)
    return id
  }

  /// Runs `body` in the current transaction, starting one if there is none.
  private func transaction(_ body: () throws -> Void) throws {
    if transactionEnd == nil {
      try database.beginTransaction(.immediate)
      transactionEnd = MonotonicInstant.now.advanced(byMilliseconds: Self.transactionTime)
      uncommittedCount = 0
    }
    try body()
  }

  /// Commits the current transaction, if there is one.
  private func commit() throws {
    guard transactionEnd != nil else { return }
    transactionEnd = nil
    try database.commit()
  }
}
