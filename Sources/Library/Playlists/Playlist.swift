public import MusicModel
import Platform
public import SystemPackage

/// What a playlist file says, or is to say: a title and entries in playing order. Nothing of it has been looked up on
/// the disk.
public struct Playlist: Sendable, Hashable {
  /// The most entries that a playlist may have, and that playlists in playlists may come to.
  public static let entryLimit = 1_000_000
  /// The most bytes that the file of a playlist may have.
  public static let sizeLimit = 64 << 20

  /// The title that the file gives; its name is not part of it.
  public var title: String?
  /// The entries in playing order.
  public var entries: [PlaylistEntry]

  /// A playlist of these entries.
  public init(title: String? = nil, entries: [PlaylistEntry] = []) {
    self.title = title
    self.entries = entries
  }
}

/// One entry of a playlist: where the music is, and what the playlist says of it.
///
/// Texts are as the file gives them (not yet made safe for a terminal), without white space at their ends, and never
/// empty.
public struct PlaylistEntry: Sendable, Hashable {
  /// Where the music is.
  public var location: PlaylistLocation
  /// Where else it may be, to be tried in this order: further locations of XSPF, and a name of unknown encoding as text
  /// in UTF-8.
  public var alternatives: [PlaylistLocation] = []
  /// The title of the track.
  public var title: String?
  /// Who plays it.
  public var artist: String?
  /// The title of its album.
  public var album: String?
  /// The artist of its album.
  public var albumArtist: String?
  /// The genre.
  public var genre: String?
  /// The name of a group of entries (`#EXTGRP`).
  public var group: String?
  /// A remark (XSPF's `annotation`).
  public var comment: String?
  /// The number of the track on its album, from 1.
  public var number: Int?
  /// How long it is said to last; whole seconds in M3U and PLS, milliseconds in XSPF.
  public var duration: Duration?

  /// Which part of the file it is, where it is not the whole (`#SEGUE-PART`, in frames of a CD; only in M3U).
  public var segment: TrackSegment?

  /// An entry of which only the place is known.
  public init(_ location: PlaylistLocation) { self.location = location }

  /// An entry for `track`, under its path and with what is known of it.
  public init(_ track: Track) {
    self.init(.path(track.path.systemBytes))
    title = track.title
    artist = track.artists.isEmpty ? nil : track.artists.joined(separator: ", ")
    album = track.album
    albumArtist = track.albumArtists.isEmpty ? nil : track.albumArtists.joined(separator: ", ")
    genre = track.genres.isEmpty ? nil : track.genres.joined(separator: ", ")
    number = track.number?.number
    duration = track.duration
    segment = track.segment
  }
}

/// Where a playlist says that music is.
public enum PlaylistLocation: Sendable, Hashable {
  /// A path, byte for byte, without the escapes of a URI: relative to the playlist's directory, or absolute, or as
  /// Windows writes it (`C:\Music\a.mp3`). It need not be text, and may be of no use to the system.
  case path([UInt8])
  /// An address in the net, such as `https://radio.example/stream`.
  case address(String)

  /// What a line of a playlist names: a `file:` URI, an address with a scheme and two slashes, or a path as it stands.
  ///
  /// `./` at its beginning is dropped: it is how a path is written that would otherwise be something else.
  init(line: some Collection<UInt8>) {
    let bytes = Array(line)
    if let scheme = Self.scheme(of: bytes) {
      if scheme == "file" {
        self = .path(FileURI.path(ofEscaped: bytes[5...]))
        return
      }
      if bytes.dropFirst(scheme.utf8.count + 1).starts(with: "//".utf8) {
        self = .address(PlaylistWords.text(bytes) ?? "")
        return
      }
    }
    self = .path(Self.withoutDot(bytes))
  }

  /// The path without `./` at its beginning.
  static func withoutDot(_ bytes: [UInt8]) -> [UInt8] {
    var rest = bytes[...]
    while rest.starts(with: "./".utf8), rest.count > 2 {
      rest = rest.dropFirst(2).drop { $0 == UInt8(ascii: "/") }
    }
    return Array(rest)
  }

  /// The scheme before the first colon, in lower case (RFC 3986, section 3.1); one letter is a drive of Windows.
  static func scheme(of bytes: some Collection<UInt8>) -> String? {
    let scheme = bytes.prefix(20).prefix { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
        true
      default: false
      }
    }
    guard scheme.count > 1, bytes.dropFirst(scheme.count).first == UInt8(ascii: ":") else { return nil }
    guard let first = scheme.first, first >= UInt8(ascii: "A") else { return nil }
    return String(decoding: scheme, as: UTF8.self).lowercased()
  }
}

/// The formats of playlists that are read and written.
public enum PlaylistFormat: String, Sendable, Hashable, CaseIterable {
  /// One path a line, with remarks behind `#`; of whatever encoding when read, written in UTF-8 and saying so.
  case m3u
  /// The same, always in UTF-8.
  case m3u8
  /// Numbered keys and values under `[playlist]`.
  case pls
  /// XML Shareable Playlist Format, version 1 (xspf.org).
  case xspf

  /// The format that the suffix of this path promises, in any case; `nil` for what is not known as a playlist.
  public init?(_ path: FilePath) {
    guard let suffix = path.extension, let format = Self(rawValue: suffix.lowercased()) else { return nil }
    self = format
  }

  /// The format that these contents show; `nil` where they do not: an M3U without a header is any text.
  public init?(contents bytes: some Collection<UInt8>) {
    // Also behind a byte order mark, and in UTF-16.
    let start = bytes.prefix(512).filter { (0x21...0x7E).contains($0) }.prefix(10)
    let text = String(decoding: start, as: UTF8.self).lowercased()
    if text.hasPrefix("#extm3u") {
      self = .m3u
    } else if text.hasPrefix("[playlist]") {
      self = .pls
    } else if text.hasPrefix("<?xml") || text.hasPrefix("<playlist") {
      self = .xspf
    } else {
      return nil
    }
  }
}

/// Why a playlist could not be read, written, found or named.
public enum PlaylistError: Error, Sendable, Hashable, CustomStringConvertible {
  /// No file is there.
  case notFound(FilePath)
  /// A directory, a FIFO or a device is there.
  case notAFile(FilePath)
  /// The operating system refused to read it.
  case unreadable(FilePath, Errno)
  /// The operating system refused to write it; what was there before is as it was.
  case unwritable(FilePath, Errno)
  /// The file has more than ``Playlist/sizeLimit`` bytes.
  case tooLarge(FilePath)
  /// It has more than ``Playlist/entryLimit`` entries, with those of the playlists in it.
  case tooManyEntries(FilePath)
  /// It is no text, or of no known format.
  case notAPlaylist(FilePath)
  /// Its XML is wrong, in this line.
  case malformed(FilePath, line: Int, reason: String)
  /// A name that no saved list can have, and why.
  case unusableName(String, reason: String)
  /// No saved list has this name; in this directory, where one that is like it may be meant.
  case noList(String, FilePath, suggestion: String? = nil)
  /// Several saved lists have this name: their files' names.
  case ambiguous(String, [String])
  /// A list has this name already, and was not to be replaced.
  case exists(String, FilePath)

  /// One line: what, where, and what to do. Not yet safe for a terminal.
  public var description: String {
    switch self {
    case .notFound(let path): "no such playlist: \(path.shown)"
    case .notAFile(let path): "not a file: \(path.shown); give a playlist (\(Self.suffixes))"
    case .unreadable(let path, let code): "cannot read the playlist \(path.shown): \(code)"
    case .unwritable(let path, let code): "cannot write the playlist \(path.shown): \(code)"
    case .tooLarge(let path):
      "the playlist \(path.shown) is larger than \(Playlist.sizeLimit >> 20) MiB; it was not read"
    case .tooManyEntries(let path):
      "the playlist \(path.shown) has more than \(Playlist.entryLimit) entries; it was not read"
    case .notAPlaylist(let path): "not a playlist: \(path.shown); known are \(Self.suffixes)"
    case .malformed(let path, let line, let reason):
      "the playlist \(path.shown) is damaged in line \(line): \(reason)"
    case .unusableName(let name, let reason): "\"\(name)\" cannot be the name of a list: \(reason)"
    case .noList(let name, let directory, _): "no list is called \"\(name)\" in \(directory.shown)"
    case .ambiguous(let name, let files):
      "several lists are called \"\(name)\": \(files.joined(separator: ", ")); give one with its suffix"
    case .exists(let name, let path): "a list \"\(name)\" is there already: \(path.shown)"
    }
  }

  private static var suffixes: String {
    PlaylistFormat.allCases.map { $0.rawValue.uppercased() }.joined(separator: ", ")
  }
}
