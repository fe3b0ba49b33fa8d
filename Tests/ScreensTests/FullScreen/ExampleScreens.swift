// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import CoverDrawing
import Foundation
import MusicModel
import Platform
import PlayerFlow
import PlayerPort
import SystemPackage
import Tagging
import Terminal
import TestSupport
import UnicodeText
import UserSettings

@testable import Screens

/// Every screen with the music of `Fixtures/Music`, for the pictures in the README and the manual.
enum ExampleScreens {
  /// The names of the screens.
  static let names = Screen.allCases.map(\.rawValue).filter { !$0.contains(" ") } + ["Keys"]

  /// Returns a screen by its name. Covers are in it only as areas, whose content is the path of the picture.
  static func grid(_ name: String, _ size: TerminalSize, _ palette: Palette = .plain, hasCovers: Bool) -> CellGrid {
    var rig = ScreenRig(columns: size.columns, rows: size.rows, lists)
    rig.model.currentPosition = 1
    rig.model.currentItem = 1
    rig.model.duration = .seconds(8)
    rig.model.showsCovers = hasCovers
    rig.model.lyrics.show(.lyrics(Lyrics(song)))
    switch name {
    case "Keys":
      rig.show(.queue)
      rig.type("?")
    default:
      let screen = Screen(rawValue: name) ?? .nowPlaying
      rig.show(screen)
      if screen == .search { rig.type("in") }
      if screen == .queue { rig.type("jjxj") }
    }
    // What is beside a list is loaded after it, and what is below that last.
    rig.load()
    rig.load()
    let area = hasCovers ? rig.model.coverArea : nil
    let cover = area.map { Self.cover(of: 0, columns: $0.columns, rows: $0.rows) }
    let (columns, rows) = rig.model.albumCoverSize ?? (0, 0)
    let covers = [0, 2, 3].map { (Int64($0), Self.cover(of: $0, columns: columns, rows: rows)) }
    return FullScreenDrawing(
      rig.model, player, palette: palette, cover: cover, albumCovers: Dictionary(uniqueKeysWithValues: covers)
    ).cells()
  }

  private static func cover(of album: Int, columns: Int, rows: Int) -> DrawnCover {
    DrawnCover(content: .image(covers[album] ?? ""), columns: columns, rows: rows)
  }

  private static let covers = [
    0: "The Clockwork Consort/Ground and Air/cover.jpg", 2: "Various Artists/Old Tunes, New Friends/cover.jpg",
    3: "時計の楽団/日本のうた/cover.png",
  ]

  private static let albums: [(title: String, artist: String, year: Int, songs: [(title: String, seconds: Int)])] = [
    (
      "Ground and Air", "The Clockwork Consort", 2024,
      [
        ("Canon in D, Part One", 8), ("Canon in D, Part Two", 8), ("Canon in D, Part Three", 9),
        ("Gymnopédie No. 1", 20),
      ]
    ),
    (
      "Parlour Pieces", "Music Box Theatre", 2023,
      [("Prelude in C", 16), ("Für Elise", 12), ("Lullaby", 17), ("Morning Mood", 19), ("The Entertainer", 13)]
    ),
    (
      "Old Tunes, New Friends", "Various Artists", 2022,
      [("Greensleeves", 17), ("Minuet in G", 20), ("Ode to Joy", 18), ("Auld Lang Syne", 19)]
    ),
    ("日本のうた", "時計の楽団", 2021, [("さくらさくら", 23), ("荒城の月", 16), ("ちょうちょう", 12)]),
  ]

  private static let tracks: [Track] = albums.flatMap { album in
    album.songs.enumerated().map { number, song in
      var track = Track(path: FilePath("/music/\(album.title)/\(number + 1).flac"), title: song.title)
      track.artists = [album.artist]
      track.album = album.title
      track.date = ReleaseDate(year: album.year)
      track.duration = .seconds(song.seconds)
      return track
    }
  }

  private static func row(_ target: ListTarget, _ track: Track, rating: Int? = nil) -> ListRow {
    ListRow(
      target, title: track.title, artist: track.artists.joined(), album: track.album ?? "", duration: track.duration,
      rating: rating)
  }

  private static func name(_ target: ListTarget, _ title: String, _ detail: String) -> ListRow {
    ListRow(target, title: title, detail: detail)
  }

  private static func album(_ number: Int) -> ListRow {
    let album = albums[number]
    return ListRow(
      .album(Int64(number)), title: album.title, artist: album.artist, detail: "\(album.year)",
      duration: .seconds(album.songs.reduce(0) { $0 + $1.seconds }))
  }

  private static func of(_ query: LibraryQuery) -> LibraryQuery { .conjunction([.everything, query]) }

  private static let lists: [ListContent: [ListRow]] = {
    let songs = tracks.enumerated().map { number, track in
      row(.track(id: Int64(number), PathText(track.path)), track, rating: [nil, 8, nil, nil, 10][number % 5])
    }
    let found = songs.filter { $0.title.contains("in ") || $0.title.hasPrefix("Minuet") }
    let results = (songs.isEmpty ? [] : found).map { row in
      var row = row
      row.detail = "song"
      return row
    }
    return [
      .queue: tracks.prefix(8).enumerated().map { number, track in
        row(.item(UInt64(number)), track, rating: number == 1 ? 8 : nil)
      },
      .albums(.everything): albums.indices.map { album($0) },
      // What is beside the first artist, genre and year.
      .albums(of(.text(.artist, TextPattern("0", kind: .exact)))): [album(0)],
      .albums(of(.text(.genre, TextPattern("0", kind: .exact)))): [album(0), album(1), album(2)],
      .albums(of(.number(.year, QueryRange(from: 2024, to: 2024)))): [album(0)],
      .album(0): Array(songs.prefix(4)),
      .songs(.everything): songs.sorted { $0.title < $1.title }, .search("in", .everything): results,
      .artists(.everything): [
        name(.artist("0"), "The Clockwork Consort", "2 albums, 5 tracks"),
        name(.artist("1"), "Lute at Dusk", "1 album, 2 tracks"),
        name(.artist("2"), "Music Box Theatre", "1 album, 5 tracks"),
        name(.artist("3"), "Village Organ", "1 album, 1 track"), name(.artist("4"), "時計の楽団", "1 album, 3 tracks"),
      ],
      .genres(.everything): [
        name(.genre("0"), "Classical", "3 albums, 10 tracks"), name(.genre("1"), "Folk", "1 album, 2 tracks"),
        name(.genre("2"), "Ragtime", "1 album, 1 track"), name(.genre("3"), "唱歌", "1 album, 3 tracks"),
      ],
      .years(.everything): albums.map { name(.year($0.year), "\($0.year)", "1 album") },
      .playlists: [name(.playlist("0"), "Evening", "6 tracks"), name(.playlist("1"), "Running", "31 tracks")],
      .directory(""): albums.map { ListRow(.directory(PathText(FilePath($0.artist))), title: $0.artist) },
      .outputs: [ListRow(.output("pulse"), title: "pulse", artist: "on")],
    ]
  }()

  private static let song = """
    [00:00.00]Alas, my love, you do me wrong
    [00:02.00]<00:02.00>To cast <00:03.00>me <00:04.00>off <00:05.00>discourteously,
    [00:07.00]For I have loved you so long,
    [00:09.00]Delighting in your company.
    """

  private static let player: FullScreenDrawing.Player = {
    var state = PlayingState()
    state.phase = .playing
    state.position = .seconds(3)
    state.format = AudioFormat(sampleRate: 44_100, channels: 2, coding: .integer(bits: 16)).map {
      PlayerStatus.Format($0)
    }
    state.deviations = []
    var queue = PlayQueue()
    queue.reduce(.enqueue(TrackCollection(title: "Queue", tracks: Array(tracks.prefix(8))), item: 1))
    queue.reduce(.setRepeat(.all))
    var player = FullScreenDrawing.Player(nowPlaying: NowPlaying(queue, playing: queue.current?.id), state: state)
    player.rating = 8
    return player
  }()
}

/// A picture of a terminal in the SVG format. Covers are embedded.
struct ScreenPicture {
  private static let (cellWidth, cellHeight) = (9, 18)
  private static let (foreground, background) = ("#d6d9e0", "#15171c")

  private let grid: CellGrid
  private(set) var text = ""

  init(_ grid: CellGrid) throws {
    self.grid = grid
    let (width, height) = (grid.size.columns * Self.cellWidth, grid.size.rows * Self.cellHeight)
    text = """
      <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)" \
      font-family="monospace" font-size="15">
      <rect width="\(width)" height="\(height)" fill="\(Self.background)"/>\n
      """
    for row in 0..<grid.size.rows { draw(row) }
    for picture in grid.pictures { try draw(picture) }
    text += "</svg>\n"
  }

  /// Draws a row, in pieces of the same style.
  private mutating func draw(_ row: Int) {
    var column = 0
    while column < grid.size.columns {
      let style = grid[row, column].style
      var end = column
      var content = ""
      while end < grid.size.columns, grid[row, end].style == style {
        content += grid[row, end].text
        end += 1
      }
      draw(content, row, column..<end, style)
      column = end
    }
  }

  private mutating func draw(_ content: String, _ row: Int, _ columns: Range<Int>, _ style: TextStyle) {
    let (x, y) = (columns.lowerBound * Self.cellWidth, row * Self.cellHeight)
    if let background = style.background.flatMap(Self.colour) {
      text += "<rect x=\"\(x)\" y=\"\(y)\" width=\"\(columns.count * Self.cellWidth)\" height=\"\(Self.cellHeight)\" "
      text += "fill=\"\(background)\"/>\n"
    }
    guard let first = content.firstIndex(where: { $0 != " " }) else { return }
    let indent = content.distance(from: content.startIndex, to: first)
    let visible = String(content[first...].reversed().drop { $0 == " " }.reversed())
    text += "<text x=\"\(x + indent * Self.cellWidth)\" y=\"\(y + 14)\" "
    text += "textLength=\"\(visible.cellWidth * Self.cellWidth)\" lengthAdjust=\"spacingAndGlyphs\" "
    text += "xml:space=\"preserve\" fill=\"\(style.foreground.flatMap(Self.colour) ?? Self.foreground)\""
    if style.effects.contains(.bold) { text += " font-weight=\"bold\"" }
    if style.effects.contains(.underline) { text += " text-decoration=\"underline\"" }
    let escaped = visible.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
    text += ">\(escaped)</text>\n"
  }

  private mutating func draw(_ placed: PlacedPicture) throws {
    guard case .image(let path) = placed.picture.content else { return }
    let bytes = try contents(of: Fixture.directory.appending("Music").pushing(FilePath(path)))
    let type = path.hasSuffix("png") ? "png" : "jpeg"
    text += "<image x=\"\(placed.column * Self.cellWidth)\" y=\"\(placed.row * Self.cellHeight)\" "
    text += "width=\"\(placed.picture.columns * Self.cellWidth)\" height=\"\(placed.picture.rows * Self.cellHeight)\" "
    text += "preserveAspectRatio=\"none\" href=\"data:image/\(type);base64,\(Data(bytes).base64EncodedString())\"/>\n"
  }

  private static func colour(_ colour: TextStyle.Colour) -> String? {
    guard case .rgb(let red, let green, let blue) = colour else { return nil }
    return "rgb(\(red),\(green),\(blue))"
  }
}
