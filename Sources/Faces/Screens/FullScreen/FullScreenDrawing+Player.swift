// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import MusicModel
import Platform
import PlayerFlow
import PlayerPort
import Terminal
import UnicodeText
import UserSettings

/// The lines of the player below every screen: the track, the modes, the volume and the progress.
extension FullScreenDrawing {
  mutating func drawPlayer() {
    if let row = layout.separatorRow {
      fill(row, 0..<layout.size.columns, "─", lineStyle)
    }
    guard let row = layout.playerRow else { return }
    let end = drawModes(row)
    let sign = PhaseSign.text(player.state.phase, isASCII: isASCII)
    guard let track = player.nowPlaying?.track else {
      put(sign + " " + idleText, row, 1, width: end - 2, .faint)
      return
    }
    var column = 1
    column += put(sign + " ", row, column, width: end - column, .title)
    column += put(track.title, row, column, width: end - column, .title)
    let artists = track.artistCredit
    if !artists.isEmpty, column + 4 < end { column += put(" · " + artists, row, column, width: end - column, .artist) }
    if let album = track.album, column + 4 < end { put(" · " + album, row, column, width: end - column, .faint) }
    drawProgress()
  }

  /// What is shown while nothing plays.
  var idleText: String { player.isLookingUp ? "…" : "nothing playing" }

  /// A mode or the volume, and whether it differs from its default.
  private typealias Indicator = (text: String, isSet: Bool)

  /// Writes the modes and the volume at the right end of a row. Returns the end of what they leave.
  private mutating func drawModes(_ row: Int) -> Int {
    let columns = layout.size.columns
    guard columns >= 40 else { return columns - 1 }
    let modes = player.nowPlaying?.modes ?? PlayerStatus.Modes(QueueModes())
    let indicators = columns >= 110 ? Self.words(modes, player.state.volume) : Self.letters(modes, player.state.volume)
    let gap = columns >= 110 ? 3 : 1
    let speed = player.state.speed
    let speeds: [Indicator] = speed == .normal ? [] : [(speed.description, true)]
    let stop: [Indicator] = modes.stopAfter == "off" ? [] : [("stop after \(modes.stopAfter)", true)]
    return (stop + speeds + indicators).reversed().reduce(columns - 1 + gap) { end, indicator in
      putRight(indicator.text, row, before: end - gap, indicator.isSet ? .mark : .faint)
    } - max(2, gap)
  }

  private static func words(_ modes: PlayerStatus.Modes, _ volume: Int) -> [Indicator] {
    let mode = { (name: String, value: String) in
      (value == "off" || value == "on" ? name : "\(name) \(value)", value != "off")
    }
    return [
      mode("repeat", modes.repeat), mode("random", modes.random), mode("single", modes.single),
      ("consume", modes.consume), ("volume \(volume)%", volume != 100),
    ]
  }

  private static func letters(_ modes: PlayerStatus.Modes, _ volume: Int) -> [Indicator] {
    [
      (["one": "1", "track": "1", "album": "a"][modes.repeat] ?? "r", modes.repeat != "off"),
      (modes.random == "albums" ? "Z" : "z", modes.random != "off"),
      (modes.single == "once" ? "S" : "s", modes.single != "off"), ("c", modes.consume),
      ("\(volume)%", volume != 100),
    ]
  }

  private mutating func drawProgress() {
    guard let row = layout.progressRow else { return }
    let bar = layout.barColumns
    drawBar(model.duration.flatMap { $0 > .zero ? player.state.position / $0 : nil } ?? 0, row, bar)
    drawLoop(row, bar)
    guard bar.lowerBound > 1 else { return }
    put(TimeText.text(player.state.position), row, 1, width: bar.lowerBound - 2, .progress)
    guard let duration = model.duration else { return }
    // In whole seconds, so that the times add up.
    let position = Duration.seconds(player.state.position.components.seconds)
    let left = player.state.speed.time(for: max(.zero, .seconds(duration.components.seconds) - position))
    let text = model.showsTimeLeft ? "-" + TimeText.text(left) : TimeText.text(duration)
    putRight(text, row, before: layout.size.columns - 1, .progress)
  }

  /// Draws the ends of the passage that is repeated on the bar.
  private mutating func drawLoop(_ row: Int, _ columns: Range<Int>) {
    guard let loop = player.state.loop, let duration = model.duration, duration > .zero, !columns.isEmpty else {
      return
    }
    for (seconds, sign) in [(loop.start, "A"), (loop.end, "B")] {
      guard let seconds, let position = Duration(reportedSeconds: seconds) else { continue }
      let column = columns.lowerBound + Int(min(max(position / duration, 0), 1) * Double(columns.count - 1))
      put(sign, row, column, width: 1, .mark)
    }
  }

  /// Draws a line of which the part up to `fraction` stands out.
  private mutating func drawBar(_ fraction: Double, _ row: Int, _ columns: Range<Int>) {
    let count = fraction.isNaN ? 0 : Int(min(max(fraction, 0), 1) * Double(columns.count))
    let end = columns.lowerBound + count
    fill(row, columns.lowerBound..<end, "━", palette[.progress])
    fill(row, end..<columns.upperBound, "─", lineStyle)
  }

  /// The style of lines between the parts of the screen.
  var lineStyle: TextStyle {
    palette[.selection].background.map { TextStyle(foreground: $0) } ?? palette[.faint]
  }

  /// Fills cells of a row with a symbol.
  mutating func fill(_ row: Int, _ columns: Range<Int>, _ symbol: String, _ style: TextStyle) {
    grid.fill(row: row, columns: columns, with: isASCII ? symbol.withASCIISymbols : symbol, style: style)
  }
}
