// SPDX-License-Identifier: GPL-3.0-or-later

import MusicModel
import Platform
import SystemPackage
import Tagging

/// The directory of an album: the one that contains its files or, if that is one disc of several, the one above it.
struct AlbumDirectory: Sendable {
  /// The path that identifies the album. It need not exist: "The Wall CD1" gives "The Wall".
  let path: FilePath
  /// The title for an album without a title tag.
  let name: String
  /// The disc number in the name of the files' directory; `nil` if there is none.
  let disc: Int?

  init(_ path: FilePath) {
    let bytes = path.systemBytes
    let last = bytes.lastIndex(of: UInt8(ascii: "/")).map { bytes[($0 + 1)...] } ?? bytes[...]
    let name = String(decoding: last, as: UTF8.self)
    guard !name.isEmpty, let suffix = DiscSuffix(directory: name) else {
      // Names that are not valid UTF-8 are displayed in another form.
      let isText = !name.isEmpty && name.utf8.elementsEqual(last)
      self.init(path: path, name: isText ? name : path.shownName, disc: nil)
      return
    }
    let parent = path.removingLastComponent()
    let albumPath = suffix.base.isEmpty ? parent : parent.appending(suffix.base)
    self.init(path: albumPath, name: albumPath.shownName, disc: suffix.number)
  }

  private init(path: FilePath, name: String?, disc: Int?) {
    self.path = path
    self.disc = disc
    self.name = name ?? "Untitled"
  }
}

/// A disc number at the end of a name: "CD1", "Disc 2 - Live", "The Wall (Disc 1)", "The Wall CD 2", "The Wall (Disc 2:
/// Live)".
struct DiscSuffix: Sendable, Hashable {
  /// The part of the name before the disc number; "" if there is nothing else.
  let base: String
  /// The disc number, from 1 to 99.
  let number: Int

  /// Finds the disc number at the end of a directory's name. The title of the disc may follow it.
  init?(directory name: String) {
    self.init(name, isTitle: false)
  }

  /// Finds the disc number at the end of an album title, separated by a bracket, a comma or a dash: "The Wall (Disc
  /// 1)".
  init?(title: String) {
    self.init(title, isTitle: true)
    if base.isEmpty { return nil }
  }

  private init?(_ name: String, isTitle: Bool) {
    guard name.utf8.contains(where: { (0x30...0x39).contains($0) }) else { return nil }
    // The words are ASCII, and so are most names, so this works on bytes: a cut next to an ASCII character never
    // splits another character.
    let bytes = Array(name.utf8)
    for start in bytes.indices {
      guard let length = Self.wordLength(bytes, at: start) else { continue }
      let lower = bytes.map { ($0 >= 0x41 && $0 <= 0x5A) ? $0 | 0x20 : $0 }
      var end = start + length
      while end < lower.count, Self.separators.contains(lower[end]) { end += 1 }
      let digits = lower[end...].prefix { (0x30...0x39).contains($0) }
      guard (1...2).contains(digits.count), let number = Int(String(decoding: digits, as: UTF8.self)),
        number > 0
      else { continue }
      let rest = lower[digits.endIndex...]
      let before = bytes[..<start]
      let base = before.reversed().drop { Self.separators.contains($0) || Self.openings.contains($0) }
      let gap = before.dropFirst(base.count)
      if base.isEmpty {
        guard rest.first.map({ Self.separators.contains($0) || Self.closings.contains($0) }) ?? true else {
          continue
        }
      } else {
        guard !gap.isEmpty, !isTitle || gap.contains(where: { $0 != 0x20 }), Self.isEnd(rest, after: gap)
        else {
          continue
        }
      }
      self.base = String(decoding: base.reversed(), as: UTF8.self)
      self.number = number
      return
    }
    return nil
  }

  /// Whether only brackets follow the number, or the title of the disc: ": Live)" within brackets, or ": Live", " -
  /// Live".
  private static func isEnd(_ rest: ArraySlice<UInt8>, after gap: ArraySlice<UInt8>) -> Bool {
    if rest.allSatisfy({ closings.contains($0) || $0 == 0x20 }) { return true }
    guard let first = rest.first, let last = rest.last else { return true }
    if gap.contains(where: { openings.contains($0) }) {
      return separators.contains(first) && closings.contains(last)
        && !rest.dropLast().contains { closings.contains($0) }
    }
    let title = rest.drop { $0 == 0x20 }
    return title.first.map { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "-") } ?? false
      && title.dropFirst().first == 0x20
  }

  /// Returns the length of the word "disc", "disk" or "cd" at `start`, in upper or lower case, or `nil` if there is
  /// none.
  private static func wordLength(_ bytes: [UInt8], at start: Int) -> Int? {
    func isLetter(_ letter: Unicode.Scalar, at offset: Int) -> Bool {
      let index = start + offset
      return index < bytes.count && bytes[index] | 0x20 == UInt8(ascii: letter)
    }
    if isLetter("c", at: 0) { return isLetter("d", at: 1) ? 2 : nil }
    let isDisc =
      isLetter("d", at: 0) && isLetter("i", at: 1) && isLetter("s", at: 2)
      && (isLetter("c", at: 3) || isLetter("k", at: 3))
    return isDisc ? 4 : nil
  }

  private static let separators = Set(" -_.,:#".utf8)
  private static let openings = Set("([{".utf8)
  private static let closings = Set(")]}".utf8)
}

/// Finds track numbers at the beginning of file names. Such a number counts only if the other files agree.
enum FileNumbers {
  /// Fills in track numbers from file names, on each disc where all files agree: every track has a number, by tag or by
  /// file name; no number occurs twice; and the highest is at most twice the number of tracks.
  static func fill(_ members: inout [AlbumCandidate], source: GroupingSource) {
    guard members.count > 1, members.contains(where: { $0.number == nil }) else { return }
    var names: [Int: FileNameTitle] = [:]
    for index in members.indices where members[index].number == nil {
      // A file name counts only if it is also the title, because the tags contain no other one.
      guard let name = source.numberedName(of: members[index]) else { continue }
      names[index] = name
    }
    guard !names.isEmpty else { return }
    let discs = members.indices.grouped { members[$0].disc ?? names[$0]?.disc ?? 1 }
    for disc in discs {
      var seen: Set<Int> = []
      let areConsistent = disc.members.allSatisfy { index in
        guard let number = members[index].number ?? names[index]?.number else { return false }
        return seen.insert(number).inserted && number <= 2 * disc.members.count
      }
      guard areConsistent, disc.members.count > 1 else { continue }
      for index in disc.members {
        guard let name = names[index] else { continue }
        members[index].number = name.number
        members[index].disc = members[index].disc ?? name.disc
        members[index].isNumberedByName = true
      }
    }
  }
}

extension GroupingSource {
  /// Returns the number and title in the candidate's file name, if that name is also the candidate's title and begins
  /// with a number; otherwise `nil`.
  func numberedName(of candidate: AlbumCandidate) -> FileNameTitle? {
    let title = tracks[candidate.index].title
    guard let first = title.utf8.first, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first),
      title == tracks[candidate.index].path.shownStem
    else { return nil }
    let name = FileNameTitle(title)
    return name.number == nil ? nil : name
  }
}

extension Range<Int> {
  fileprivate func grouped(by key: (Int) -> Int) -> [(key: Int, members: [Int])] {
    Array(self).grouped(by: key)
  }
}
