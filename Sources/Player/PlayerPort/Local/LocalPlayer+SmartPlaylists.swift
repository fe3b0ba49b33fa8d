// SPDX-License-Identifier: GPL-3.0-or-later

import LibraryScanning
import MusicModel
import PlayerFlow
import Playlists
import SystemPackage

/// The requests that create smart playlists.
extension LocalPlayer {
  /// Creates a smart playlist, and returns its number of tracks.
  ///
  /// - Throws: `PlayerError` if the rules are invalid, or if the playlist exists or cannot be written.
  func create(
    _ name: String, _ rules: [UInt8], replaces: Bool, _ choice: LibraryChoice?
  ) throws(PlayerError) -> PlayerReply {
    try SavedLists.convertingErrors { () throws(PlaylistError) in
      // What the dates of the query are relative to does not matter here.
      guard let today = ReleaseDate(year: 2000) else { return }
      _ = try SmartPlaylistFile.playlist(in: rules, of: FilePath("\(name).toml"), today: today)
    }
    let index = try index(choice)
    return try change(choice, "create \(name)") { lists throws(PlayerError) in
      let created = try SavedLists.convertingErrors { () throws(PlaylistError) in
        try lists.directory.save(rules: rules, as: name, replaces: replaces)
      }
      let tracks = try Self.reading { () throws(LibraryError) in try index.trackIDs(ofSmartPlaylist: created.name) }
      return ChangedPlaylist(name: created.name, count: tracks.count)
    }
  }

  /// Creates the example playlists whose names are free, and returns their names and number.
  func createExamples(_ choice: LibraryChoice?) throws(PlayerError) -> PlayerReply {
    try change(choice, "create playlists") { lists throws(PlayerError) in
      let created = try SavedLists.convertingErrors { () throws(PlaylistError) in
        let present = Set(try lists.directory.lists(countsEntries: false).map { $0.name.lowercased() })
        var created: [String] = []
        for (name, rules) in SmartPlaylistExamples.all where !present.contains(name.lowercased()) {
          try lists.directory.save(rules: Array(rules.utf8), as: name, replaces: false)
          created.append(name)
        }
        return created
      }
      return ChangedPlaylist(name: created.joined(separator: ", "), count: created.count)
    }
  }
}
