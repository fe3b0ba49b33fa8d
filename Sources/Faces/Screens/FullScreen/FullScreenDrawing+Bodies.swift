// SPDX-License-Identifier: GPL-3.0-or-later

import CoverDrawing
import MusicModel
import Platform
import PlayerPort
import SystemPackage
import Tagging
import Terminal
import UnicodeText
import UserSettings

/// The screens that show no list, and what covers a screen.
extension FullScreenDrawing {
  mutating func drawNowPlaying() {
    let parts = model.playingLayout
    if let area = parts.side { drawSide(in: area) }
    guard let nowPlaying = player.nowPlaying, let track = nowPlaying.track else {
      putText([(idleText, .faint)], parts)
      return
    }
    if let area = parts.cover { drawCover(of: track, in: area) }
    putText(lines(about: track, nowPlaying), parts)
  }

  /// Draws the cover of the current track in the middle of `area`; without one, the initials of the album.
  private mutating func drawCover(of track: Track, in area: CellArea) {
    guard let cover else {
      let name = track.album ?? track.title
      return drawInitials(of: name, artist: track.albumArtists.first ?? track.artistCredit, in: area)
    }
    let row = area.row + max(0, area.rows - cover.rows) / 2
    let column = area.column + max(0, area.columns - cover.columns) / 2
    grid.pictures.append(PlacedPicture(cover, row: row, column: column))
  }

  /// What is known about the current track, in the order of importance.
  private func lines(about track: Track, _ nowPlaying: NowPlaying) -> [(text: String, role: Palette.Role?)] {
    let year = track.date.map { " (\($0.year))" } ?? ""
    var lines: [(text: String, role: Palette.Role?)] = [(track.title, .title)]
    if !track.artists.isEmpty { lines.append((track.artistCredit, .artist)) }
    lines.append(((track.album ?? nowPlaying.title) + year, .next))
    if let chapter = player.state.chapter { lines.append((chapter, nil)) }
    if let rating = player.rating, rating > 0 { lines.append((ListColumn.stars(rating), .mark)) }
    if let source = player.state.format {
      let suffix = StreamAddress(track.path) == nil ? track.path.extension : nil
      lines.append(((suffix.map { $0.uppercased() + ", " } ?? "") + FormatText.text(source), .faint))
      if let deviations = player.state.deviations { lines.append((FormatText.path(deviations), .faint)) }
    }
    return lines
  }

  /// Writes lines about the track: centred below the cover, or in the middle beside it.
  private mutating func putText(_ lines: [(text: String, role: Palette.Role?)], _ parts: PlayingLayout) {
    let area = parts.text
    // With an empty line around the title, where there is room.
    let isRoomy = parts.cover != nil && area.rows > lines.count
    let count = lines.count + (isRoomy ? 1 : 0)
    var row = area.row + (parts.isCentred || parts.cover == nil ? 0 : max(0, (area.rows - count) / 2))
    for (index, line) in lines.enumerated() where area.rowRange.contains(row) {
      putLine(line.text, row, area, line.role, isCentred: parts.isCentred)
      row += index == 0 && isRoomy ? 2 : 1
    }
  }

  /// Writes a line in `area`, in its middle if `isCentred`.
  private mutating func putLine(
    _ text: String, _ row: Int, _ area: CellArea, _ role: Palette.Role?, isCentred: Bool
  ) {
    let text = text.safeForTerminal.truncated(toCells: area.columns)
    let indent = isCentred ? (area.columns - text.cellWidth) / 2 : 0
    put(text, row, area.column + indent, width: area.columns - indent, role)
  }

  /// Returns the spectrum that fills `area`.
  static func spectrum(in area: CellArea, _ form: SpectrumDrawing.Form) -> SpectrumDrawing {
    SpectrumDrawing(columns: area.columns, rows: area.rows, form: form)
  }

  private mutating func drawSide(in area: CellArea) {
    switch model.side {
    case .queue:
      guard let list = model.sideQueue else { break }
      drawList(list, in: area, ListStyle(hasCursor: false))
      // A short queue leaves room for the chapters, or else for the lyrics.
      let used = 3 + (list.count ?? area.rows)
      let rest = CellArea(row: area.row + used, column: area.column, columns: area.columns, rows: area.rows - used)
      if !player.state.chapters.rows.isEmpty, rest.rows >= 4 {
        drawChapters(in: rest)
      } else if case .lyrics = model.lyrics.content, rest.rows >= 8 {
        drawLyrics(in: rest)
      }
    case .chapters: drawChapters(in: area)
    case .lyrics: drawLyrics(in: area)
    case .levels:
      for (row, line) in zip(area.rowRange, MeterLines.lines(player.sound?.levels, cells: area.columns)) {
        put(line, row, area.column, width: area.columns, .progress)
      }
    case .spectrum:
      guard let spectrum = player.sound?.spectrum else { break }
      Self.spectrum(in: area, player.spectrumForm)
        .draw(spectrum, on: &grid, row: area.row, column: area.column, palette)
    case .none: break
    }
  }

  /// Draws the chapters of the current track, the present one among them.
  private mutating func drawChapters(in area: CellArea) {
    let (rows, current) = (player.state.chapters.rows, player.state.chapters.current)
    if rows.isEmpty {
      return putLine("no chapters", area.row + area.rows / 2, area, .faint, isCentred: true)
    }
    let present = rows.firstIndex { $0.number == current } ?? 0
    let first = max(0, min(present - area.rows / 2, rows.count - area.rows))
    let shown = rows[first...].prefix(area.rows)
    let numberCells = shown.map { "\($0.number)".count }.max() ?? 0
    let timeCells = shown.map { ChapterText.start($0).count }.max() ?? 0
    for (row, chapter) in zip(area.rowRange, shown) {
      let isPresent = chapter.number == current
      let line =
        "\("\(chapter.number)".padded(toCells: numberCells, .right))  "
        + "\(ChapterText.start(chapter).padded(toCells: timeCells, .right))  \(chapter.title)"
      putLine((isPresent ? "> " : "  ") + line, row, area, isPresent ? .title : .faint, isCentred: false)
    }
  }

  /// Draws the lyrics in the middle of `area`; what is past and to come is dimmed.
  mutating func drawLyrics(in area: CellArea) {
    switch model.lyrics.content {
    case .loading: put("…", area.row, area.column, .faint)
    case .none:
      let text =
        player.nowPlaying?.track == nil
        ? "nothing playing" : "no lyrics: put a file with the suffix .lrc beside the track"
      putLine(text, area.row + area.rows / 2, area, .faint, isCentred: true)
    case .unusable(let reason): putLine(reason, area.row + area.rows / 2, area, .faint, isCentred: true)
    case .lyrics(let lyrics):
      let lines = model.lyrics.lines
      let current = lyrics.line(at: player.state.position)
      let first = model.lyrics.firstLine(at: player.state.position, height: area.rows)
      for (row, number) in zip(area.rowRange, first..<max(first, lines.count)) {
        let line = lines[number]
        guard number == current else {
          putLine(line.text, row, area, lyrics.isSynced ? .faint : nil, isCentred: true)
          continue
        }
        // The words that have been sung are lit; all of them if only the line has a time.
        let sung = line.parts.last { $0.start <= player.state.position }
        let next = line.parts.first { $0.start > player.state.position }
        let lit = line.parts.isEmpty ? line.text.count : sung == nil ? 0 : next?.offset ?? line.text.count
        let text = line.text.safeForTerminal
        let start = area.column + max(0, area.columns - text.cellWidth) / 2
        let used = put(String(line.text.prefix(lit)), row, start, width: area.columns, .title)
        put(String(line.text.dropFirst(lit)), row, start + used, width: area.columns - used)
      }
    }
  }

  // MARK: What covers a screen

  /// Clears the rows of the screen, for what covers it.
  private mutating func clearBody() {
    for row in layout.bodyRows { grid.clear(row: row) }
    grid.pictures = []
  }

  /// Draws the list of what can be done, with the selected action.
  mutating func drawActions(_ selection: Int) {
    clearBody()
    let keyCells = min(26, max(10, layout.size.columns / 3))
    var lines: [(keys: String, text: String, number: Int?)] = []
    var number = 0
    for group in model.helpGroups {
      if !lines.isEmpty { lines.append(("", "", nil)) }
      lines.append((group.heading, "", nil))
      for action in group.actions {
        lines.append((model.bindings.keys(of: action, isASCII: isASCII).joined(separator: " "), action.help, number))
        number += 1
      }
    }
    let rows = layout.bodyRows
    let selected = lines.firstIndex { $0.number == selection } ?? 0
    let first = max(0, min(selected - rows.count / 2, lines.count - rows.count))
    for (row, line) in zip(rows, lines.dropFirst(first)) {
      guard line.number != nil else {
        put(line.keys, row, 1, .heading)
        continue
      }
      put(line.keys, row, 3, width: keyCells - 4, .keys)
      put(line.text, row, keyCells, width: layout.size.columns - keyCells - 1)
      if line.number == selection {
        grid.paint(row: row, columns: 0..<layout.size.columns, style: palette[.selection])
      }
    }
  }
}

extension FullScreenModel {
  /// Moves in the lyrics.
  mutating func scrollLyrics(_ action: ScreenAction) -> [ScreenEffect] {
    let page = layout.listHeight
    if let step = action.step(page: page, half: page / 2, count: lyrics.lines.count) { lyrics.scroll(by: step) }
    if action == .back { lyrics.follow() }
    return []
  }
}
