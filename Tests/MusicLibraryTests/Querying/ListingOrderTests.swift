import GRDB
import MusicModel
import Testing

@testable import MusicLibrary

@Suite struct ListingOrderTests {
  @Test(arguments: LibraryOrder.Key.allCases, [false, true])
  func `A page is read along an index, without sorting and without reading a table whole`(
    key: LibraryOrder.Key, isDescending: Bool
  ) throws {
    let sample = try SampleIndex()
    for item in [ListingOrder.Item.tracks, .albums] {
      let order = ListingOrder(LibraryOrder(key, isDescending: isDescending), of: item)
      var statements = order.segments.map { $0.selection("track.id") }
      statements += order.segments.map {
        $0.selection(
          "track.id", joining: " CROSS JOIN words ON words.id = track.id",
          where: "instr(words.title, ' a ') > 0")
      }
      statements += order.albumSegments.map { $0.selection("album.id") }
      for sql in statements {
        let plan = try sample.database.read { database in
          try Row.fetchAll(database, sql: "EXPLAIN QUERY PLAN \(sql)", arguments: [1]).map {
            $0["detail"] as String
          }
        }
        #expect(!plan.contains { $0.contains("TEMP B-TREE") || $0.hasPrefix("SCAN") }, "\(sql): \(plan)")
        #expect(plan.first?.contains(" INDEX ") == true, "\(sql): \(plan)")
      }
      #expect(
        order.segments.allSatisfy { $0.selection("track.id").contains("INDEXED BY") })
    }
  }
}
