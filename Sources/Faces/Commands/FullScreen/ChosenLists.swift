// SPDX-License-Identifier: GPL-3.0-or-later

import LibraryScanning
import MusicModel
import Platform
import PlayerPort
import Playlists
import Screens
import SystemPackage
import Terminal
import UnicodeText

/// The uses of chosen rows that change saved playlists.
extension ChosenCommand {
  /// Changes the saved playlist `name` as the first word says.
  func changeList(_ name: String, _ values: [String], in session: Session) throws {
    let request = LibraryRequest(
      roots: library.roots(in: session), dataDirectory: data.directory(in: session), in: session)
    let lists = session.lists(request)
    // Also if only some of several playlists can be changed.
    defer { session.services.listChanges.note() }
    let remark: String
    switch words.first {
    case "list-add":
      let tracks = try ChosenTracks(values, request, in: session).collection.tracks
      guard !tracks.isEmpty else { throw Self.missing }
      let count = try lists.append(Array(tracks), to: name)
      remark = "added \(ItemCount.text(tracks.count, "track")): \(name) now has \(count)"
    case "list-remove":
      let chosen = Self.positions(values)
      try change(name, lists, chosen) { entries, positions in
        entries = entries.enumerated().filter { !positions.contains($0.offset) }.map(\.element)
      }
      remark = "removed \(ItemCount.text(chosen.count, "track")) from \(name)"
    case "list-move":
      guard let target = values.first.flatMap({ Int($0) }) else { throw Self.missing }
      let chosen = Self.positions(Array(values.dropFirst()))
      try change(name, lists, chosen) { entries, positions in
        let moved = positions.sorted().map { entries[$0] }
        entries = entries.enumerated().filter { !positions.contains($0.offset) }.map(\.element)
        entries.insert(contentsOf: moved, at: max(0, min(target, entries.count)))
      }
      remark = ""
    case "list-rename":
      guard let newName = values.first else { throw Self.missing }
      _ = try SavedLists.convertingErrors { () throws(PlaylistError) in try lists.directory.rename(name, to: newName) }
      remark = "renamed \(name) to \(newName)"
    default:
      for (number, name) in ([name] + values).enumerated() {
        do throws(PlayerError) {
          try SavedLists.convertingErrors { () throws(PlaylistError) in try lists.directory.remove(name) }
        } catch {
          guard number > 0 else { throw error }
          let deleted = ItemCount.text(number, "playlist")
          throw PlayerError(error.status, "\(error.message) (deleted \(deleted) before it)")
        }
      }
      remark = values.isEmpty ? "deleted playlist \(name)" : "deleted \(values.count + 1) playlists"
    }
    if !remark.isEmpty { session.printRemark(remark.safeForTerminal) }
  }

  /// Returns the positions and paths of which `values` consists, in pairs.
  private static func positions(_ values: [String]) -> [(number: Int, path: FilePath)] {
    stride(from: 0, to: values.count - 1, by: 2).compactMap { index in
      Int(values[index]).map { ($0, FilePath(typed: values[index + 1])) }
    }
  }

  /// Changes the entries of a playlist, if the chosen ones are still at their positions.
  private func change(
    _ name: String, _ lists: SavedLists, _ chosen: [(number: Int, path: FilePath)],
    _ body: (inout [PlaylistEntry], Set<Int>) -> Void
  ) throws {
    let (playlist, paths) = try lists.entries(of: name)
    // An entry may stand for several tracks, or for none; positions after it are those of other tracks.
    let isSame = chosen.allSatisfy { number, path in
      paths.indices.contains(number) && paths[number] == path && !paths[...number].contains(nil)
    }
    var isDone = false
    try SavedLists.convertingErrors { () throws(PlaylistError) in
      try lists.directory.change(name) { entries in
        guard isSame, !chosen.isEmpty, entries == playlist.entries else { return false }
        body(&entries, Set(chosen.map(\.number)))
        isDone = true
        return true
      }
    }
    guard isDone else {
      throw PlayerError(
        .failure, "\(name) has changed, or has entries that are not single tracks: edit its file instead")
    }
  }
}
