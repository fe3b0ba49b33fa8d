// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import MusicModel
import Platform
import PlayerFlow
import SystemPackage
import Terminal
import UnicodeText
import UserSettings

/// The content of the now-playing view: lines that fit the terminal, composed from the current track, the playback
/// state, and the parts that the user has switched on.
struct NowPlayingScreen: Equatable {
  /// The content other than the track and the playback state.
  struct Extras: Equatable {
    /// The last message to the user, if it still applies.
    var notice: String?
    /// Whether all keys are listed, rather than only the main ones.
    var showsAllKeys = false
    /// Whether the level meter is shown.
    var showsLevels = false
    /// The current levels; `nil` if nothing is audible.
    var levels: SoundLevels?
    /// Whether the tracks to play are still being looked up.
    var isLookingUp = false
    /// What the quit key does.
    var ending = NowPlayingKeys.Ending.quit
    /// Whether only ASCII characters are used.
    var isASCII = false
  }

  /// The lines from top to bottom. None is wider than the terminal.
  let lines: [String]

  /// Creates the screen for a terminal of `size`, with the text styles of `palette`.
  init(
    scene: NowPlaying?, state: PlayingState, extras: Extras = Extras(), size: TerminalSize,
    bindings: KeyBindings = KeyBindings(), palette: Palette = .plain
  ) {
    let cells = max(0, size.columns - 2)
    var page = ScreenPage(size: size)
    if let scene, let track = scene.track, let position = scene.position {
      let sign = PhaseSign.text(state.phase, isASCII: extras.isASCII)
      page.add(sign + " " + track.title.safeForTerminal, .title)
      if !track.artists.isEmpty {
        page.add("  " + track.artists.joined(separator: ", ").safeForTerminal, .origin)
      }
      let year = track.date.map { " (\($0.year))" } ?? ""
      page.add("  " + (track.album ?? scene.title).safeForTerminal + year, .origin)
      if let chapter = state.chapter { page.add("  " + chapter.safeForTerminal, .origin) }
      for line in Self.format(of: track, state, cells: cells) {
        page.add("  " + line, .format)
      }
      let progress = ProgressLine.text(
        state, duration: state.duration ?? track.duration, itemNumber: "\(position + 1)/\(scene.count)",
        cells: cells)
      page.add("  " + progress, .progress)
      if extras.showsLevels {
        for line in MeterLines.lines(extras.levels, cells: cells) { page.add("  " + line, .levels) }
      }
      let next = Self.next(scene.next, after: track)
      let modes = ModeText.words(scene.modes)
      if !next.isEmpty || !modes.isEmpty { page.add("", .space) }
      for line in next { page.add("  " + line, .next) }
      if !modes.isEmpty { page.add("  " + modes.joined(separator: "  ").safeForTerminal, .modes) }
    } else {
      page.add(extras.isLookingUp ? (extras.isASCII ? "..." : "…") : "nothing playing", .title)
    }
    page.add("", .space)
    let keys = NowPlayingKeys.lines(
      bindings, showsAll: extras.showsAllKeys, extras.ending, cells: cells, isASCII: extras.isASCII)
    for line in keys { page.add("  " + line, .keys) }
    if let notice = extras.notice {
      page.add("", .space)
      page.add(notice.safeForTerminal, .notice)
    }
    lines = page.lines(palette)
  }

  /// Returns the format of the file and whether the output is bit-perfect, on one line if both fit into `cells`.
  private static func format(of track: Track, _ state: PlayingState, cells: Int) -> [String] {
    guard let source = state.format else { return [] }
    let suffix = StreamAddress(track.path) == nil ? track.path.extension : nil
    let type = suffix.map { $0.uppercased().safeForTerminal + ", " } ?? ""
    let format = type + FormatText.text(source)
    guard let path = state.deviations.map(FormatText.path) else { return [format] }
    let combined = format + " · " + path
    return combined.cellWidth <= cells ? [combined] : [format, path]
  }

  private static func next(_ tracks: [Track], after track: Track) -> [String] {
    tracks.enumerated().map { index, next in
      let artists =
        next.artists.isEmpty || next.artists == track.artists
        ? "" : " · " + next.artists.joined(separator: ", ").safeForTerminal
      return (index == 0 ? "next: " : "      ") + next.title.safeForTerminal + artists
    }
  }
}

/// The lines of a screen. If the terminal has too few rows, the least important lines are left out.
struct ScreenPage {
  /// The purpose of a line, the most important one first.
  enum Part: Int {
    case title
    case progress
    case notice
    case origin
    case levels
    case format
    case keys
    case next
    case modes
    case space

    /// The palette role in which the line is drawn; `nil` for plain text.
    var role: Palette.Role? {
      switch self {
      case .title: .title
      case .origin: .artist
      case .progress, .levels: .progress
      case .next, .modes: .next
      case .keys: .keys
      case .notice: .error
      case .format, .space: nil
      }
    }
  }

  private let size: TerminalSize
  private var rows: [(part: Part, text: String)] = []

  /// Creates a page without lines for a terminal of `size`.
  init(size: TerminalSize) { self.size = size }

  /// Adds a line at the bottom. `text` must be safe to print on a terminal.
  mutating func add(_ text: String, _ part: Part) { rows.append((part, text)) }

  /// Returns the lines to draw, in the styles of `palette`: at most as many as the terminal has rows, truncated to its
  /// width.
  func lines(_ palette: Palette) -> [String] {
    let ranked = rows.indices.sorted { (rows[$0].part.rawValue, $0) < (rows[$1].part.rawValue, $1) }
    let visible = Set(ranked.prefix(max(0, size.rows)))
    return rows.indices.filter { visible.contains($0) }.map { index in
      let text = rows[index].text.truncated(toCells: size.columns)
      return rows[index].part.role.map { palette[$0].applied(to: text) } ?? text
    }
  }
}

/// Lists the keys of the now-playing view.
package enum NowPlayingKeys {
  /// What the quit key does.
  package enum Ending: Equatable {
    /// The key ends playback and the player.
    case quit
    /// The key leaves the view, and playback continues.
    case leave
  }

  private static let gap = "  "

  /// Returns lines that list the keys: all of them if `showsAll`, otherwise the main ones. Each line holds as many as
  /// fit into `cells`.
  static func lines(
    _ bindings: KeyBindings, showsAll: Bool, _ ending: Ending, cells: Int, isASCII: Bool = false
  ) -> [String] {
    let quit = ending == .quit ? "quit" : "close"
    guard showsAll else { return [bindings.mainItems(quit: quit, isASCII: isASCII).joined(separator: gap)] }
    var lines: [String] = []
    for item in bindings.items(quit: quit, isASCII: isASCII) {
      if let last = lines.last, (last + gap + item).cellWidth <= cells {
        lines[lines.count - 1] = last + gap + item
      } else {
        lines.append(item)
      }
    }
    return lines
  }
}

/// The line with the elapsed time, a bar and the remaining time.
enum ProgressLine {
  private static let minBarCells = 6

  /// Returns the line for a width of `cells`. Parts that do not fit are omitted. `itemNumber` is the number of the item
  /// in the queue, such as "3/5".
  static func text(
    _ state: PlayingState, duration: Duration?, itemNumber: String, cells: Int
  ) -> String {
    let position = TimeText.text(state.position)
    let left = duration.map { "-" + TimeText.text(max(.zero, $0 - state.position)) }
    let volume = state.volume == Volume.full.percent ? nil : "vol \(state.volume)%"
    var tail = [left, duration.map { TimeText.text($0) }, itemNumber, volume].compactMap { $0 }
    while true {
      let end = tail.joined(separator: "  ")
      let bar = cells - position.cellWidth - end.cellWidth - 2
      if bar >= minBarCells || tail.count <= 1 {
        let fraction = duration.flatMap { $0 > .zero ? state.position / $0 : nil }
        let middle = bar >= 1 ? ProgressBar.text(fraction: fraction, cells: bar) : ""
        return [position, middle, end].filter { !$0.isEmpty }.joined(separator: " ")
      }
      tail.removeLast()
    }
  }
}

/// The level meter: one line per channel, with a bar that is thick up to the RMS level and thin up to the peak, and the
/// peak in decibels.
enum MeterLines {
  /// The level at the left end of a bar, in decibels relative to full scale.
  private static let floor = -60.0
  private static let numberCells = 6

  /// Returns the two lines for a width of `cells`. If `levels` is `nil`, silence is shown.
  static func lines(_ levels: SoundLevels?, cells: Int) -> [String] {
    [
      line("L", rms: levels?.rms.left ?? 0, peak: levels?.peak.left ?? 0, cells: cells),
      line("R", rms: levels?.rms.right ?? 0, peak: levels?.peak.right ?? 0, cells: cells),
    ]
  }

  private static func line(_ name: String, rms: Float, peak: Float, cells: Int) -> String {
    let barCells = max(0, cells - name.count - numberCells - 2)
    let rmsCells = min(barCells, Int(fraction(rms) * Double(barCells)))
    let peakCells = min(barCells, max(rmsCells, Int(fraction(peak) * Double(barCells))))
    let bar =
      String(repeating: "━", count: rmsCells)
      + String(repeating: "┄", count: peakCells - rmsCells)
      + String(repeating: " ", count: barCells - peakCells)
    return "\(name) \(bar) \(number(peak).padded(toCells: numberCells, .right))"
  }

  /// Returns the fraction of the bar that a level fills, from 0 to 1.
  private static func fraction(_ level: Float) -> Double {
    guard level > 0, level.isFinite else { return 0 }
    return min(max((Decibels.level(Double(level)) - floor) / -floor, 0), 1)
  }

  private static func number(_ level: Float) -> String {
    guard level > 0, level.isFinite else { return "-" }
    let tenths = (Decibels.level(Double(level)) * 10).rounded()
    guard tenths > floor * 10 else { return "-" }
    return "\(tenths / 10)"
  }
}
