// SPDX-License-Identifier: GPL-3.0-or-later

import PlayerPort
import Testing

@testable import Screens

struct ListStateTests {
  private static func page(_ numbers: some Collection<Int>, offset: Int = 0, count: Int? = nil) -> ListPage {
    ListPage(
      offset: offset, rows: numbers.map { ListRow(.item(UInt64($0)), title: "\($0)") }, count: count ?? numbers.count)
  }

  @Test func `The cursor stays on its row when rows before it are added or removed`() {
    var list = ListState(ListView(.queue), title: "")
    list.receive(Self.page(0..<100))
    list.move(to: 40)
    list.scroll(in: ListWindow(rows: 20))
    let distance = list.cursor - list.top
    list.invalidate()
    list.receive(Self.page(Array(1_000..<1_010) + Array(0..<100)))
    #expect(list.cursor == 50 && list.current?.title == "40" && list.cursor - list.top == distance)
    list.invalidate()
    list.receive(Self.page(30..<100))
    #expect(list.current?.title == "40")
    // If the row itself is gone, the cursor stays where it is.
    list.invalidate()
    list.receive(Self.page(50..<100))
    #expect(list.cursor == 10)
    list.invalidate()
    list.receive(Self.page([]))
    #expect(list.cursor == 0 && list.current == nil && list.chosen.isEmpty)
  }

  @Test func `Marks stay on their rows when the list changes`() {
    var list = ListState(ListView(.queue), title: "")
    list.receive(Self.page(0..<50))
    list.move(to: 3)
    list.toggleMark()
    list.move(to: 5)
    list.toggleMark()
    list.invalidate()
    list.receive(Self.page([90, 91] + Array(0..<50)))
    #expect(list.chosen == [.item(3), .item(5)] && list.chosenNumbers == [5, 7])
    // A mark ends with its row.
    list.invalidate()
    list.receive(Self.page([90, 91, 0, 1, 2, 4, 5] + Array(6..<50)))
    #expect(list.chosen == [.item(5)])
    list.removeMarks()
    #expect(list.chosen == [.item(5)])
  }

  @Test func `A range is marked from where it begins to the cursor, in both directions`() {
    var list = ListState(ListView(.queue), title: "")
    list.receive(Self.page(0..<50))
    list.move(to: 8)
    list.rangeStart = 8
    list.move(to: 6)
    #expect((5...9).map { list.isMarked($0) } == [false, true, true, true, false])
    list.toggleRange()
    list.move(to: 20)
    #expect(list.isChoiceKnown && list.chosen == [.item(6), .item(7), .item(8)])
  }

  @Test func `A range that was never shown is not known as a whole`() {
    var list = ListState(ListView(.queue), title: "")
    list.receive(Self.page(0..<128, count: 1_000))
    list.rangeStart = 0
    list.move(to: 999)
    #expect(!list.isChoiceKnown && list.chosenNumbers.count == 1_000)
  }

  @Test func `The cursor is always visible, and in the middle after a jump`() {
    var list = ListState(ListView(.queue), title: "")
    list.receive(Self.page(0..<128, count: 1_000))
    for position in [0, 10, 500, 499, 999, 0, 3] {
      list.move(to: position)
      list.scroll(in: ListWindow(rows: 10))
      #expect((list.top..<list.top + 10).contains(list.cursor), "\(position)")
    }
    list.move(to: 500)
    list.scroll(in: ListWindow(rows: 10))
    #expect(list.top == 495)
    // Line by line, the window moves as little as it must; page by page, as far as the cursor.
    for _ in 0..<5 { list.move(by: 1, in: ListWindow(rows: 10)) }
    list.scroll(in: ListWindow(rows: 10))
    #expect(list.cursor == 505 && list.top == 496)
    list.move(by: -10, in: ListWindow(rows: 10))
    list.scroll(in: ListWindow(rows: 10))
    #expect(list.cursor == 495 && list.top == 486)
    list.move(to: 3)
    list.scroll(in: ListWindow(rows: 10))
    #expect(list.top == 0)
    list.scroll(by: 3, in: ListWindow(rows: 10))
    #expect(list.top == 3 && (3..<13).contains(list.cursor))
  }

  @Test func `Pages are requested once, and again only after a change`() {
    var list = ListState(ListView(.queue), title: "")
    #expect(list.nextRequest(height: 20) == 0 && list.nextRequest(height: 20) == nil)
    list.receive(Self.page(0..<128, count: 1_000))
    #expect(list.nextRequest(height: 20) == nil)
    list.move(to: 500)
    list.scroll(in: ListWindow(rows: 20))
    #expect(list.nextRequest(height: 20) == 384)
    list.receive(Self.page(384..<512, offset: 384, count: 1_000))
    list.invalidate()
    #expect(list.nextRequest(height: 20) == 384)
    list.receive("the disk is gone")
    #expect(list.problem != nil && list.nextRequest(height: 20) == nil)
  }

  @Test func `Only a few pages of a long list are in memory`() {
    var list = ListState(ListView(.queue), title: "")
    let size = ListState.pageSize
    for page in 0..<100 {
      list.receive(Self.page(page * size..<(page + 1) * size, offset: page * size, count: 1_000_000))
      list.move(to: page * size)
      list.scroll(in: ListWindow(rows: 20))
    }
    #expect((0..<100).count { list.row($0 * size) != nil } <= 17)
    #expect(list.current?.title == "\(99 * size)")
  }
}
