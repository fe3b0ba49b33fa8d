// SPDX-License-Identifier: GPL-3.0-or-later

import PlayerFlow
import PlayerPort

extension PlayerContract {
  /// Goes to chapters of `player`, whose tracks have none, and repeats passages.
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
    func loop(_ request: LoopRequest) throws(PlayerError) -> PlayerStatus.Loop? {
      _ = try player.send(.transport(.loop(request)))
      guard case .status(let status) = try player.send(.status).result else { throw .unexpectedReply }
      return status.loop
    }
    guard let id = (try? player.queue(0..<1))?.rows.first?.id else { return ["the queue is empty"] }
    _ = try? player.send(.transport(.rewind))
    fails(.loop(.mark), .nothingPlayable)
    for target in [ChapterTarget.next, .previous, .number(1)] { fails(.chapter(target), .nothingPlayable) }
    _ = try? player.send(.transport(.seekItem(id, to: .seconds(3))))
    for target in [ChapterTarget.next, .previous, .number(.min), .number(.max)] { fails(.chapter(target), .notFound) }
    fails(.loop(.passage(from: .seconds(9), to: .seconds(9))), .usage)
    fails(.loop(.passage(from: .seconds(9), to: .milliseconds(9_099))), .usage)
    fails(.loop(.passage(from: .seconds(-9), to: .seconds(9))), .usage)
    fails(.loop(.passage(from: .seconds(Int64.max), to: .seconds(Int64.max))), .usage)
    do throws(PlayerError) {
      let passage = try loop(.passage(from: .seconds(2), to: .milliseconds(4_500)))
      if passage != PlayerStatus.Loop(start: 2, end: 4.5) {
        violations.append("the passage is \(passage.debugDescription)")
      }
      if try loop(.mark) != nil { violations.append("a passage is still repeated") }
      if try loop(.mark) != PlayerStatus.Loop(start: 3) { violations.append("the passage does not begin here") }
      _ = try player.send(.transport(.seekTo(.seconds(8))))
      if try loop(.mark) != PlayerStatus.Loop(start: 3, end: 8) { violations.append("the passage does not end here") }
      _ = try player.send(.transport(.seekTo(.seconds(20))))
      if try loop(.off) != nil { violations.append("a passage is repeated after it was left") }
    } catch {
      violations.append("a passage: \(error)")
    }
    let snapshot = player.snapshot
    if snapshot.status.chapterCount != nil || snapshot.chapters != ChapterWindow() {
      violations.append("a track has chapters")
    }
    return violations
  }
}
