import Testing
import UnicodeText

struct NaturalSortKeyTests {
  @Test(arguments: [
    ["1", "2", "10", "100"], ["Track 2", "track 10"], ["a1b2", "a1b10", "a2"], ["Éa", "eb"], ["", "0", "1"],
    ["02", "2", "3"], ["99999999999999999998", "99999999999999999999", "100000000000000000000"],
    ["Vol. 9", "Vol. 10", "Volume"], ["a", "a1", "ab"],
  ])
  func `Texts sort as people count`(texts: [String]) {
    #expect(texts.reversed().sorted { NaturalSortKey($0) < NaturalSortKey($1) } == texts)
  }

  @Test func `Equal keys mean equal texts`() {
    #expect(NaturalSortKey("A") != NaturalSortKey("a"))
    #expect(NaturalSortKey("A") == NaturalSortKey("A"))
  }

  @Test func `A number longer than any count sorts without harm`() {
    let long = String(repeating: "9", count: 1000)
    #expect(NaturalSortKey("1" + long) > NaturalSortKey("5"))
  }
}
