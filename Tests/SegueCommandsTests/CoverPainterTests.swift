import CoverDrawing
import Platform
import SystemPackage
import TestSupport
import Testing

@testable import SegueCommands

struct CoverPainterTests {
  private static let canvas = CoverCanvas(columns: 20, rows: 10, graphics: .symbols, colours: .trueColour)

  @Test func `A cover is drawn for the track that was wished for last, and none where there is none`() throws {
    let events = try EventQueue<(CoverPainter.Wish, DrawnCover?)>()
    let painter = CoverPainter { events.post(($0, $1)) }
    let directory = try TemporaryDirectory()
    let wishes = [Fixture.canon[0], directory["none.flac"]].map {
      CoverPainter.Wish(path: $0, canvas: Self.canvas)
    }
    for wish in wishes {
      painter.draw(wish)
      guard case .event(let (drawn, cover)) = events.next() else {
        Issue.record("no cover was told")
        return
      }
      #expect(drawn == wish)
      #expect((cover == nil) == (wish == wishes[1]))
    }
    for _ in 0..<50 { for wish in wishes { painter.draw(wish) } }
    var last: CoverPainter.Wish?
    while last != wishes[1], case .event(let (drawn, _)) = events.next() { last = drawn }
    #expect(last == wishes[1])
  }
}
