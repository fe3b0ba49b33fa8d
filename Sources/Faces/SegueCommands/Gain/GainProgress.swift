import UnicodeText

/// How far measuring has come.
struct GainProgress: Sendable, Equatable {
  /// How many tracks are to be measured.
  var tracks = 0
  /// How many were, or could not be.
  var finishedTracks = 0
  /// How long the tracks are in all, as far as they say.
  var length = Duration.zero
  /// How much of that was measured.
  var measured = Duration.zero
  /// How long it has taken.
  var elapsed = Duration.zero

  /// How much of it is done, from 0 to 1, where that can be said.
  var share: Double? { length > .zero ? min(1, measured / length) : nil }

  /// The line to be read aloud.
  var plainText: String {
    "\(finishedTracks) of \(ItemCount.text(tracks, "track")) measured"
      + (share.map { "; \(Int($0 * 100)) percent" } ?? "")
  }

  /// The line for a terminal of so many columns: tracks, a bar, the share, how many times faster than playing it goes,
  /// and how long it will take; as much of it as there is room for.
  func line(columns: Int) -> String {
    let speed = elapsed > .milliseconds(200) ? measured / elapsed : nil
    let rest = speed.flatMap { $0 > 0 && length > measured ? (length - measured) / $0 : nil }
    let head = "\(finishedTracks)/\(tracks) tracks"
    var tail = [
      share.map { "\(Int($0 * 100)) %" }, speed.map { "\(Int(min($0, 1e6).rounded()))x" },
      rest.map { TimeText.text($0) + " left" },
    ].compactMap { $0 }
    // The last cell stays free: some terminals go to the next line behind it.
    let cells = columns - 1
    while true {
      let end = tail.joined(separator: "  ")
      let bar = cells - head.cellWidth - end.cellWidth - 2
      if bar >= 6 || tail.isEmpty {
        let middle = bar >= 6 ? ProgressBar.text(share: share, cells: min(bar, 40)) : ""
        return [head, middle, end].filter { !$0.isEmpty }.joined(separator: " ").truncated(toCells: cells)
      }
      tail.removeLast()
    }
  }
}
