// SPDX-License-Identifier: GPL-3.0-or-later

import CoverDrawing
import Platform
import Tagging
import TestSupport
import Testing

@testable import Screens

struct CoverPaneTests {
  @Test(arguments: [
    (["COLORTERM": "truecolor"], TerminalColours.trueColour), (["COLORTERM": "24bit"], .trueColour),
    (["TERM": "xterm-direct"], .trueColour), (["TERM": "tmux-256color"], .indexed256),
    (["TERM": "xterm-kitty"], .indexed256), (["TERM": "vt100"], .sixteen), ([:], .sixteen),
  ])
  func `Environment variables determine the colours`(variables: [String: String], colours: TerminalColours) {
    #expect(CoverPane.colours { variables[$0] } == colours)
  }
}

struct CoverPainterTests {
  private static let canvas = CoverCanvas(columns: 20, rows: 10, graphics: .symbols, colours: .trueColour)

  @Test func `A cover is drawn for the track requested last, unless it has none`() throws {
    let events = try EventQueue<(CoverPainter.Request, DrawnCover?)>()
    let painter = CoverPainter(CoverSource()) { events.post(($0, $1)) }
    let directory = try TemporaryDirectory()
    let requests = [Fixture.canon[0], directory["none.flac"]].map {
      CoverPainter.Request(path: $0, canvas: Self.canvas)
    }
    for request in requests {
      painter.draw(request)
      guard case .event(let (drawn, cover)) = events.next() else {
        Issue.record("no cover was reported")
        return
      }
      #expect(drawn == request)
      #expect((cover == nil) == (request == requests[1]))
    }
    for _ in 0..<50 { for request in requests { painter.draw(request) } }
    var last: CoverPainter.Request?
    while last != requests[1], case .event(let (drawn, _)) = events.next() { last = drawn }
    #expect(last == requests[1])
  }
}
