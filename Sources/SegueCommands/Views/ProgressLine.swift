import QueueFlow
import UnicodeText

/// Position, bar and time left, and as much else as there is room for.
enum ProgressLine {
  private static let smallestBar = 6

  /// The line, for so many cells; `place` says which item of how many it is.
  static func text(
    _ playback: PlaybackState, duration: Duration?, place: String, cells: Int, isASCII: Bool = false
  ) -> String {
    let position = TimeText.text(playback.position)
    let left = duration.map { "-" + TimeText.text(max(.zero, $0 - playback.position)) }
    let volume = playback.volume == .full ? nil : "vol \(playback.volume.percent)%"
    var tail = [left, duration.map { TimeText.text($0) }, place, volume].compactMap { $0 }
    while true {
      let end = tail.joined(separator: "  ")
      let bar = cells - position.cellWidth - end.cellWidth - 2
      if bar >= smallestBar || tail.count <= 1 {
        let share = duration.flatMap { $0 > .zero ? playback.position / $0 : nil }
        let middle = bar >= 1 ? ProgressBar.text(share: share, cells: bar, isASCII: isASCII) : ""
        return [position, middle, end].filter { !$0.isEmpty }.joined(separator: " ")
      }
      tail.removeLast()
    }
  }
}
