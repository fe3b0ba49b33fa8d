// SPDX-License-Identifier: GPL-3.0-or-later

import MusicModel
import Synchronization

/// Which date of a track is shown, and is the one by which albums are sorted.
package enum DateChoice: String, CaseIterable, Sendable {
  /// The date when the recording first came out.
  case original
  /// The date of the edition.
  case release

  /// The choice of the user, for tags that are read from now on. It is set once, before any tag is read.
  package static var current: DateChoice {
    get { choice.withLock { $0 } }
    set { choice.withLock { $0 = newValue } }
  }

  private static let choice = Mutex(DateChoice.original)
}

extension ReleaseDate {
  /// Creates the date in a tag: "1959", "1959-08-17", "1959-08" or "19590817", with anything after it. If the tag does
  /// not begin like this, the first number of exactly four digits is the year ("17.08.1959").
  ///
  /// A month or day that does not exist ("1959-00-00") is left out. Returns `nil` if there is no year of four digits.
  package init?(tag: String) {
    // Most tags consist of a year alone.
    if tag.utf8.count == 4, tag.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let year = Int(tag), year > 0 {
      self.init(year: year)
      return
    }
    let numbers = tag.utf8.split { !(0x30...0x39).contains($0) }.map { Substring($0) }
    if let compact = numbers.first, compact.utf8.count == 8, compact.startIndex == tag.startIndex {
      let year = compact.prefix(4)
      let rest = compact.dropFirst(4)
      self.init(year: year, month: rest.prefix(2), day: rest.dropFirst(2))
      return
    }
    guard let index = numbers.firstIndex(where: { $0.utf8.count == 4 }) else { return nil }
    let isAtStart = numbers[index].startIndex == tag.startIndex
    let following = isAtStart ? numbers[(index + 1)...].prefix { $0.utf8.count <= 2 } : []
    self.init(year: numbers[index], month: following.first, day: following.dropFirst().first)
  }

  private init?(year: Substring, month: Substring?, day: Substring?) {
    guard let year = Int(year) else { return nil }
    let month = month.flatMap { Int($0) }
    let day = day.flatMap { Int($0) }
    if let date = ReleaseDate(year: year, month: month, day: day) ?? ReleaseDate(year: year, month: month) {
      self = date
    } else {
      self.init(year: year)
    }
  }
}

extension String {
  /// The number at the beginning of the text, if it is written in the usual way: "-7.32 dB", "0.988553". If this is
  /// `nil`, there may still be a number in another form.
  ///
  /// The result is the nearest `Double`, because a number of 15 digits and the power of ten by which it is divided are
  /// both exact (W. D. Clinger, 1990).
  var plainDecimal: Double? {
    var digits: Int64 = 0
    var count = 0
    var scale: Double?
    var isNegative = false
    for (index, byte) in utf8.enumerated() {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        if count == 15 { return nil }
        count += 1
        digits = digits * 10 + Int64(byte - UInt8(ascii: "0"))
        scale = scale.map { $0 * 10 }
      case UInt8(ascii: "."):
        if count == 0 || scale != nil { return nil }
        scale = 1
      case UInt8(ascii: "-") where index == 0: isNegative = true
      case UInt8(ascii: "+") where index == 0: break
      case UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: ","), UInt8(ascii: "e"), UInt8(ascii: "E"):
        return nil
      default: return count == 0 || scale == 1 ? nil : Self.quotient(digits, scale, isNegative)
      }
    }
    return count == 0 || scale == 1 ? nil : Self.quotient(digits, scale, isNegative)
  }

  private static func quotient(_ digits: Int64, _ scale: Double?, _ isNegative: Bool) -> Double {
    let value = Double(digits) / (scale ?? 1)
    return isNegative ? -value : value
  }

  /// The number at the beginning of the text, in any form and with a decimal point or comma; `nil` if there is none.
  var leadingDecimal: Double? {
    var number: [UInt8] = []
    scan: for byte in utf8 {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "e"),
        UInt8(ascii: "E"):
        number.append(byte)
      case UInt8(ascii: ","): number.append(UInt8(ascii: "."))
      case UInt8(ascii: "+"): if !number.isEmpty { number.append(byte) }
      default: break scan
      }
    }
    return Double(String(decoding: number, as: UTF8.self))
  }
}
