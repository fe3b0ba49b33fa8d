import FoundationEssentials
import GRDB
import MusicModel
import Platform
import SystemPackage

/// Writes what was read into the index: in batches, each whole or not at all. For one thread.
final class ScanWriter {
  /// How many files a batch has: no more than may wait for it. The first ones have fewer, so that writing begins soon.
  private static let batchSizes = 250...1_000
  /// How long they are gathered, in milliseconds.
  private static let batchTime: UInt64 = 500

  private let plan: ScanPlan
  private let database: Database
  private let now: Int64
  private let rows: TrackRows
  private let albums: AlbumRows
  private let directories: DirectoryRows
  private let problems: ProblemRows
  private let trackSelection: IndexStatement
  private let fileSelection: IndexStatement
  private let lastID: IndexStatement
  private let loudness: IndexStatement
  private let loudnessDeletion: IndexStatement
  private let stickers: IndexStatement
  private let parking: IndexStatement

  private var batch: [(visit: DirectoryVisit, file: FileResult)] = []
  private var batchSize = batchSizes.lowerBound
  private var batchEnd: MonotonicInstant?
  private var listed: [DirectoryVisit] = []
  private var openParts: [RelativePath: Int] = [:]
  private var claimed: Set<Int64> = []
  /// Tracks that are in no directory that was listed under their names.
  private(set) var gone: [Int64] = []
  /// The rows of directories that were listed.
  private(set) var visited: Set<Int64> = []
  /// What is left as it is, with all below it.
  private(set) var kept: [RelativePath] = []
  /// The rows of problems that there still are.
  private(set) var seenProblems: Set<Int64> = []
  private(set) var needsAll = false
  /// What was written so far.
  private(set) var summary = ScanSummary()

  init(_ database: Database, plan: ScanPlan, now: Int64) throws {
    self.plan = plan
    self.database = database
    self.now = now
    rows = try TrackRows(database, library: plan.library, snapshot: plan.snapshot)
    albums = try AlbumRows(database, plan: plan, rows: rows)
    directories = try DirectoryRows(database, library: plan.library)
    problems = try ProblemRows(database, library: plan.library)
    trackSelection = try IndexStatement(
      database,
      """
      SELECT added, group_key, release, album, name, directory.path, directory, segment, number
      FROM track JOIN directory ON directory.id = track.directory WHERE track.id = ?
      """)
    fileSelection = try IndexStatement(
      database, "SELECT id FROM track WHERE directory = ? AND name = ? ORDER BY segment")
    // What is kept of a track that is gone is no other's.
    lastID = try IndexStatement(
      database,
      "SELECT max(ifnull((SELECT max(id) FROM track), 0), ifnull((SELECT max(track) FROM sticker), 0))")
    stickers = try IndexStatement(database, StickerTable.cleaning)
    loudnessDeletion = try IndexStatement(database, "DELETE FROM loudness WHERE path = ?")
    parking = try IndexStatement(
      database, "UPDATE track SET name = ? WHERE id = ?")
    loudness = try IndexStatement(database, "UPDATE OR REPLACE loudness SET path = ? WHERE path = ?")
  }

  /// When the present batch is to be written, at the latest.
  var deadline: MonotonicInstant? { batchEnd }

  /// Groups what an interrupted scan left without an album.
  func resume() throws {
    let keys = try albums.postponedKeys()
    if keys.isEmpty { return }
    try transaction {
      try albums.group([], former: [:], keys: keys, releases: [], touched: [], isFinal: true)
    }
  }

  /// Takes what a thread has read.
  func take(_ message: ScanMessage) throws {
    switch message {
    case .listed(let visit, let found):
      if let id = visit.id { visited.insert(id) }
      summary.unchangedCount += found.unchangedCount
      gone += found.gone
      seenProblems.formUnion(found.problems)
      if found.partCount > 0 {
        openParts[visit.path] = found.partCount
      } else if visit.id == nil || visit.storedTime != visit.modificationTime || visit.sheets != nil {
        listed.append(visit)
      }
    case .read(let visit, let files):
      for file in files { batch.append((visit, file)) }
      let left = (openParts[visit.path] ?? 1) - 1
      openParts[visit.path] = left > 0 ? left : nil
      if left == 0 { listed.append(visit) }
    case .unreadable(let path, let reason):
      kept.append(path)
      plan.tell(.refused(reason), path)
      try transaction { seenProblems.insert(try problems.insert(path, .unknown, reason)) }
    case .passedOver(let path): kept.append(path)
    case .vanished(let path):
      // What went just now may be elsewhere; who asks for it by name knows that it went.
      if !plan.scope.names(path) { kept.append(path) }
    case .needsAll: needsAll = true
    }
    if batchEnd == nil, !batch.isEmpty || !listed.isEmpty {
      batchEnd = MonotonicInstant.now.advanced(byMilliseconds: Self.batchTime)
    }
    if batch.count >= batchSize { try writeBatch() }
  }

  /// Writes the present batch if it is time.
  func writeIfDue() throws {
    if let batchEnd, MonotonicInstant.now >= batchEnd { try writeBatch() }
  }

  /// Writes what was taken.
  func writeBatch() throws {
    batchEnd = nil
    if batch.isEmpty, listed.isEmpty { return }
    try transaction { try write(batch) }
    batchSize = min(2 * batchSize, Self.batchSizes.upperBound)
    batch.removeAll(keepingCapacity: true)
    listed.removeAll(keepingCapacity: true)
  }

  /// Removes tracks and directories that are no more, and groups what waited for it.
  func finish(gone: [Int64], directories lost: [Int64], problems lostProblems: [Int64]) throws {
    let gone = gone.filter { !claimed.contains($0) }
    var lastGone: RelativePath?
    try transaction {
      var change = Change()
      for id in gone {
        guard let stored = try remove(id, &change) else { continue }
        summary.goneCount += 1
        // A file of several tracks is told once, and one without a name of its own never.
        if stored.path.name.first != 0, stored.path != lastGone { plan.tell(.gone, stored.path) }
        lastGone = stored.path
        // Nobody can ask for what was kept under a name that no file has.
        if stored.path.name.first == 0 {
          loudnessDeletion.bind(stored.path.absolute(in: plan.root))
          try loudnessDeletion.run()
        }
      }
      for id in lost { try directories.remove(id) }
      for id in lostProblems { try problems.remove(id) }
      let keys = change.keys.union(try albums.postponedKeys())
      try albums.group(
        [], former: [:], keys: keys, releases: change.releases, touched: change.albums, isFinal: true)
      try stickers.run()
    }
    summary.problemCount = try problems.count()
  }

  /// Counts what there is under the names of what was changed, and renews what is kept as arrays.
  func count() throws {
    for names in [rows.artists, rows.genres] { try names.count() }
    try rows.snapshot.renew()
  }

  /// Gives tracks that turned up anew the identities of those that are gone.
  func adopt(_ pairs: [(new: Int64, former: Int64)]) throws {
    if pairs.isEmpty { return }
    try transaction {
      var change = Change()
      let move = try IndexStatement(
        database, "UPDATE track SET id = ?, added = ?, album = ?, grouped = 0 WHERE id = ?")
      for (new, former) in pairs {
        guard let present = try row(new), let old = try remove(former, &change) else { continue }
        try rows.removeWords(of: new)
        if let album = present.album { change.albums.insert(album) }
        for id in [new, former] { rows.snapshot.patch(id) }
        try rows.listings.forget(directoryOf: new)
        move.bind(former)
        move.bind(old.added)
        move.bind(old.album)
        move.bind(new)
        try move.run()
        try rename(old.path, to: present.path)
        plan.tell(.moved(from: plan.absolute(old.path)), present.path)
        change.keys.insert(present.key)
        claimed.insert(former)
        summary.addedCount -= 1
        summary.movedCount += 1
      }
      try albums.group(
        [], former: [:], keys: change.keys, releases: change.releases, touched: change.albums, isFinal: true)
    }
  }

  /// What has to be grouped again after tracks were removed.
  private struct Change {
    var keys: Set<String> = []
    var releases: Set<String> = []
    var albums: Set<Int64> = []
  }

  private struct Stored {
    let added: Int64
    let key: String
    let release: String?
    let album: Int64?
    let path: RelativePath
    let directory: Int64
    /// -1 for the whole file.
    let segment: Int64
    let number: Int64?
  }

  private func write(_ batch: [(visit: DirectoryVisit, file: FileResult)]) throws {
    var nextID: Int64 = 1
    while try lastID.step() { nextID = lastID.integer(0) + 1 }
    var change = Change()
    var former: [Int64: Int64] = [:]
    var pending: [PendingTrack] = []
    pending.reserveCapacity(batch.count)
    for (visit, file) in batch {
      let identity = try resolved(file.identity, visit, file.name)
      let stored = try removeFile(identity, &change)
      var path: RelativePath { visit.path.appending(file.name) }
      switch file.contents {
      case .problem(let reason):
        plan.tell(.refused(reason), path)
        seenProblems.insert(try problems.insert(path, file.state, reason))
        summary.goneCount += stored.count
      case .tracks(let records):
        if plan.isKnown { try problems.remove(path) }
        let hasMoved = stored.first.map { $0.row.path != path } ?? false
        if hasMoved, let old = stored.first?.row.path {
          plan.tell(.moved(from: plan.absolute(old)), path)
          try rename(old, to: path)
        } else {
          plan.tell(stored.isEmpty ? .added : .changed, path)
        }
        let places = Self.places(of: records, in: stored)
        for (record, place) in zip(records, places) {
          let known = place.map { stored[$0] }
          let id = known?.id ?? nextID
          if known == nil {
            nextID += 1
            summary.addedCount += 1
          } else if hasMoved {
            summary.movedCount += 1
          } else {
            summary.changedCount += 1
          }
          // What is a new track of a known file was in its album.
          let origin = known ?? stored.first
          if let album = origin?.row.album { former[id] = album }
          pending.append(
            PendingTrack(
              id: id, directory: try directory(visit), name: file.name, state: file.state,
              added: origin?.row.added ?? now, record: record, sheet: file.mark))
        }
        summary.goneCount += stored.count - places.count { $0 != nil }
      }
    }
    try albums.group(
      pending, former: former, keys: change.keys, releases: change.releases, touched: change.albums,
      isFinal: false)
    for visit in listed { visited.insert(try directories.complete(visit)) }
  }

  /// Which of the tracks that a file was, by its place, each of those that it is now was; none twice.
  ///
  /// A part of a file is the one that began where it begins, or else the one of its number; the whole is no part.
  private static func places(of records: [TrackRecord], in stored: [(id: Int64, row: Stored)]) -> [Int?] {
    // Nearly always.
    if stored.isEmpty { return records.map { _ in nil } }
    var bySegment: [Int64: Int] = [:]
    var byNumber: [Int64: Int] = [:]
    for (place, track) in stored.enumerated() { bySegment[track.row.segment] = place }
    var places = records.map { bySegment.removeValue(forKey: Int64($0.track.segment?.start ?? -1)) }
    for (place, track) in stored.enumerated() where track.row.segment >= 0 {
      if bySegment[track.row.segment] == place, let number = track.row.number { byNumber[number] = place }
    }
    for (index, record) in records.enumerated() where places[index] == nil && record.track.segment != nil {
      places[index] = (record.track.number?.number).flatMap { byNumber.removeValue(forKey: Int64($0)) }
    }
    return places
  }

  /// Removes the rows of the tracks that a file was.
  private func removeFile(
    _ identity: TrackIdentity, _ change: inout Change
  ) throws -> [(id: Int64, row: Stored)] {
    guard let id = identity.id, let row = try row(id) else { return [] }
    var found: [(id: Int64, row: Stored)] = []
    for id in row.segment < 0 ? [id] : try tracks(of: row) {
      guard let row = try remove(id, &change) else { continue }
      found.append((id, row))
      // Its directory may say that it is gone.
      if case .moved = identity { claimed.insert(id) }
    }
    return found
  }

  /// The tracks of the file of which `row` is one.
  private func tracks(of row: Stored) throws -> [Int64] {
    fileSelection.bind(row.directory)
    fileSelection.bind(Array(row.path.name))
    var ids: [Int64] = []
    while try fileSelection.step() { ids.append(fileSelection.integer(0)) }
    return ids
  }

  /// Which track a file is, after others may have laid claim to the same one; makes room for its name.
  private func resolved(
    _ identity: TrackIdentity, _ visit: DirectoryVisit, _ name: [UInt8]
  ) throws -> TrackIdentity {
    // What was known may have been moved elsewhere since.
    if case .known(let id) = identity, claimed.contains(id) { return .new }
    guard case .moved(let id, let displaced) = identity else { return identity }
    if claimed.insert(id).inserted {
      if let displaced, let directory = visit.id { try park(displaced, directory, visit.path, name) }
      return identity
    }
    guard let displaced, claimed.insert(displaced).inserted else { return .new }
    return .known(displaced)
  }

  /// Gives a track whose name belongs to another file a name that no file has, until its own is met, or it is gone.
  private func park(_ id: Int64, _ directory: Int64, _ path: RelativePath, _ name: [UInt8]) throws {
    guard let row = try row(id), row.directory == directory, Array(row.path.name) == name else { return }
    let place = [0] + Array("\(id)".utf8)
    for track in row.segment < 0 ? [id] : try tracks(of: row) {
      try rows.listings.forget(directoryOf: track)
      parking.bind(place)
      parking.bind(track)
      try parking.run()
    }
    try rename(path.appending(name), to: path.appending(place))
  }

  private func directory(_ visit: DirectoryVisit) throws -> Int64 {
    if let id = visit.id { return id }
    let id = try directories.id(of: visit.path)
    visited.insert(id)
    return id
  }

  private func row(_ id: Int64) throws -> Stored? {
    trackSelection.bind(id)
    defer { trackSelection.reset() }
    guard try trackSelection.step() else { return nil }
    return Stored(
      added: trackSelection.integer(0), key: trackSelection.text(1), release: trackSelection.optionalText(2),
      album: trackSelection.optionalInteger(3),
      path: RelativePath(trackSelection.bytes(5)).appending(trackSelection.bytes(4)),
      directory: trackSelection.integer(6), segment: trackSelection.integer(7),
      number: trackSelection.optionalInteger(8))
  }

  private func remove(_ id: Int64, _ change: inout Change) throws -> Stored? {
    guard let stored = try row(id) else { return nil }
    change.keys.insert(stored.key)
    if let release = stored.release { change.releases.insert(release) }
    if let album = stored.album { change.albums.insert(album) }
    try rows.delete(id)
    return stored
  }

  private func rename(_ old: RelativePath, to new: RelativePath) throws {
    loudness.bind(new.absolute(in: plan.root))
    loudness.bind(old.absolute(in: plan.root))
    try loudness.run()
  }

  private func transaction(_ body: () throws -> Void) throws {
    try database.inTransaction(.immediate) {
      try rows.listings.begin()
      try body()
      return .commit
    }
  }
}
