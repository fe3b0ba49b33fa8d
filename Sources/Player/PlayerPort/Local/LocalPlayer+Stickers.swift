// SPDX-License-Identifier: GPL-3.0-or-later

import LibraryIndex
import LibraryScanning
import MusicModel
import Platform
import PlayerFlow
import Playlists
import SystemPackage

/// The stickers that clients of the MPD protocol attach to tracks and playlists.
extension LocalPlayer {
  /// Changes the rating of a track of the player's library, that of its album, or whether it is liked, by its sticker
  /// `name`. It is announced, and can be undone, like what the user notes.
  func change(_ name: String, of track: Int64, _ change: StickerChange) throws(PlayerError) {
    let index = try index(nil)
    let (before, after, song) = try Self.reading { () throws(LibraryError) in
      let before = try index.sticker(name, of: track)
      switch change {
      case .set(let value): try index.setSticker(name, to: value, of: track)
      case .add(let number, let initial): try index.change(name, of: .track(track), by: number, initial: initial)
      }
      let song = try index.browse(isQuick: true) { try $0.tracks([track]).first?.track } ?? nil
      return (before, try index.sticker(name, of: track), song)
    }
    let rating = ChangeJournal.Rating(track: track, name: name, before: before, after: after)
    let mark = TrackMark(sticker: name, value: after)
    journal.add(mark.change(of: 1), .ratings([rating], nil), at: parts.queue.queue.stepCount)
    publisher.add(.rating(of: 1, mark, first: song))
  }

  /// Lets the stickers of playlists follow these changes of their files: to another name, or away with a deleted one.
  ///
  /// - Parameter removed: The stickers that a playlist gets that exists again, by the names of playlists.
  /// - Returns: The stickers that were removed.
  func moveStickers(
    _ changes: [PlaylistChange], restoring removed: [String: [Sticker]] = [:]
  ) -> [String: [Sticker]] {
    guard let index = presentIndex(nil) else { return [:] }
    var taken: [String: [Sticker]] = [:]
    do throws(LibraryError) {
      for change in changes {
        switch change {
        case .moved(let former, let present):
          guard let former = former.stem, let present = present.stem, former != present else { continue }
          try index.set(index.takeStickers(ofPlaylist: former), ofPlaylist: present)
        case .contents(let path, .some, nil):
          guard let name = path.stem else { continue }
          taken[name] = try index.takeStickers(ofPlaylist: name)
        case .contents(let path, nil, .some):
          if let name = path.stem, let stickers = removed[name] { try index.set(stickers, ofPlaylist: name) }
        case .contents, .irreversible: break
        }
      }
    } catch {
      publisher.report("the stickers of a playlist have not followed it: \(error)")
    }
    return taken
  }
}

extension StickerRepository {
  /// Removes the stickers of a playlist, and returns them.
  fileprivate func takeStickers(ofPlaylist name: String) throws(LibraryError) -> [Sticker] {
    let playlist = StickeredObject.other(type: "playlist", name: name)
    let found = try stickers(of: playlist)
    if !found.isEmpty { _ = try removeSticker(nil, of: playlist) }
    return found
  }

  fileprivate func set(_ stickers: [Sticker], ofPlaylist name: String) throws(LibraryError) {
    for sticker in stickers { try set(sticker, of: .other(type: "playlist", name: name)) }
  }
}
