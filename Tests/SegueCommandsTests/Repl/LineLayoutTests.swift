import Testing

@testable import SegueCommands

struct LineLayoutTests {
  private static func place(_ text: String, columns: Int) -> [Int] {
    // The editor asks for the locale; here nobody did.
    _ = TerminalFacts.isUTF8
    var layout = LineLayout(columns: columns)
    layout.append(text.unicodeScalars)
    return [layout.row, layout.column]
  }

  @Test func `Rows are filled to their last cell`() {
    #expect(Self.place("segue> abc", columns: 20) == [0, 10])
    #expect(Self.place(String(repeating: "a", count: 20), columns: 20) == [1, 0])
    #expect(Self.place(String(repeating: "a", count: 45), columns: 20) == [2, 5])
  }

  @Test func `Full rows and what follows them are known`() {
    _ = TerminalFacts.isUTF8
    var layout = LineLayout(columns: 4)
    layout.append("ab c12 3日本x é".unicodeScalars)
    #expect(
      layout.rowEnds == [
        .init(row: 0, isBlank: false, next: "1"), .init(row: 1, isBlank: false, next: "日"),
        .init(row: 2, isBlank: false, next: "x"),
      ])
    var blank = LineLayout(columns: 3)
    blank.append("ab c日\u{1}x".unicodeScalars)
    #expect(
      blank.rowEnds == [
        .init(row: 0, isBlank: true, next: "c"), .init(row: 1, isBlank: false, next: nil),
        .init(row: 2, isBlank: false, next: " "),
      ])
    var full = LineLayout(columns: 3)
    full.append("abcab ".unicodeScalars)
    #expect(
      full.rowEnds == [
        .init(row: 0, isBlank: false, next: "a"), .init(row: 1, isBlank: true, next: " "),
      ])
    var wide = LineLayout(columns: 3)
    wide.append("ab日a\nb".unicodeScalars)
    #expect(
      wide.rowEnds == [
        .init(row: 0, isBlank: true, next: "日"), .init(row: 1, isBlank: false, next: " "),
      ])
  }

  @Test func `Ends of lines and controls take what libedit gives them`() {
    #expect(Self.place("abc\nde", columns: 20) == [1, 2])
    #expect(Self.place("a\tb", columns: 20) == [0, 9])
    #expect(Self.place("\u{1}", columns: 20) == [0, 2])
  }
}
