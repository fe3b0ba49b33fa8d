// SPDX-License-Identifier: GPL-3.0-or-later

import MusicModel
import Platform
import PlayerPort
import Screens
import SystemPackage
import Terminal
import UnicodeText
import UserSettings

/// An entry of a listing, which can be printed as table cells, as a plain line, or as a JSON object.
protocol ListedEntry {
  /// The columns of the table.
  static var table: Table { get }
  /// The headings of the columns.
  static var headings: [String] { get }
  /// The text of the cells. Not yet escaped for a terminal.
  var cells: [String] { get }
  /// The line that `--plain` prints.
  var plain: PlainLine { get }
  /// The palette role in which the row is printed; `nil` for plain text.
  var role: Palette.Role? { get }
  /// The object that `--json` prints.
  var object: ListedObject { get }
  /// The item to which the entry's number in the listing refers; `nil` if commands do not accept such an item.
  var reference: ListedReference? { get }
}

extension ListedEntry {
  var role: Palette.Role? { nil }
  var reference: ListedReference? { nil }
}

extension AlbumEntry: ListedEntry {
  static var table: Table { Table(alignments: [.left, .left, .left, .right, .right], flexible: [0, 1]) }
  static var headings: [String] { ["Artist", "Album", "Year", "Tracks", "Time"] }

  var cells: [String] {
    [
      artist ?? "", title, date.map { "\($0.year)" } ?? "",
      trackCount == 1 ? "1 track" : "\(trackCount) tracks", TimeText.text(duration),
    ]
  }

  var plain: PlainLine {
    PlainLine(title).adding(artist, as: "artist").adding(date.map { "\($0.year)" }, as: "year")
      .adding(ItemCount.text(trackCount, "track")).adding(time: duration)
  }

  var reference: ListedReference? { ListedReference(self) }

  var object: ListedObject {
    var object = ListedObject(.album)
    object.id = id
    object.title = title
    object.artist = artist
    object.artists = artist.map { [$0] } ?? []
    object.date = date?.text
    object.compilation = isCompilation
    object.tracks = trackCount
    object.seconds = duration / .seconds(1)
    object.added = added
    return object
  }
}

extension TrackEntry: ListedEntry {
  static var table: Table { Table(alignments: [.left, .left, .right, .left, .right], flexible: [0, 1, 3]) }
  static var headings: [String] { ["Artist", "Album", "No.", "Title", "Time"] }

  var cells: [String] {
    let disc = track.disc.flatMap { ($0.total ?? 1) > 1 || $0.number > 1 ? "\($0.number)-" : nil } ?? ""
    return [
      track.artistCredit, track.album ?? "",
      track.shownNumber.map { disc + $0 } ?? "",
      track.title, TimeText.text(track.duration),
    ]
  }

  var plain: PlainLine {
    PlainLine(track.title).adding(track.artistCredit, as: "artist")
      .adding(track.album, as: "album").adding(cells[2], as: "track").adding(time: track.duration)
  }

  var reference: ListedReference? { ListedReference(self) }

  var object: ListedObject {
    var object = ListedObject(.track)
    object.id = id
    object.setTrack(track)
    object.albumID = albumID
    object.added = added
    return object
  }
}

extension SearchHit: ListedEntry {
  static var headings: [String] { ["Kind", "Name", "Artist", "Time"] }

  var plain: PlainLine {
    switch self {
    case .artist(let artist): ListedName(kind: .artist, entry: artist).plain.prefixed(with: "artist")
    case .album(let album): album.plain.prefixed(with: "album")
    case .track(let entry): entry.plain.prefixed(with: "track")
    }
  }

  var reference: ListedReference? {
    switch self {
    case .artist(let artist): ListedReference(.artist, name: artist.name)
    case .album(let album): ListedReference(album)
    case .track(let entry): ListedReference(entry)
    }
  }

  var object: ListedObject {
    switch self {
    case .artist(let artist): ListedName(kind: .artist, entry: artist).object
    case .album(let album): album.object
    case .track(let track): track.object
    }
  }
}

/// An artist or a genre in a listing.
struct ListedName: ListedEntry, Equatable {
  static var table: Table { Table(alignments: [.left, .right, .right], flexible: [0]) }
  static var headings: [String] { ["Name", "Albums", "Tracks"] }

  let kind: ListedObject.Kind
  let entry: NameEntry

  var cells: [String] {
    [
      entry.name, entry.albumCount == 1 ? "1 album" : "\(entry.albumCount) albums",
      entry.trackCount == 1 ? "1 track" : "\(entry.trackCount) tracks",
    ]
  }

  var plain: PlainLine {
    PlainLine(entry.name).adding(ItemCount.text(entry.albumCount, "album"))
      .adding(ItemCount.text(entry.trackCount, "track"))
  }

  var reference: ListedReference? {
    ListedReference.Kind(rawValue: kind.rawValue).map { ListedReference($0, name: entry.name) }
  }

  var object: ListedObject {
    var object = ListedObject(kind)
    object.name = entry.name
    object.albums = entry.albumCount
    object.tracks = entry.trackCount
    return object
  }
}

extension ProblemEntry: ListedEntry {
  static var table: Table { Table(alignments: [.left, .left], flexible: [0, 1]) }
  static var headings: [String] { ["File", "Problem"] }

  var cells: [String] { [path.shown, reason] }

  var plain: PlainLine { PlainLine(path.string).adding(reason, as: "reason") }

  var object: ListedObject {
    var object = ListedObject(.problem)
    object.setPath(path)
    object.reason = reason
    return object
  }
}
