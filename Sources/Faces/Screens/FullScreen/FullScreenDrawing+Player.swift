// SPDX-License-Identifier: GPL-3.0-or-later

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
      put(String(repeating: "─", count: layout.size.columns), row, 0, .faint)
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
    drawProgress(track.duration)
  }

  /// What is shown while nothing plays.
  var idleText: String { player.isLookingUp ? "…" : "nothing playing" }

  /// A mode or the volume, in a place of its own.
  private struct Indicator {
    let text: String
    /// Whether it differs from its default.
    let isSet: Bool
    /// The number of cells, so that nothing moves when a mode changes.
    let width: Int
  }

  /// Writes the modes and the volume at the right end of a row. Returns the first column that they take.
  private mutating func drawModes(_ row: Int) -> Int {
    let columns = layout.size.columns
    guard columns >= 40 else { return columns - 1 }
    let modes = player.nowPlaying?.modes ?? PlayerStatus.Modes(QueueModes())
    let indicators = columns >= 110 ? Self.words(modes, player.state.volume) : Self.letters(modes, player.state.volume)
    let gap = columns >= 110 ? 2 : 1
    var column = columns - 1 - indicators.reduce(-gap) { $0 + $1.width + gap }
    let start = column
    for indicator in indicators {
      put(indicator.text, row, column, width: indicator.width, indicator.isSet ? .mark : .faint)
      column += indicator.width + gap
    }
    guard modes.stopAfter != "off" else { return start - 1 }
    return putRight("stop after \(modes.stopAfter)", row, before: start - gap, .mark) - 1
  }

  private static func words(_ modes: PlayerStatus.Modes, _ volume: Int) -> [Indicator] {
    let mode = { (name: String, value: String, width: Int) in
      let isSet = value != "off"
      return Indicator(text: value == "off" || value == "on" ? name : "\(name) \(value)", isSet: isSet, width: width)
    }
    return [
      mode("repeat", modes.repeat, 12), mode("random", modes.random, 13), mode("single", modes.single, 11),
      mode("consume", modes.consume ? "on" : "off", 7),
      Indicator(text: "volume \(volume)%".padded(toCells: 11, .right), isSet: volume != 100, width: 11),
    ]
  }

  private static func letters(_ modes: PlayerStatus.Modes, _ volume: Int) -> [Indicator] {
    [
      Indicator(
        text: ["one": "1", "track": "1", "album": "a"][modes.repeat] ?? "r", isSet: modes.repeat != "off", width: 1),
      Indicator(text: modes.random == "albums" ? "Z" : "z", isSet: modes.random != "off", width: 1),
      Indicator(text: modes.single == "once" ? "S" : "s", isSet: modes.single != "off", width: 1),
      Indicator(text: "c", isSet: modes.consume, width: 1),
      Indicator(text: "\(volume)%".padded(toCells: 4, .right), isSet: volume != 100, width: 4),
    ]
  }

  private mutating func drawProgress(_ tagged: Duration?) {
    guard let row = layout.progressRow else { return }
    let bar = layout.barColumns
    let duration = player.state.duration ?? tagged
    let fraction = duration.flatMap { $0 > .zero ? player.state.position / $0 : nil }
    putRight(TimeText.text(player.state.position), row, before: bar.lowerBound - 1, .progress)
    let text = ProgressBar.text(fraction: fraction, cells: bar.count)
    let played = String(text.prefix { $0 == "━" })
    put(played, row, bar.lowerBound, .progress)
    put(String(text.dropFirst(played.count)), row, bar.lowerBound + played.count, .faint)
    guard let duration, layout.size.columns - bar.upperBound > 2 else { return }
    // In whole seconds, so that the times add up.
    let position = Duration.seconds(player.state.position.components.seconds)
    let left = max(.zero, .seconds(duration.components.seconds) - position)
    put(model.showsTimeLeft ? "-" + TimeText.text(left) : TimeText.text(duration), row, bar.upperBound + 1, .progress)
  }
}
