// SPDX-License-Identifier: GPL-3.0-or-later

import MusicModel
import Testing

struct ReleaseDateDaysTests {
  @Test func `Every day of eight hundred years follows the previous one`() throws {
    var previous = try #require(ReleaseDate(dayNumber: -146_098))
    var mismatches: [Int] = []
    for number in -146_097...146_096 {
      let date = try #require(ReleaseDate(dayNumber: number))
      let isNext = previous.month == date.month ? (previous.day ?? 0) + 1 == date.day : date.day == 1
      if date.firstDay != number || date.lastDay != number || !isNext { mismatches.append(number) }
      previous = date
    }
    #expect(mismatches == [])
    #expect(previous == ReleaseDate(year: 2369, month: 12, day: 31))
    #expect(ReleaseDate(dayNumber: 0) == ReleaseDate(year: 1970, month: 1, day: 1))
    #expect(ReleaseDate(dayNumber: -719_163) == nil)
    #expect(ReleaseDate(dayNumber: 2_932_896) == ReleaseDate(year: 9999, month: 12, day: 31))
    #expect(ReleaseDate(dayNumber: 2_932_897) == nil)
  }

  @Test func `A month and a year include all of their days`() throws {
    let february = try #require(ReleaseDate(year: 2024, month: 2))
    #expect(february.lastDay - february.firstDay == 28)
    let year = try #require(ReleaseDate(year: 2023))
    #expect(year.lastDay - year.firstDay == 364)
    let december = try #require(ReleaseDate(year: 9999, month: 12))
    #expect(december.lastDay == 2_932_896)
  }
}
