// SPDX-License-Identifier: GPL-3.0-or-later

import MusicModel
import Platform
import SystemPackage
import Tagging

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
