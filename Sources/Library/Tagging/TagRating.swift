// SPDX-License-Identifier: GPL-3.0-or-later

import MusicModel

/// Ratings that programs write into tags.
extension TagFields {
  /// The rating in half stars, from 1 to 10; `nil` if the tags have none.
  ///
  /// `FMPS_Rating` counts first, a fraction from 0 to 1; then the frames `POPM`, a byte; then `RATING`, which is a
  /// number of stars up to 5, and of percent above, and `WM/SharedUserRating`, which is a number up to 99.
  /// (https://www.freedesktop.org/wiki/Specifications/free-media-player-specs)
  package var rating: Int? {
    var (fraction, popularity, number): (Int?, Int?, Int?)
    for entry in entries where entry.field == nil {
      switch entry.name {
      case "FMPS_RATING", "FMPS/RATING": fraction = fraction ?? Self.halves(entry.value, upTo: 1, times: 10)
      case "POPM": popularity = popularity ?? Int(entry.value).flatMap { Self.halves(popularity: $0) }
      case "RATING", "RATING WMP":
        number =
          number ?? Self.halves(entry.value, upTo: 5, times: 2) ?? Self.halves(entry.value, upTo: 100, times: 0.1)
      case "WM/SHAREDUSERRATING": number = number ?? Int(entry.value).flatMap { Self.halves(shared: $0) }
      default: break
      }
    }
    return fraction ?? popularity ?? number
  }

  /// Returns a decimal number as half stars; `nil` if it is none, is not above 0, or exceeds `limit`.
  private static func halves(_ text: String, upTo limit: Double, times factor: Double) -> Int? {
    guard let value = text.plainDecimal, value > 0, value <= limit else { return nil }
    return min(max(Int((value * factor).rounded()), 1), 10)
  }

  /// Returns the byte of a `POPM` frame as half stars, in the ranges that Windows and most taggers use.
  private static func halves(popularity: Int) -> Int? {
    switch popularity {
    case 1..<64: 2
    case 64..<128: 4
    case 128..<192: 6
    case 192..<252: 8
    case 252...255: 10
    default: nil
    }
  }

  /// Returns the number that Windows stores as half stars: 1, 25, 50, 75 and 99 for one star to five.
  private static func halves(shared: Int) -> Int? {
    (1...99).contains(shared) ? 2 * (1 + (shared + 12) / 25) : nil
  }
}
