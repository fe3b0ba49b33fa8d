// SPDX-License-Identifier: GPL-3.0-or-later

import GRDB
import SystemPackage
import TestSupport

@testable import LibraryIndex
@testable import MusicModel
@testable import RemoteControl

enum FilterCheck {
  /// Returns the problem in the filter given by the arguments of a protocol line.
  static func problem(in bytes: [UInt8]) -> String? {
    guard let words = try? ProtocolWords(bytes) else { return nil }
    for ignoresCase in [true, false] {
      var parser = FilterParser(ignoresCase: ignoresCase)
      guard let filter = try? parser.parse(words.arguments) else { continue }
      if TrackMatcher(filter, in: nil).matches(track) == TrackMatcher(.not(filter), in: nil).matches(track) {
        return "the filter and its negation agree"
      }
      if depth(of: filter) > FilterParser.maximumDepth + 1 { return "the filter is nested too deeply" }
      if let problem = conditionProblem(of: filter) { return problem }
    }
    return nil
  }

  private static func depth(of filter: TrackFilter) -> Int {
    switch filter {
    case .not(let inner): depth(of: inner) + 1
    case .all(let parts): (parts.map { depth(of: $0) }.max() ?? 0) + 1
    default: 0
    }
  }

  /// Returns SQLite's error for the filter as a condition.
  private static func conditionProblem(of filter: TrackFilter) -> String? {
    guard case .success(let database) = database else { return "cannot create an index" }
    let condition = TrackCondition(filter, libraries: LibraryScope(1))
    do {
      try database.read { database in
        for rows in [condition.albumRows, condition.rows()] {
          let statement = IndexStatement(database, "SELECT track.id FROM \(rows)")
          condition.bind(to: statement)
          while try statement.step() {}
        }
      }
    } catch {
      return "\(error)"
    }
    return nil
  }

  private static let database: Result<DatabaseQueue, any Error> = Result {
    let directory = try TemporaryDirectory()
    let path = try LibraryIndex(directory: directory.path).path
    var configuration = Configuration()
    configuration.prepareDatabase { database in
      database.add(function: TrackTag.sqlFunction)
      try TextFunctions.add(to: database)
    }
    let database = try DatabaseQueue(configuration: configuration)
    try DatabaseQueue(path: path.string).backup(to: database)
    return database
  }

  private static let track: Track = {
    var track = Track(path: FilePath("/music/a/1.flac"), title: "Title")
    track.artists = ["Artist", "Ärtist"]
    track.album = "Album"
    return track
  }()
}
