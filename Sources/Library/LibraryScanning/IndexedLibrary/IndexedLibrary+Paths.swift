// SPDX-License-Identifier: GPL-3.0-or-later

import GRDB
import LibraryIndex
public import MusicModel
import Platform
public import SystemPackage
public import Tagging

extension IndexedLibrary {
  public func tracks(ofSheet path: FilePath, reach: FileReach) throws(LibraryScannerError) -> [Track] {
    Array(try LibraryScanner(probe: reader.probe, reach: reach).collection(at: path).collection.tracks)
  }

  /// The maximum number of files of a directory in one query.
  private static let chunkSize = 8

  public func tracks(at locations: [(path: FilePath?, part: TrackSegment?)]) -> [Track?] {
    var wanted: [RelativePath: [(name: [UInt8], index: Int)]] = [:]
    for (index, location) in locations.enumerated() {
      guard let path = location.path, let shownPath = roots.relative(path) else { continue }
      let relative = RelativePath(shownPath.systemBytes)
      wanted[relative.parent, default: []].append((Array(relative.name), index))
    }
    let none = [Track?](repeating: nil, count: locations.count)
    let found = try? withReader { reader in
      try reader.database.read { database in
        var tracks = none
        let rows = IndexStatement(
          database,
          """
          SELECT \(StoredTrack.columns) FROM directory CROSS JOIN track ON track.directory = directory.id
          CROSS JOIN library ON library.id = track.library
          WHERE directory.library = ? AND directory.path = ?
            AND track.name IN (\(Array(repeating: "?", count: Self.chunkSize).joined(separator: ",")))
          """)
        for (directory, files) in wanted {
          guard let (library, directory) = reader.libraries.resolve(directory) else { continue }
          for start in stride(from: 0, to: files.count, by: Self.chunkSize) {
            rows.bind(library, directory.bytes)
            // If there are fewer names than parameters, the last name is repeated.
            for index in start..<start + Self.chunkSize { rows.bind(files[min(index, files.count - 1)].name) }
            while try rows.step() {
              let track = rows.track
              let name = rows.bytes(3)
              for file in files[start...].prefix(Self.chunkSize) where file.name == name {
                let isWantedSegment = track.segment == locations[file.index].part
                if isWantedSegment || tracks[file.index] == nil { tracks[file.index] = track }
              }
            }
          }
        }
        return tracks
      }
    }
    return (found ?? nil) ?? none
  }
}
