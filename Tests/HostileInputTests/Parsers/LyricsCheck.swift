// SPDX-License-Identifier: GPL-3.0-or-later

import Platform

@testable import Tagging

enum LyricsCheck {
  /// Returns the problem in the lyrics in `bytes`: in the order of their times, or in a part of a line.
  static func problem(in bytes: [UInt8]) -> String? {
    let lyrics = Lyrics(LegacyText.decode(bytes))
    let starts = lyrics.lines.compactMap(\.start)
    if starts.count != (lyrics.isSynced ? lyrics.lines.count : 0) { return "only some lines have times" }
    if !isAscending(starts) { return "the lines are not in the order of their times" }
    for (number, start) in starts.enumerated() {
      guard let found = lyrics.line(at: start), found >= number, starts[found] == start else {
        return "line \(number) is not found at its time"
      }
    }
    return TextRules.firstProblem(lyrics.lines) { line in
      if line.text.contains(where: \.isNewline) { return "a line has a line break" }
      if !line.parts.allSatisfy({ (0..<line.text.count).contains($0.offset) }) { return "a part is not in its line" }
      return isAscending(line.parts.map(\.start)) ? nil : "the parts are not in the order of their times"
    }
  }

  /// Whether all times are in order, and none is negative.
  private static func isAscending(_ times: [Duration]) -> Bool {
    times.allSatisfy { $0 >= .zero } && zip(times, times.dropFirst()).allSatisfy { $0 <= $1 }
  }
}
