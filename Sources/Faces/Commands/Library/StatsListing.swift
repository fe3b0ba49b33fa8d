// SPDX-License-Identifier: GPL-3.0-or-later

import MusicModel
import Terminal
import UnicodeText
import UserSettings

/// The page that `stats` prints: numbers, rankings with bars, and when the user listens.
struct StatsListing {
  /// A part of a line in the style of a palette role.
  private typealias Part = (text: String, role: Palette.Role?)

  private let statistics: PlayStatistics
  private let title: String

  init(_ statistics: PlayStatistics, title: String) {
    self.statistics = statistics
    self.title = title
  }

  private var rankings: [(title: String, entries: [PlayStatistics.Entry])] {
    [
      ("Artists", statistics.artists), ("Albums", statistics.albums), ("Tracks", statistics.tracks),
      ("Genres", statistics.genres),
    ].filter { !$0.entries.isEmpty }
  }

  private var summary: String {
    [
      "\(Self.time(statistics.heard)) on \(ItemCount.text(statistics.dayCount, "day"))",
      ItemCount.text(statistics.playCount, "play"), ItemCount.text(statistics.trackCount, "track"),
      ItemCount.text(statistics.albumCount, "album"),
      ItemCount.text(statistics.artistCount, "artist")
        + (statistics.newArtistCount > 0 ? ", \(statistics.newArtistCount) of them new" : ""),
    ].joined(separator: " · ")
  }

  /// What was special: the longest streak and the longest day.
  private var records: [String] {
    var records: [String] = []
    if statistics.longestStreak > 1, let start = statistics.longestStreakStart {
      records.append("longest streak: \(statistics.longestStreak) days, from \(start.text)")
    }
    if let day = statistics.longestDay {
      records.append("longest day: \(day.text), \(Self.time(statistics.longestDayHeard))")
    }
    return records
  }

  /// The lines in a width of `columns` cells.
  func lines(columns: Int, _ palette: Palette) -> [String] {
    let width = max(30, min(columns, 120))
    var lines: [[Part]] = [
      [(title.safeForTerminal, .heading)], [(summary.truncated(toCells: width), nil)],
    ]
    let isWide = width >= 76
    let half = isWide ? (width - 4) / 2 : width
    let blocks = rankings.map { block($0.title, $0.entries, width: half) }
    for start in stride(from: 0, to: blocks.count, by: isWide ? 2 : 1) {
      lines.append([])
      let left = blocks[start]
      let right = isWide && start + 1 < blocks.count ? blocks[start + 1] : []
      for row in 0..<max(left.count, right.count) {
        let first = row < left.count ? left[row] : []
        let cells = first.reduce(0) { $0 + $1.text.cellWidth }
        let gap: [Part] = row < right.count ? [(String(repeating: " ", count: half + 4 - cells), nil)] : []
        lines.append(first + gap + (row < right.count ? right[row] : []))
      }
    }
    lines.append([])
    lines += graphs
    lines += records.map { [($0.truncated(toCells: width), .faint)] }
    return lines.map { parts in
      parts.map { part in part.role.map { palette[$0].applied(to: part.text) } ?? part.text }.joined()
    }
  }

  /// The lines of a ranking: number, name, bar and count.
  private func block(_ title: String, _ entries: [PlayStatistics.Entry], width: Int) -> [[Part]] {
    let most = max(1, entries.map(\.playCount).max() ?? 1)
    let count = "\(most)".count
    let bar = max(4, width / 5)
    let name = max(4, width - 5 - bar - 2 - count - 1)
    return [[(title, .heading)]]
      + entries.enumerated().map { index, entry in
        let number = index < 9 ? " \(index + 1)" : "\(index + 1)"
        let text = [entry.name, entry.artist].filter { !$0.isEmpty }.joined(separator: " · ").safeForTerminal
        let shown = text.truncated(toCells: name)
        let padding = String(repeating: " ", count: max(0, name - shown.cellWidth))
        let plays = "\(entry.playCount)"
        return [
          ("\(number)  ", .faint), (shown + padding + " ", .title),
          (Self.bar(Double(entry.playCount) / Double(most), cells: bar), .progress),
          (" " + String(repeating: " ", count: count - plays.count) + plays, nil), (entry.isNew ? " *" : "", .mark),
        ]
      }
  }

  /// The lines that show when the user listens.
  private var graphs: [[Part]] {
    let names = ["Mo Tu We Th Fr Sa Su", "J F M A M J J A S O N D"]
    return [
      graph("Hours", statistics.hours, gap: "", below: "0     6     12    18"),
      graph("Days", statistics.weekdays, gap: "  ", below: names[0]),
      graph("Months", statistics.months, gap: " ", below: names[1]),
    ].flatMap(\.self)
  }

  private func graph(_ name: String, _ values: [Duration], gap: String, below: String) -> [[Part]] {
    let most = values.max() ?? .zero
    guard most > .zero else { return [] }
    let bars = values.map { value in Self.column(value / most) }.joined(separator: gap)
    let indent = String(repeating: " ", count: 8)
    return [[(name.padded(toCells: 8), .heading), (bars, .progress)], [(indent + below, .faint)]]
  }

  /// Returns a bar of up to `cells` cells for a fraction from 0 to 1.
  private static func bar(_ fraction: Double, cells: Int) -> String {
    let filled = max(1, min(cells, Int((fraction * Double(cells)).rounded())))
    return String(repeating: "━", count: filled) + String(repeating: " ", count: cells - filled)
  }

  /// Returns the block for a fraction from 0 to 1.
  private static func column(_ fraction: Double) -> String {
    let blocks = Array(" ▁▂▃▄▅▆▇█")
    let index = fraction > 0 ? max(1, Int((fraction * 8).rounded())) : 0
    return String(blocks[max(0, min(8, index))])
  }

  private static func time(_ duration: Duration) -> String {
    let seconds = Int(clamping: duration.components.seconds)
    let minutes = seconds / 60
    if minutes == 0 { return ItemCount.text(seconds, "second") }
    return minutes < 120 ? ItemCount.text(minutes, "minute") : ItemCount.text(minutes / 60, "hour")
  }

  /// The lines in plain style.
  var plainLines: [String] {
    [title.safeForTerminal, summary.replacing(" · ", with: "; ")]
      + rankings.flatMap { title, entries in
        entries.enumerated().map { index, entry in
          let new = entry.isNew ? "new" : nil
          return PlainLine(entry.name, number: index + 1).prefixed(with: String(title.dropLast()).lowercased())
            .adding(entry.artist, as: "artist").adding(ItemCount.text(entry.playCount, "play"))
            .adding(time: entry.heard).adding(new).text
        }
      } + records
  }
}
