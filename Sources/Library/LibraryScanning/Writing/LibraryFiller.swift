// SPDX-License-Identifier: GPL-3.0-or-later

import GRDB
import LibraryIndex
package import MusicModel
import Platform
import SystemPackage
import Tagging

/// Writes artificial files into the index, as a scan would, to measure queries on large libraries.
package struct LibraryFiller {
  /// A directory with artificial files.
  package struct Directory {
    /// The path, relative to the root of the library.
    package var path: String
    package var files: [File] = []

    package init(path: String) { self.path = path }
  }

  /// The values that would be read from a file.
  package struct File {
    package var name: String
    package var duration: Duration
    /// The audio format.
    package var audio: AudioSummary
    /// The tags, by TagLib's property names.
    package var tags: [(name: String, value: String)]

    package init(name: String, duration: Duration, audio: AudioSummary, tags: [(name: String, value: String)]) {
      self.name = name
      self.duration = duration
      self.audio = audio
      self.tags = tags
    }
  }

  private let library: IndexedLibrary

  /// Creates a writer for the first directory of a library, which has no tracks yet.
  package init(_ library: IndexedLibrary) { self.library = library }

  /// Adds the directories that `next` returns, until it returns `nil`.
  ///
  /// - Throws: The errors of `next`, or `LibraryError`.
  package func run(_ next: () throws -> Directory?) throws {
    let row = try library.index.library(library.roots.first)
    let plan = ScanPlan(
      root: library.roots.first.systemBytes, library: row.id, scope: .everything, isKnown: false,
      reader: TagReader(),
      isCancelled: { false })
    try library.index.write { database in
      let writer = try ScanWriter(database, plan: plan, now: WallClock.now / 1_000_000_000)
      do {
        try fill(writer, plan, next)
      } catch {
        writer.rollBack()
        throw error
      }
      try row.mark(writer.summary, .everything, isComplete: true, database)
    }
  }

  /// Notes ratings and counts of most tracks, and adds plays to the log, from 2016 to 2025. Some tracks are played
  /// often, and about half of them never.
  package func addMarks(playCount: Int) throws {
    try library.index.write { database in
      try database.inTransaction {
        for (name, value) in [
          (Sticker.rating, "1 + id % 10"), (Sticker.albumRating, "1 + album % 10"), (Sticker.playCount, "1 + id % 23"),
          (Sticker.skipCount, "1 + id % 5"), (Sticker.lastPlayed, "1700000000 + id * 7919 % 80000000"),
        ] {
          let key = name == Sticker.albumRating ? "album" : "id"
          try database.execute(
            sql: "INSERT INTO sticker SELECT id, '\(name)', \(value) FROM track WHERE \(key) % 3 > 0")
        }
        try database.execute(
          sql: """
            INSERT INTO played_track
            SELECT id, CAST('/' || id AS BLOB), -1, title, ifnull(artists, ''), ifnull(album_title, ''), '', '', duration,
              id
            FROM track;
            WITH RECURSIVE number (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM number WHERE n + 1 < ?),
              pick (n, k) AS (SELECT n, n * 2654435761 % 4294967296 / 65536 FROM number),
              last (id) AS (SELECT max(id) FROM track)
            INSERT INTO play (time, track, heard, origin)
            SELECT 1451606400 + n * 315360000 / ?, 1 + k * k / 65536 * last.id / 65536, 180000, '' FROM pick, last
            """, arguments: [playCount, playCount])
        return .commit
      }
    }
  }

  private func fill(_ writer: ScanWriter, _ plan: ScanPlan, _ next: () throws -> Directory?) throws {
    var maker = TrackRecordMaker()
    var number: Int64 = 0
    while let directory = try next() {
      let path = RelativePath(Array(directory.path.utf8))
      let visit = DirectoryVisit(path: path, id: nil, storedTime: nil, modificationTime: 1)
      var listed = ScanMessage.Listed()
      listed.partCount = 1
      try writer.handle(.listed(visit, listed))
      var results: [FileResult] = []
      for file in directory.files {
        number += 1
        results.append(result(file, number, in: path, plan, &maker))
      }
      var records: [TrackRecord] = []
      for case .tracks(let found) in results.map(\.contents) { records += found }
      try writer.handle(.read(visit, results, PreparedAlbum.albums(of: records, maker: &maker)))
      try writer.writeIfDue()
    }
    try writer.flush()
    try writer.finish(missing: [], directories: [], problems: [])
    try writer.completeCounts()
  }

  private func result(
    _ file: File, _ number: Int64, in directory: RelativePath, _ plan: ScanPlan,
    _ maker: inout TrackRecordMaker
  ) -> FileResult {
    var fields = TagFields()
    for tag in file.tags { fields.append(tag.value, to: tag.name) }
    let name = Array(file.name.utf8)
    var track = Track(path: plan.absolute(directory.appending(name)), fields: fields)
    track.audio = file.audio
    track.duration = file.duration
    return FileResult(
      name: name, state: FileState(size: 1, modificationTime: number, inode: number, device: 1),
      identity: .new,
      contents: .tracks([maker.record(track, fields: fields, in: plan.absolute(directory))]))
  }
}
