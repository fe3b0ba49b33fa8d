import GRDB

/// Asks of one track after another whether it answers a query.
struct TrackCheck {
  private let statement: IndexStatement
  private let parameter: Int

  /// The first of `arguments` is the library.
  init(_ database: Database, _ predicate: QueryPredicate, _ arguments: QueryArguments) throws {
    parameter = arguments.count + 1
    statement = try IndexStatement(
      database,
      """
      SELECT 1 FROM track CROSS JOIN words ON words.id = track.id \
      WHERE track.id = ?\(parameter) AND track.library = ?1 AND \(predicate.sql)
      """)
    arguments.bind(to: statement)
  }

  /// Whether the track with this id does.
  func isAnswered(by track: Int64) throws -> Bool {
    statement.rebind(track, to: parameter)
    defer { statement.reset() }
    return try statement.step()
  }
}
