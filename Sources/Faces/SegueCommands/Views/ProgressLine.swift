import QueueFlow
import UnicodeText

/// Position, bar and time left, and as much else as there is room for.
enum ProgressLine {
  private static let smallestBar = 6

  /// The line, for so many cells; `place` says which item of how many it is.
  static func text(
    _ state: PlayingState, duration: Duration?, place: String, cells: Int
  ) -> String {
    let position = TimeText.text(state.position)
    let left = duration.map { "-" + TimeText.text(max(.zero, $0 - state.position)) }
    let volume = state.volume == Volume.full.percent ? nil : "vol \(state.volume)%"
    var tail = [left, duration.map { TimeText.text($0) }, place, volume].compactMap { $0 }
    while true {
      let end = tail.joined(separator: "  ")
      let bar = cells - position.cellWidth - end.cellWidth - 2
      if bar >= smallestBar || tail.count <= 1 {
        let share = duration.flatMap { $0 > .zero ? state.position / $0 : nil }
        let middle = bar >= 1 ? ProgressBar.text(share: share, cells: bar) : ""
        return [position, middle, end].filter { !$0.isEmpty }.joined(separator: " ")
      }
      tail.removeLast()
    }
  }
}
