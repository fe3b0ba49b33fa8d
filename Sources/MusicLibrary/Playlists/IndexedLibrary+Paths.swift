import FoundationEssentials
import GRDB
import MusicModel
import Platform
import SystemPackage

extension IndexedLibrary {
  /// How many files of one directory are asked for at once.
  private static let chunk = 8

  /// The tracks that the index has at these paths, which are absolute; without those that it does not have, or cannot give.
  func tracks(at paths: [FilePath]) -> [FilePath: Track] {
    var wanted: [RelativePath: [[UInt8]: FilePath]] = [:]
    for path in paths {
      guard let seen = roots.relative(path) else { continue }
      let relative = RelativePath(seen.systemBytes)
      wanted[relative.parent, default: [:]][Array(relative.name)] = path
    }
    let found = try? reading { reader in
      try reader.database.read { database in
        let statement = try database.cachedStatement(
          sql: """
            SELECT \(StoredTrack.columns) FROM directory CROSS JOIN track ON track.directory = directory.id
            CROSS JOIN library ON library.id = track.library
            WHERE directory.library = ? AND directory.path = ?
              AND track.name IN (\(Array(repeating: "?", count: Self.chunk).joined(separator: ",")))
            """)
        var tracks: [FilePath: Track] = [:]
        tracks.reserveCapacity(paths.count)
        for (directory, files) in wanted {
          guard let (library, directory) = reader.libraries.place(directory) else { continue }
          let names = files.keys.map { Data($0) }
          for start in stride(from: 0, to: names.count, by: Self.chunk) {
            // Where names are left over, the question asks for the last one again.
            let asked = (start..<start + Self.chunk).map { names[min($0, names.count - 1)] }
            let arguments = StatementArguments(
              [library.databaseValue, Data(directory.bytes).databaseValue] + asked.map(\.databaseValue))
            let rows = try Row.fetchCursor(statement, arguments: arguments)
            while let row = try rows.next() {
              guard let path = files[row.bytes(3)], tracks[path] == nil else { continue }
              tracks[path] = StoredTrack.entry(row).track
            }
          }
        }
        return tracks
      }
    }
    return (found ?? nil) ?? [:]
  }

  /// Whether the index has a track at this path.
  func hasTrack(at path: FilePath) -> Bool { tracks(at: [path])[path] != nil }
}
