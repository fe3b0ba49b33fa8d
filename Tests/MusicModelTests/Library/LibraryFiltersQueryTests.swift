import MusicModel
import Testing

struct LibraryFiltersQueryTests {
  @Test func `No filter is everything`() {
    #expect(LibraryFilters().query == .everything)
  }

  @Test func `Of each kind one value suffices, and every kind must be met`() {
    var filters = LibraryFilters()
    filters.insert("Jazz", of: .genre)
    filters.insert("Hard Bop", of: .genre)
    filters.insert("1950s", of: .decade)
    #expect(filters.query.description == "(genre:=\"Jazz\" or genre:=\"Hard Bop\") year:1950s")
    filters.insert("flac", of: .format)
    filters.remove("Jazz", of: .genre)
    #expect(filters.query.description == "genre:=\"Hard Bop\" year:1950s format:=\"flac\"")
  }

  @Test(arguments: ["fifties", "1955", "s", "", "-10", "99999999999999999990"])
  func `What is no decade is true of nothing`(text: String) {
    var filters = LibraryFilters()
    filters.insert(text, of: .decade)
    #expect(filters.query == .nothing)
  }
}
