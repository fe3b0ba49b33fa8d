import Platform
import UnicodeText

/// The reading of a library as one line of a terminal: counts, a bar, the rate, the time left; as much of it as there
/// is room for.
enum ScanProgressLine {
  /// The line to be read aloud.
  static func plainText(_ output: ScanOutput) -> String {
    let share = output.share.map { "; \(Int($0 * 100)) percent" } ?? ""
    return output.text.safeForTerminal + share
      + (output.timeLeft.map { "; \(TimeText.words($0)) left" } ?? "")
  }

  /// The line; with fewer cells than `columns`, since some terminals go to the next line behind the last one.
  static func text(_ output: ScanOutput, columns: Int) -> String {
    let cells = columns - 1
    let head = output.text.safeForTerminal
    var tail = [
      output.share.map { "\(Int($0 * 100)) %" }, output.filesPerSecond.map { "\(Int(min($0, 1e9)))/s" },
      output.timeLeft.map { TimeText.text($0) + " left" },
    ].compactMap { $0 }
    while true {
      let end = tail.joined(separator: "  ")
      let bar = cells - head.cellWidth - end.cellWidth - 2
      if bar >= 6 || tail.isEmpty {
        let middle =
          bar >= 6 ? ProgressBar.text(share: output.share, cells: min(bar, 40)) : ""
        return [head, middle, end].filter { !$0.isEmpty }.joined(separator: " ").truncated(toCells: cells)
      }
      tail.removeLast()
    }
  }
}
