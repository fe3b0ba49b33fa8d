// SPDX-License-Identifier: GPL-3.0-or-later

import PlayerFlow
import PlayerPort

extension PlayerContract {
  /// Goes to chapters of `player`, whose tracks have none.
  static func violationsOfListening(_ player: any PlayerPort) -> [String] {
    var violations: [String] = []
    func fails(_ request: TransportRequest, _ status: ExitStatus, line: Int = #line) {
      do throws(PlayerError) {
        _ = try player.send(.transport(request))
        violations.append("line \(line): \(request) does not fail")
      } catch {
        if error.status != status { violations.append("line \(line): \(error)") }
      }
    }
    guard let id = (try? player.queue(0..<1))?.rows.first?.id else { return ["the queue is empty"] }
    _ = try? player.send(.transport(.rewind))
    for target in [ChapterTarget.next, .previous, .number(1)] { fails(.chapter(target), .nothingPlayable) }
    _ = try? player.send(.transport(.seekItem(id, to: .seconds(3))))
    for target in [ChapterTarget.next, .previous, .number(.min), .number(.max)] { fails(.chapter(target), .notFound) }
    let snapshot = player.snapshot
    if snapshot.status.chapterCount != nil || snapshot.chapters != ChapterWindow() {
      violations.append("a track has chapters")
    }
    return violations
  }
}
