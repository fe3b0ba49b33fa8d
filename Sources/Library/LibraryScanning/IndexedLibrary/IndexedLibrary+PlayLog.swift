// SPDX-License-Identifier: GPL-3.0-or-later

import GRDB
import LibraryIndex
public import MusicModel

/// The play log, which is that of all libraries in the index.
extension IndexedLibrary: PlayLogRepository {
  public func log(_ play: LoggedPlay) throws(LibraryError) -> Int64 {
    try editing { try PlayLogTables.insert(play, $0) }
  }

  public func setHeard(_ heard: Duration, ofPlay id: Int64) throws(LibraryError) {
    try editing { try PlayLogTables.setHeard(heard, ofPlay: id, $0) }
  }

  public func plays(
    _ period: PlayPeriod, window: LibraryPage<LoggedPlay>.Window
  ) throws(LibraryError) -> LibraryPage<LoggedPlay> {
    try reading(LibraryPage([])) { database in
      let limit = window.limit.flatMap { $0 < .max ? $0 + 1 : nil }
      let plays = try PlayLogTables.plays(period, offset: window.offset, limit: limit, database)
      guard let wanted = window.limit else { return LibraryPage(plays) }
      return LibraryPage(Array(plays.prefix(wanted)), hasMore: plays.count > wanted)
    }
  }

  public func removePlays(_ period: PlayPeriod) throws(LibraryError) -> Int {
    try editing { try PlayLogTables.remove(period, $0) }
  }

  public func statistics(_ period: PlayPeriod, limit: Int) throws(LibraryError) -> PlayStatistics {
    try reading(PlayStatistics()) { try PlayStatisticsQuery($0, period, limit: limit).statistics() }
  }

  /// Returns what `body` reads; `empty` if the library was never scanned.
  private func reading<Value>(_ empty: Value, _ body: (Database) throws -> Value) throws(LibraryError) -> Value {
    try index.inReadTransaction(roots) { database, _ in try body(database) } ?? empty
  }
}
