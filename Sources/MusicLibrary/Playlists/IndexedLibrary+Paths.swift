import FoundationEssentials
import GRDB
import MusicModel
import Platform
import SystemPackage

extension IndexedLibrary {
  /// The tracks that the index has at these paths, which are absolute; without those that it does not have, or cannot give.
  func tracks(at paths: [FilePath]) -> [FilePath: Track] {
    let found = try? reading { reader in
      try reader.database.read { database in
        let statement = try database.cachedStatement(
          sql: """
            SELECT \(StoredTrack.columns) FROM directory CROSS JOIN track ON track.directory = directory.id
            CROSS JOIN library ON library.id = track.library
            WHERE directory.library = ? AND directory.path = ? AND track.name = ?
            """)
        var tracks: [FilePath: Track] = [:]
        for path in paths where tracks[path] == nil {
          guard let relative = RelativePath(path, below: root) else { continue }
          let arguments: StatementArguments = [
            reader.library, Data(relative.parent.bytes), Data(relative.name),
          ]
          if let row = try Row.fetchOne(statement, arguments: arguments) {
            tracks[path] = StoredTrack.entry(row).track
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
