// SPDX-License-Identifier: GPL-3.0-or-later

import LibraryIndex
import LibraryScanning
package import MusicModel
import Platform
import SystemPackage
import Tagging
import UnicodeText

/// The words of a command that names music without quotation marks.
extension CollectionFinder {
  /// Returns the tracks to which `words` refer: ALBUM, ALBUM TRACK, or either of them as several words.
  ///
  /// An album that is named exactly, with the number or the whole title of one of its tracks, comes first; then all
  /// words together as an album, a query or a title; then an album that is named in part, with a track.
  ///
  /// Blocks while files are read.
  package func find(words: [String]) throws(PlayerError) -> Found {
    guard words.count > 1 else { return try find(album: words.first ?? "", track: nil) }
    let whole = words.joined(separator: " ")
    let splits = (1..<words.count).reversed().map { count in
      (album: words[..<count].joined(separator: " "), track: words[count...].joined(separator: " "))
    }
    // What is wrong with the track, or with the choice, of an album that is named exactly.
    var failure: PlayerError?
    for (album, track) in splits {
      do throws(PlayerError) {
        if let found = try findExactly(album, track) { return found }
      } catch {
        failure = failure ?? error
      }
    }
    if let found = try match(whole, nil) { return found }
    for (album, track) in splits {
      do throws(PlayerError) { return try find(album: album, track: track, isThorough: false) } catch {
        if words.count == 2, error.ambiguousText == track { failure = failure ?? error }
      }
    }
    if let failure { throw failure }
    do throws(PlayerError) { return try find(album: whole, track: nil) } catch {
      guard words.count == 2, error.status == .notFound else { throw error }
      do throws(PlayerError) { return try find(album: words[0], track: words[1]) } catch let ofAlbum {
        // If there is no such album either, the words belong together.
        throw ofAlbum.status == .notFound && (try? find(album: words[0], track: nil)) == nil ? error : ofAlbum
      }
    }
  }

  /// Returns the album or the track that `words` name exactly if they are one title; `nil` if they are not.
  package func findTitle(_ words: [String]) throws(PlayerError) -> Found? {
    guard words.count > 1, !words.contains(where: Self.isLocation) else {
      return nil
    }
    let whole = words.joined(separator: " ")
    if case .found(let name) = try library.album(named: whole), name.isNamed(whole) {
      return try find(album: whole, track: nil, isThorough: false)
    }
    let tracks = try library.tracks(titled: whole)
    guard tracks.count == 1, tracks[0].title.foldedForMatching == whole.foldedForMatching else { return nil }
    return Found(collection: TrackCollection(title: tracks[0].title, tracks: tracks), item: 0, problems: [])
  }

  /// Returns the single track to which `words` refer: by its title, as a path, or as an album and a track.
  ///
  /// - Throws: `PlayerError` if there is none, or if several tracks could be meant.
  package func track(_ words: [String]) throws(PlayerError) -> Track {
    let whole = words.joined(separator: " ")
    let isListed = words.count == 1 ? try reference(whole) != nil : false
    if Self.explicitPath(whole) == nil, !isListed {
      let tracks = try library.tracks(titled: whole).filter { $0.title.foldedForMatching == whole.foldedForMatching }
      if tracks.count == 1 { return tracks[0] }
      if tracks.count > 1 {
        throw PlayerError(
          .ambiguous, "\"\(whole.brief)\" is the title of \(tracks.count) tracks: use one of the listed queries",
          choices: tracks.map(\.candidateText), ambiguousText: whole, answers: tracks.map(\.distinguishingQuery))
      }
    }
    let found = try find(words: words)
    let tracks = found.collection.tracks
    if found.isTrack || tracks.count == 1 { return tracks[found.item] }
    throw PlayerError(
      .ambiguous,
      "\"\(whole.brief)\" means \(ItemCount.text(tracks.count, "track")): add the number or the title of one of them",
      choices: tracks.map { $0.numberPrefix + $0.title }, ambiguousText: whole,
      answers: tracks.map(\.distinguishingQuery))
  }

  /// Returns the tracks of the playlist `name`, starting at the one to which `track` refers, or at the first.
  ///
  /// - Parameter name: The name of a saved playlist, its number in the last listing, or the path of a file.
  package func find(playlist name: String, track: String?) throws(PlayerError) -> Found {
    let lists = SavedLists(library.roots, chosen: playlists, index: library.openIndex, probe: scanner.probe)
    let loaded = try lists.load(listing?.playlistName(name, in: lists.directory) ?? name)
    let problems = loaded.problems.compactMap(\.problem)
    guard !loaded.collection.tracks.isEmpty else {
      throw PlayerError(
        .nothingPlayable, "nothing in \(loaded.collection.title) can be played", warnings: problems.map { "\($0)" })
    }
    return Found(
      collection: loaded.collection, item: try item(track, in: loaded.collection, isPlaylist: true), problems: problems)
  }

  /// Returns what `text` finds without updating the index; `nil` if nothing matches.
  private func match(_ text: String, _ track: String?) throws(PlayerError) -> Found? {
    do throws(PlayerError) { return try find(album: text, track: track, isThorough: false) } catch {
      if error.status == .notFound || error.status == .usage { return nil }
      throw error
    }
  }

  /// Returns the track that `track` names exactly in what `album` names exactly; `nil` if there is no such album.
  ///
  /// - Throws: `PlayerError` if there is no such track, or if there are several such albums.
  private func findExactly(_ album: String, _ track: String) throws(PlayerError) -> Found? {
    var found: Found?
    if Self.isLocation(album) {
      found = try match(album, nil)
    } else if try reference(album) != nil {
      found = try find(album: album, track: nil, isThorough: false)
    } else {
      switch try library.album(named: album) {
      case .found(let name): if name.isNamed(album) { found = try match(album, nil) }
      case .ambiguous(let names): if names.allSatisfy({ $0.isNamed(album) }) { throw try ambiguity(album, names) }
      case .none:
        if let tracks = try? library.tracks(answering: album), !tracks.isEmpty {
          found = Found(collection: TrackCollection(title: album, tracks: tracks), item: 0, problems: [])
        }
      }
    }
    guard let found else { return nil }
    let index = try item(track, in: found.collection)
    let title = found.collection.tracks[index].title.foldedForMatching
    let isExact = track.utf8.allSatisfy { $0 == 0x2D || (0x30...0x39).contains($0) } || title == track.foldedForMatching
    guard isExact else { return nil }
    return Found(collection: found.collection, item: index, problems: found.problems, isTrack: true)
  }
}

extension AlbumName {
  /// Whether `text` is the whole title of the album, with or without its artist.
  fileprivate func isNamed(_ text: String) -> Bool {
    [title, self.text].contains { $0.foldedForMatching == text.foldedForMatching }
  }
}
