import Foundation
import GRDB
import Platform
import SystemPackage
import TestSupport

@testable import MusicLibrary
@testable import MusicModel

/// A scan that reads all files anew, and stops behind each part of them that was written.
struct SteppedRescan {
  let rig: ScanRig
  /// How many files are written at a time.
  let partSize: Int

  /// Reads and writes the files of all directories, each part in a transaction of its own, with `look` called behind
  /// each.
  func run(look: () throws -> Void) throws -> ScanSummary {
    let row = try rig.index.library(rig.root)
    let plan = ScanPlan(
      root: rig.root.systemBytes, library: row.id, scope: .everything, isKnown: true, reader: TagReader(),
      readsUnchanged: true, snapshot: SnapshotLimits(tracks: 3, patches: 2, commonTexts: 2),
      isCancelled: { false })
    let directories = try rig.rows(
      "SELECT id, path FROM directory WHERE id IN (SELECT directory FROM track) ORDER BY path")
    return try rig.index.write { database in
      let last = try Int64.fetchOne(database, sql: "SELECT max(id) FROM track") ?? 0
      let writer = try ScanWriter(database, plan: plan, now: 1)
      for directory in directories {
        let parts = directory.split(separator: " ", maxSplits: 1)
        guard let id = Int64(parts[0]) else { continue }
        try read(String(parts[1]), id, plan, database, writer, look)
      }
      try ScanEnd(database, plan: plan, writer: writer, lastID: last).run()
      try look()
      return writer.summary
    }
  }

  private func read(
    _ directory: String, _ id: Int64, _ plan: ScanPlan, _ database: Database, _ writer: ScanWriter,
    _ look: () throws -> Void
  ) throws {
    var maker = TrackRecordMaker()
    let path = RelativePath(Array(directory.utf8))
    let visit = DirectoryVisit(path: path, id: id, storedTime: 1, modificationTime: 2)
    var results: [FileResult] = []
    let rows = try Row.fetchAll(
      database, sql: "SELECT id, name FROM track WHERE directory = ? ORDER BY name", arguments: [id])
    for row in rows {
      let name: [UInt8] = Array(row[1] as Data)
      let file = plan.absolute(path.appending(name))
      let status = try FileStatus(of: file)
      let (track, fields) = try plan.reader.read(file, status)
      results.append(
        FileResult(
          name: name, state: FileState(status), identity: .known(row[0]),
          contents: .tracks([maker.record(track, fields: fields, in: plan.absolute(path))])))
    }
    var listed = ScanMessage.Listed()
    listed.partCount = (results.count + partSize - 1) / partSize
    try writer.take(.listed(visit, listed))
    for start in stride(from: 0, to: results.count, by: partSize) {
      try writer.take(.read(visit, Array(results[start..<min(start + partSize, results.count)])))
      try writer.flush()
      try look()
    }
  }
}
