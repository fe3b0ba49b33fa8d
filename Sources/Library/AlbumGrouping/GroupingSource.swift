// SPDX-License-Identifier: GPL-3.0-or-later

import MusicModel
import Platform
import SystemPackage
import Tagging
import UnicodeText

/// The tracks to be grouped, with numbers that represent their names, so that each string is folded only once.
final class GroupingSource {
  let tracks: [Track]

  private var texts: [String] = []
  private var numbers: [String: Int] = [:]
  private var numberCache = Cache<Int>()
  private var keyCache = Cache<Int>()
  private var artistKeyCache = Cache<Int>()
  private var titleCache = Cache<AlbumTitle>()
  private var directories: [[UInt8]: DirectoryInfo] = [:]
  private var lastDirectory: (bytes: [UInt8], directory: DirectoryInfo)?
  private var directoryNumbers: [FilePath: Int] = [:]

  /// An album title: the number of the displayed title, the number of the folded title, and the disc number that the
  /// title contains.
  struct AlbumTitle {
    let shown: Int
    let key: Int
    let disc: Int?
  }

  /// A cache of values by string. The last string that was looked up is checked first, because consecutive tracks often
  /// have the same values.
  private struct Cache<Value> {
    private var values: [ByteText: Value] = [:]
    private var last: (text: ByteText, value: Value)?

    mutating func value(of text: String, make: (String) -> Value) -> Value {
      let key = ByteText(text)
      if let last, last.text == key { return last.value }
      if let value = values[key] {
        last = (key, value)
        return value
      }
      let value = make(text)
      values[key] = value
      last = (key, value)
      return value
    }
  }

  init(_ tracks: [Track]) {
    self.tracks = tracks
  }

  /// Returns the number of a string. Strings that are canonically equivalent have the same number.
  func number(of text: String) -> Int {
    numberCache.value(of: text) { text in
      if let number = numbers[text] { return number }
      numbers[text] = texts.count
      texts.append(text)
      return texts.count - 1
    }
  }

  func text(_ number: Int) -> String { texts[number] }

  /// Returns the number of the folded form of a name.
  func key(of name: String) -> Int {
    keyCache.value(of: name) { number(of: $0.matchingKey) }
  }

  /// Returns the number of the folded form of an artist's name, without guests.
  func artistKey(of name: String) -> Int {
    artistKeyCache.value(of: name) { number(of: $0.withoutGuests.matchingKey) }
  }

  /// Returns the album title in a tag, without the disc number that it may contain.
  func title(of tag: String) -> AlbumTitle {
    titleCache.value(of: tag) { tag in
      let suffix = DiscSuffix(title: tag)
      let title = suffix?.base ?? tag
      return AlbumTitle(shown: number(of: title), key: key(of: title), disc: suffix?.number)
    }
  }

  func candidate(_ index: Int) -> AlbumCandidate {
    let directory = directory(of: tracks[index].path)
    let title = tracks[index].album.map { self.title(of: $0) }
    let albumArtist = tracks[index].albumArtistCredit
    let artist = tracks[index].artists.first.map { artistKey(of: $0) }
    return AlbumCandidate(
      index: index, directory: directory.number, title: title?.shown ?? directory.title.shown,
      titleKey: title?.key ?? directory.title.key, isTitled: title != nil, artist: artist,
      shownAlbumArtist: albumArtist.isEmpty ? nil : number(of: albumArtist),
      albumArtist: albumArtist.isEmpty ? nil : key(of: albumArtist),
      release: tracks[index].musicBrainzAlbumID.map { number(of: $0) },
      disc: tracks[index].disc?.number ?? title?.disc ?? directory.disc, number: tracks[index].number?.number,
      subtitle: tracks[index].additionalTags.first(.discSubtitle).map { key(of: $0) },
      format: Self.format(of: tracks[index].path), isCompilation: tracks[index].isCompilation)
  }

  private struct DirectoryInfo {
    let number: Int
    let title: AlbumTitle
    let disc: Int?
  }

  /// Returns the album directory of a file.
  private func directory(of path: FilePath) -> DirectoryInfo {
    let length = path.length
    return unsafe path.withPlatformString { start in
      let bytes = unsafe UnsafeRawBufferPointer(start: start, count: length)
      var end = length
      while end > 0, unsafe bytes[end - 1] != UInt8(ascii: "/") { end -= 1 }
      let directory = unsafe UnsafeRawBufferPointer(rebasing: bytes[..<end])
      if let lastDirectory,
        unsafe lastDirectory.bytes.withUnsafeBytes({ unsafe $0.hasBytes(of: directory) })
      {
        return lastDirectory.directory
      }
      let key = unsafe Array(directory)
      let info = directories[key] ?? makeDirectory(path.removingLastComponent())
      directories[key] = info
      lastDirectory = (key, info)
      return info
    }
  }

  private func makeDirectory(_ path: FilePath) -> DirectoryInfo {
    let directory = AlbumDirectory(path)
    let number = directoryNumbers[directory.path] ?? directoryNumbers.count
    directoryNumbers[directory.path] = number
    let title = AlbumTitle(shown: self.number(of: directory.name), key: key(of: directory.name), disc: nil)
    return DirectoryInfo(number: number, title: title, disc: directory.disc)
  }

  /// Returns the suffix of a file in lower case, the same for all suffixes of one format; empty if there is none.
  private static func format(of path: FilePath) -> String {
    let suffix = path.suffix?.lowercased() ?? ""
    return formats[suffix] ?? suffix
  }

  private static let formats = ["fla": "flac", "oga": "ogg", "aif": "aiff", "aifc": "aiff", "wave": "wav"]
}

extension GroupingSource {
  /// Returns the artist that every track with an artist names, in the spelling of the first track; `nil` if there is
  /// none. If all tracks name the same artists, returns all of them, as all tracks credit them.
  func commonArtist(of members: [AlbumCandidate]) -> String? {
    guard let first = firstArtists(of: members) else { return nil }
    if isShared(first, by: members) {
      let credits = Set(members.lazy.filter { $0.artist != nil }.map { self.tracks[$0.index].artistCredit })
      return credits.count == 1 ? credits.first : first.joined(separator: ", ")
    }
    let common = commonKeys(of: members, first)
    return first.first { common.contains(artistKey(of: $0)) }?.withoutGuests
  }

  /// Returns the number of the folded form of the artist from ``commonArtist(of:)``; `nil` if there is none. If several
  /// artists are possible, the result does not depend on the order of the members.
  func commonArtistKey(of members: [AlbumCandidate]) -> Int? {
    guard let first = firstArtists(of: members) else { return nil }
    if isShared(first, by: members) { return key(of: first.count == 1 ? first[0] : first.joined(separator: ", ")) }
    return commonKeys(of: members, first).min { text($0) < text($1) }
  }

  private func firstArtists(of members: [AlbumCandidate]) -> [String]? {
    members.first { $0.artist != nil }.map { tracks[$0.index].artists }
  }

  private func isShared(_ artists: [String], by members: [AlbumCandidate]) -> Bool {
    members.allSatisfy { $0.artist == nil || tracks[$0.index].artists == artists }
  }

  private func commonKeys(of members: [AlbumCandidate], _ artists: [String]) -> Set<Int> {
    var common = Set(artists.map { artistKey(of: $0) })
    for member in members where member.artist != nil {
      common.formIntersection(tracks[member.index].artists.map { artistKey(of: $0) })
      if common.isEmpty { break }
    }
    return common
  }
}
