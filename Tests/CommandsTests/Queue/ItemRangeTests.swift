// SPDX-License-Identifier: GPL-3.0-or-later

import FaceExamples
import MusicModel
import PlayerPort
import TestSupport
import Testing

@testable import Commands
@testable import Screens

struct ItemRangeTests {
  @Test(arguments: [
    ("3", [2..<3]), ("3-7", [2..<7]), ("3-", [2..<12]), ("-4", [0..<4]),
    ("3,5,9-12", [2..<3, 4..<5, 8..<12]),
    (".", [4..<5]), ("last", [11..<12]), (".-", [4..<12]), ("-.", [0..<5]), (".-last", [4..<12]),
    ("3-.", [2..<5]), ("1-12", [0..<12]), ("1", [0..<1]), ("12", [11..<12]), ("3-3", [2..<3]),
    ("5,3", [2..<3, 4..<5]), ("3,3", [2..<3]), ("1-4,3-6", [0..<6]), ("1-3,4-5", [0..<5]), ("003", [2..<3]),
    ("last,1", [0..<1, 11..<12]),
  ])
  func `A range yields distinct positions in ascending order`(text: String, positions: [Range<Int>]) throws {
    #expect(try ItemRange(text).positions(in: 12, current: 4) == positions)
  }

  @Test func `Several words form one range`() throws {
    #expect(try ItemRange(["3", "5,7-8"]).positions(in: 12, current: nil) == [2..<3, 4..<5, 6..<8])
  }

  @Test(arguments: [
    "", "-", "a", "0", "0-3", "3-0", "1-2-3", "--4", "3,,4", ",3", "3,", "+3", "3.", "..", "LAST", "３", " 3",
    "3 5", "-",
    "1- 2", "next", "3–7", "1e3", "-0",
  ])
  func `An invalid range is refused with the valid forms`(text: String) throws {
    let error = try #require(throws: PlayerError.self) { try ItemRange(text) }
    #expect(error.status == .usage && error.message.contains("3,5,9-12"))
  }

  @Test(arguments: [
    ("13", 12, "there is no item 13: the queue has 12 items"), ("3-13", 12, "no item 13"),
    ("13-", 12, "no item 13"),
    ("-13", 12, "no item 13"), ("1", 0, "there is no item 1: the queue is empty"),
    ("last", 0, "no item last: the queue is empty"), ("2", 1, "the queue has 1 item"),
    ("99999999999999999999", 12, "the queue has 12 items"), ("-4", 0, "the queue is empty"),
  ])
  func `A missing position is reported with the number of items`(text: String, count: Int, part: String)
    throws
  {
    let range = try ItemRange(text)
    let error = try #require(throws: PlayerError.self) { try range.positions(in: count, current: nil) }
    #expect(error.status == .notFound && error.message.contains(part), "\(error.message)")
  }

  @Test(arguments: ["7-3", "last-1", ".-3", "1,7-3"])
  func `A range that ends before it begins is refused`(text: String) throws {
    let error = try #require(throws: PlayerError.self) {
      try ItemRange(text).positions(in: 12, current: 4)
    }
    #expect(error.status == .usage && error.message.contains("ends before it starts; the queue has 12 items"))
  }

  @Test func `Without a current item, a dot is refused`() throws {
    #expect(throws: PlayerError.noCurrentItem) { try ItemRange(".").positions(in: 12, current: nil) }
  }

  @Test(arguments: 1...300 as ClosedRange<UInt64>)
  func `Whatever is typed, positions are in the queue, separate and ascending`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let tokens = ["-", ",", ".", "last", "1", "7", "12", "0", "13", "x"]
    let text = (0..<Int.random(in: 0...6, using: &generator)).map { _ in
      tokens.randomElement(using: &generator) ?? ""
    }.joined()
    guard let positions = try? ItemRange(text).positions(in: 12, current: 4) else { return }
    #expect(!positions.isEmpty && positions.allSatisfy { !$0.isEmpty && (0...12).contains($0.upperBound) })
    #expect(zip(positions, positions.dropFirst()).allSatisfy { $0.upperBound < $1.lowerBound })
  }
}

struct InsertionPointTests {
  private static func queue(_ count: Int, current: Int?) -> PlayQueue {
    Examples.queue((0..<count).map { Examples.track("\($0)") }, current: current)
  }

  @Test(arguments: [
    ("1", QueueInsertionPoint.position(0)), ("6", .position(5)), ("next", .next), ("end", .end), (".", .position(2)),
  ])
  func `Items are inserted at a position from 1, after the last, and around the current item`(
    text: String, point: QueueInsertionPoint
  ) throws {
    #expect(try InsertionPoint(text).resolved(in: Self.queue(5, current: 2)) == point)
  }

  @Test(arguments: ["", "0", "-1", "last", "+1", "x", "3-4", "１"])
  func `An invalid insertion point is refused`(text: String) throws {
    let error = try #require(throws: PlayerError.self) { try InsertionPoint(text) }
    #expect(error.status == .usage && error.message.contains("invalid position"))
  }

  @Test func `An insertion point outside the queue is not found`() throws {
    for (text, current) in [("7", 2), (".", nil)] as [(String, Int?)] {
      let error = try #require(throws: PlayerError.self) {
        try InsertionPoint(text).resolved(in: Self.queue(5, current: current))
      }
      #expect(error.status == .notFound)
    }
    #expect(throws: PlayerError.noItem("6", 5)) {
      try InsertionPoint("6").target(of: [0..<1], in: Self.queue(5, current: 2))
    }
    #expect(throws: PlayerError.noCurrentItem) {
      try InsertionPoint("next").target(of: [0..<1], in: Self.queue(5, current: nil))
    }
  }

  @Test(arguments: [
    ("1", [3..<5], 0), ("5", [0..<2], 3), ("end", [0..<2], 3), ("end", [4..<5], 4), ("next", [0..<1], 2),
    ("next", [4..<5], 3), ("next", [3..<5], 3), (".", [4..<5], 2), (".", [0..<1], 1), ("next", [2..<3], 2),
    ("next", [0..<1, 4..<5], 2), ("3", [0..<5], 0),
  ])
  func `Moved items end up at the target, counted without them`(
    text: String, moved: [Range<Int>], target: Int
  ) throws {
    #expect(try InsertionPoint(text).target(of: moved, in: Self.queue(5, current: 2)) == target)
  }
}
