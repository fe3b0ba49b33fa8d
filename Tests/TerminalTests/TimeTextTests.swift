// SPDX-License-Identifier: GPL-3.0-or-later

import TestSupport
import Testing

@testable import Terminal

struct TimeTextTests {
  @Test(arguments: [
    (0.0, "0:00"), (0.999, "0:00"), (5, "0:05"), (59.99, "0:59"), (60, "1:00"), (325, "5:25"),
    (3_599, "59:59"),
    (3_600, "1:00:00"), (3_723, "1:02:03"), (360_000, "100:00:00"), (-3, "0:00"),
  ])
  func `A duration is shown in minutes and seconds, or with hours`(seconds: Double, text: String) {
    #expect(TimeText.text(.seconds(seconds)) == text)
  }

  @Test func `An unknown duration is a dash`() {
    #expect(TimeText.text(nil) == "-:--")
  }

  @Test(arguments: [
    ("0", 0), ("90", 90_000), ("1:30", 90_000), ("1:02:03", 3_723_000), ("0:05.5", 5_500), ("2.25", 2_250),
    ("100:00", 6_000_000), ("1:00:00", 3_600_000), ("3600000", 3_600_000_000), ("007", 7_000),
  ])
  func `A duration is parsed`(text: String, milliseconds: Int) {
    #expect(TimeText.duration(text) == .milliseconds(milliseconds))
  }

  @Test(arguments: [
    "", ":", "1:", ":30", "1:60", "1:2:3:4", "-1", "+1", " 1", "1 ", "1e3", "0x10", "nan", "inf", "1.5:30",
    "1..5", "１",
    "٣", "3600001", "99999999999999999999999999", "1:30\0", "½", ".", "1.", ".5",
  ])
  func `An invalid duration is refused`(text: String) {
    // A trailing point is allowed.
    #expect((TimeText.duration(text) == nil) == (text != "1."))
  }

  @Test func `Random text neither traps nor gives a duration beyond the limit`() {
    var generator = SeededGenerator(seed: 1)
    let characters = Array("0123456789:.-+e")
    for _ in 0..<20_000 {
      let text = String(
        (0..<Int.random(in: 0...12, using: &generator)).map { _ in
          characters.randomElement(using: &generator) ?? "0"
        })
      guard let duration = TimeText.duration(text) else { continue }
      #expect(duration >= .zero && duration <= .seconds(3_600_000), "\(text)")
    }
  }

  @Test func `A duration in whole seconds is parsed back unchanged`() {
    for seconds in stride(from: 0, through: 400_000, by: 977) {
      #expect(TimeText.duration(TimeText.text(.seconds(seconds))) == .seconds(seconds))
    }
  }

  @Test func `Durations are written in words`() {
    #expect(TimeText.words(.zero) == "0 seconds" && TimeText.words(.seconds(-5)) == "0 seconds")
    #expect(TimeText.words(.milliseconds(1_999)) == "1 second")
    #expect(TimeText.words(.seconds(7_322)) == "2 hours 2 minutes 2 seconds")
    #expect(TimeText.words(.seconds(3_600)) == "1 hour")
  }
}
