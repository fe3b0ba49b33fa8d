// SPDX-License-Identifier: GPL-3.0-or-later

import MusicModel
package import PlayerFlow

/// The text and the numbers that are shown for a scan.
package struct ScanOutput: Sendable, Equatable {
  /// The time after the start at which the rate becomes meaningful.
  private static let rateDelay = Duration.milliseconds(200)

  /// The progress or the result in one line. Not yet escaped for a terminal.
  package let text: String
  /// The fraction that is done, from 0 to 1; `nil` if unknown, or if no scan is running.
  private(set) var fraction: Double?
  /// The number of files examined per second; `nil` if not known yet, or if no scan is running.
  private(set) var filesPerSecond: Double?
  /// The estimated remaining time at this rate; `nil` if unknown, or if no scan is running.
  private(set) var timeLeft: Duration?

  /// Creates the output for the scan state `state`.
  package init(_ state: LibraryState) {
    switch state.phase {
    case .scanning(let progress):
      text = state.isCancelled ? "stopping…" : Self.text(progress)
      measure(progress, state.elapsed)
    case .failed(let error): text = error.description
    case .idle:
      text = state.summary.map { Self.text($0, isCancelled: state.isCancelled) } ?? ""
    }
  }

  private mutating func measure(_ progress: ScanProgress, _ elapsed: Duration) {
    if elapsed >= Self.rateDelay { filesPerSecond = Double(progress.seenCount) / (elapsed / .seconds(1)) }
    guard let total = progress.totalCount, total > 0 else { return }
    fraction = min(1, Double(progress.seenCount) / Double(total))
    if let filesPerSecond, filesPerSecond > 0 {
      timeLeft = .seconds(Double(max(0, total - progress.seenCount)) / filesPerSecond)
    }
  }

  private static func text(_ progress: ScanProgress) -> String {
    let seen = progress.totalCount.map { "\(progress.seenCount) of \($0) files" } ?? files(progress.seenCount)
    return "\(seen), \(progress.readCount) read"
  }

  private static func text(_ summary: ScanSummary, isCancelled: Bool) -> String {
    if summary.isAbsent { return "directory not found; its tracks stay in the index" }
    let counts = [
      (summary.addedCount, "added"), (summary.changedCount, "changed"), (summary.movedCount, "moved"),
      (summary.missingCount, "removed"), (summary.problemCount, summary.problemCount == 1 ? "problem" : "problems"),
      (summary.leftOutCount, "ignored"),
    ]
    let parts = counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    let result = parts.isEmpty ? "nothing changed" : parts.joined(separator: ", ")
    return isCancelled ? "cancelled: \(result)" : result
  }

  private static func files(_ count: Int) -> String { count == 1 ? "1 file" : "\(count) files" }
}
