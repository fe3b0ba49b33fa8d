// SPDX-License-Identifier: GPL-3.0-or-later

public import MusicModel
import Platform
public import SystemPackage

/// The contents of a playlist file: a title and entries in playing order. The entries have not been looked up on disk.
public struct Playlist: Sendable, Hashable {
  /// The maximum number of entries in a playlist, including those of nested playlists.
  public static let entryLimit = 1_000_000
  /// The maximum size of a playlist file, in bytes.
  public static let sizeLimit = 64 << 20

  /// The title in the file; `nil` if there is none. The file name is not used as the title.
  public var title: String?
  /// The entries in playing order.
  public var entries: [PlaylistEntry]

  public init(title: String? = nil, entries: [PlaylistEntry] = []) {
    self.title = title
    self.entries = entries
  }
}

/// An entry of a playlist: a location of music, and a description of it.
///
/// Text is as in the file (not yet escaped for a terminal), without leading or trailing white space, and never empty.
public struct PlaylistEntry: Sendable, Hashable {
  /// The location of the music.
  public var location: PlaylistLocation
  /// Other locations to try, in this order: further locations in XSPF, and a path of unknown encoding converted to
  /// UTF-8.
  public var alternatives: [PlaylistLocation] = []
  /// The title of the track.
  public var title: String?
  /// The artist of the track.
  public var artist: String?
  /// The title of the album.
  public var album: String?
  public var albumArtist: String?
  public var genre: String?
  /// The name of a group of entries (`#EXTGRP`).
  public var group: String?
  /// A comment (`annotation` in XSPF).
  public var comment: String?
  /// The track number on the album, at least 1.
  public var number: Int?
  /// The duration according to the playlist, in whole seconds in M3U and PLS, in milliseconds in XSPF.
  public var duration: Duration?

  /// The segment of the file; `nil` if the entry is the whole file. It is written only in M3U (`#SEGUE-PART`, in CD
  /// frames).
  public var segment: TrackSegment?

  /// Creates an entry with only a location.
  public init(_ location: PlaylistLocation) { self.location = location }

  /// Creates an entry for `track` from its path and its tags.
  public init(_ track: Track) {
    let address = StreamAddress(track.path).map { PlaylistLocation.url($0.description) }
    self.init(address ?? .path(track.path.systemBytes))
    title = track.title
    artist = track.artists.isEmpty ? nil : track.artistCredit
    album = track.album
    albumArtist = track.albumArtists.isEmpty ? nil : track.albumArtistCredit
    genre = track.genres.isEmpty ? nil : track.genres.joined(separator: ", ")
    number = track.number?.number
    duration = track.duration
    segment = track.segment
  }
}

/// A location of music in a playlist.
public enum PlaylistLocation: Sendable, Hashable {
  /// A path as raw bytes, without URI escapes: relative to the playlist's directory, absolute, or a Windows path
  /// (`C:\Music\a.mp3`). It need not be valid UTF-8, nor valid on this system.
  case path([UInt8])
  /// A URL, such as `https://radio.example/stream`.
  case url(String)

  /// Creates the location in a line of a playlist: a `file:` URI, a URL with a scheme and two slashes, or otherwise a
  /// path.
  ///
  /// A leading `./` is removed. It marks a path that would otherwise be taken for a comment or a URL.
  init(line: some Collection<UInt8>) {
    let bytes = Array(line)
    if let scheme = Self.scheme(of: bytes) {
      if scheme == "file" {
        self = .path(FileURI.path(ofEscaped: bytes[5...]))
        return
      }
      if bytes.dropFirst(scheme.utf8.count + 1).starts(with: "//".utf8) {
        let url = PlaylistTextFormat.text(bytes) ?? ""
        let shown = AddressSecrets.removed(from: url)
        // Other addresses are not played: their passwords would be lost when the playlist is edited.
        self = .url(shown != url && StreamAddress(url) != nil ? shown : url)
        return
      }
    }
    self = .path(Self.withoutDot(bytes))
  }

  /// Returns a path without a leading `./`.
  static func withoutDot(_ bytes: [UInt8]) -> [UInt8] {
    var rest = bytes[...]
    while rest.starts(with: "./".utf8), rest.count > 2 {
      rest = rest.dropFirst(2).drop { $0 == UInt8(ascii: "/") }
    }
    return Array(rest)
  }

  /// Returns the scheme of a URI in lower case (RFC 3986, section 3.1), or `nil` if there is none. A single letter
  /// before a colon is a Windows drive, not a scheme.
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

/// The playlist formats that can be read and written.
public enum PlaylistFormat: String, Sendable, Hashable, CaseIterable {
  /// One location on each line, with comments that begin with `#`. It is read in any encoding, and written in UTF-8
  /// with a line that declares it.
  case m3u
  /// The same format as ``m3u``, always in UTF-8.
  case m3u8
  /// Numbered keys and values under `[playlist]`.
  case pls
  /// XML Shareable Playlist Format, version 1 (xspf.org).
  case xspf

  /// Creates the format for the suffix of this path, in upper or lower case. Returns `nil` if it is not the suffix of a
  /// playlist.
  public init?(_ path: FilePath) {
    guard let suffix = path.extension, let format = Self(rawValue: suffix.lowercased()) else { return nil }
    self = format
  }

  /// Creates the format that the beginning of the contents indicates. Returns `nil` if it indicates none, as in M3U
  /// without a header.
  public init?(contents bytes: some Collection<UInt8>) {
    // This also works after a byte order mark, and in UTF-16 and UTF-32.
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

/// An error from reading, writing, finding or naming a playlist.
public enum PlaylistError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The playlist file does not exist.
  case notFound(FilePath)
  /// The path is a directory, a FIFO or a device.
  case notAFile(FilePath)
  /// The operating system returned an error while the file was read.
  case unreadable(FilePath, Errno)
  /// The operating system returned an error while the file was written; the previous file is unchanged.
  case unwritable(FilePath, Errno)
  case tooLarge(FilePath)
  /// The playlist has more than ``Playlist/entryLimit`` entries, including those of nested playlists.
  case tooManyEntries(FilePath)
  /// The file is not text, or its format is unknown.
  case notAPlaylist(FilePath)
  /// The XML of the playlist is invalid at this line.
  case malformed(FilePath, line: Int, reason: String)
  /// The rules of a smart playlist are invalid, for this reason.
  case invalid(FilePath, reason: String)
  /// The tracks of the playlist follow from rules, so that it has no entries to change.
  case smart(FilePath)
  /// The name cannot be used for a saved playlist, for this reason.
  case unusableName(String, reason: String)
  /// There is no saved playlist with this name in this directory; a similar name may be suggested.
  case noList(String, FilePath, suggestion: String? = nil)
  /// Several saved playlists match this name; their file names are given.
  case ambiguous(String, [String])
  /// A saved playlist with this name already exists, and must not be replaced.
  case exists(String, FilePath)
  /// An edit names a position that the playlist does not have.
  case noPosition(FilePath)
  /// The entries of the playlist are no longer those for which an edit was made.
  case changed(FilePath)

  /// A one-line message with the problem, the path, and what to do about it. It is not yet escaped for a terminal.
  public var description: String {
    switch self {
    case .notFound(let path): "no such playlist: \(path.shown)"
    case .notAFile(let path): "not a file: \(path.shown); use a playlist (\(Self.suffixes))"
    case .unreadable(let path, let code): "cannot read the playlist \(path.shown): \(code)"
    case .unwritable(let path, let code): "cannot write the playlist \(path.shown): \(code)"
    case .tooLarge(let path):
      "the playlist \(path.shown) is larger than \(Playlist.sizeLimit >> 20) MiB; it was not read"
    case .tooManyEntries(let path):
      "the playlist \(path.shown) has more than \(Playlist.entryLimit) entries; it was not read"
    case .notAPlaylist(let path): "not a playlist: \(path.shown); supported formats: \(Self.suffixes)"
    case .malformed(let path, let line, let reason):
      "the playlist \(path.shown) is damaged at line \(line): \(reason)"
    case .invalid(let path, let reason): "the smart playlist \(path.shown) cannot be read: \(reason)"
    case .smart(let path): "the tracks of a smart playlist follow from its rules; edit \(path.shown) instead"
    case .unusableName(let name, let reason): "invalid playlist name \"\(name)\": \(reason)"
    case .noList(let name, let directory, _): "no playlist \"\(name)\" in \(directory.shown)"
    case .ambiguous(let name, let files):
      "several playlists match \"\(name)\": \(files.joined(separator: ", ")); use the exact file name"
    case .changed(let path): "the playlist \(path.shown) has changed meanwhile"
    case .noPosition(let path): "the playlist \(path.shown) has no such position"
    case .exists(let name, let path): "playlist \"\(name)\" already exists: \(path.shown)"
    }
  }

  private static var suffixes: String {
    PlaylistFormat.allCases.map { $0.rawValue.uppercased() }.joined(separator: ", ")
  }
}
