// SPDX-License-Identifier: GPL-3.0-or-later

package import Flux
import LibraryScanning
import MusicModel
import PlayerFlow
import Playlists
import Synchronization
import SystemPackage
import Tagging
import UnicodeText

/// The requests that concern saved playlists.
extension LocalPlayer {
  /// Calls `handle` after each change of a saved playlist, until the subscription is cancelled.
  package func observePlaylists(_ handle: @escaping @Sendable () -> Void) -> Subscription {
    playlistChanges.observe(handle)
  }

  /// Returns access to the saved playlists of the library that `choice` means.
  func playlists(_ choice: LibraryChoice?) -> SavedLists {
    SavedLists(
      library(choice).roots, chosen: parts.playlists, index: try? index(choice), probe: parts.access.scanner.probe)
  }

  func perform(_ request: PlaylistRequest) throws(PlayerError) -> PlayerReply {
    switch request {
    case .list(let choice):
      let directory = playlists(choice).directory
      let all = try SavedLists.convertingErrors { () throws(PlaylistError) in try directory.lists() }
      return PlayerReply(
        .playlists(
          all.map {
            ListedPlaylist(
              name: $0.name, path: PathText($0.path), entryCount: $0.entryCount,
              format: $0.format?.rawValue ?? ListedPlaylist.smart)
          }, directory: PathText(directory.path)))
    case .tracks(let name, let choice, let offset, let limit):
      let lists = playlists(choice)
      let page = try name.withContext { name throws(PlayerError) in
        try lists.page(of: parts.listing.playlistName(name, in: lists.directory), offset: offset, limit: limit)
      }
      return PlayerReply(.playlistTracks(page.tracks, count: page.count))
    case .load(let name, let adds, let choice): return try load(name, adds: adds, choice)
    case .save(let name, let replaces, let choice):
      return try change(choice, "save \(name.text)") { lists throws(PlayerError) in
        try save(name, replaces: replaces, lists)
      }
    case .create(let name, let rules, let replaces, let choice):
      return try create(name, Array(rules.utf8), replaces: replaces, choice)
    case .createExamples(let choice): return try createExamples(choice)
    case .appendItems(let range, let name, let choice):
      let queue = parts.queue.queue
      let tracks = try range.positions(in: queue).flatMap { $0.map { queue.items[$0].track } }
      return try append(tracks, to: name.text, choice)
    case .append(let music, let name):
      let found = try find(music, adds: true)
      guard !found.collection.tracks.isEmpty else { throw .missing }
      return try append(Array(found.collection.tracks), to: name, music.library)
    case .remove(let chosen, let name, let choice):
      let change = "remove \(ItemCount.text(chosen.count, "track")) from \(name)"
      return try self.change(name, chosen, choice, change) { positions, _ in .remove(positions) }
    case .move(let chosen, let target, let name, let choice):
      let change = "move \(ItemCount.text(chosen.count, "track")) in \(name)"
      return try self.change(name, chosen, choice, change) { positions, count in
        .move(positions, to: max(0, min(target, count - positions.count)))
      }
    case .rename(let name, let newName, let choice):
      let name = parts.listing.playlistName(name, in: playlists(choice).directory)
      return try change(choice, "rename \(name) to \(newName)") { lists throws(PlayerError) in
        _ = try SavedLists.convertingErrors { () throws(PlaylistError) in
          try lists.directory.rename(name, to: newName)
        }
        return ChangedPlaylist(name: newName, count: 1)
      }
    case .delete(let names, let choice):
      let change = names.count == 1 ? "delete \(names[0].text)" : "delete \(ItemCount.text(names.count, "playlist"))"
      return try self.change(choice, change) { lists throws(PlayerError) in try delete(names, lists.directory) }
    case .client(let request, let playlists):
      let changes = PlaylistChanges()
      var directory = directory(of: playlists)
      directory.onChange = { changes.add($0) }
      defer { record(changes, request.changeName) }
      try playlistLock.withLock { _ in
        Result { () throws(PlayerError) in
          try SavedLists.convertingErrors { () throws(PlaylistError) in try perform(request, directory) }
        }
      }.get()
      playlistChanges.note()
      return PlayerReply()
    }
  }

  private func directory(of playlists: ClientPlaylists) -> PlaylistDirectory {
    let roots = LibraryRoots(playlists.roots.map(\.path)) ?? parts.library.roots
    let own = openLibrary.flatMap { $0.index.roots == roots ? $0.index.reach : nil }
    return PlaylistDirectory(
      library: roots.first, chosen: playlists.directory?.path,
      reach: playlists.mayLeaveLibrary ? .anywhere : own ?? .library(roots))
  }

  private func perform(_ request: ClientPlaylistRequest, _ directory: PlaylistDirectory) throws(PlaylistError) {
    switch request {
    case .save(let name, let mode):
      let entries = parts.queue.queue.items.map { PlaylistEntry($0.track) }
      switch mode {
      case .create: try directory.save(Playlist(entries: entries), as: name)
      case .append: try directory.edit(name, [.insert(entries, at: nil)])
      case .replace: try directory.edit(name, [.clear, .insert(entries, at: nil)])
      }
    case .add(let music, let name, let position):
      let entries = music.collection.tracks.map { PlaylistEntry($0) }
      do throws(PlaylistError) { try directory.edit(name, [.insert(entries, at: position)]) } catch .noList {
        guard position ?? 0 == 0 else { throw .noPosition(directory.path) }
        if !entries.isEmpty { try directory.save(Playlist(entries: entries), as: name) }
      }
    case .remove(let range, let name): try directory.edit(name, [.remove([range])])
    case .move(let range, let target, let name): try directory.edit(name, [.move([range], to: target)])
    case .clear(let name): try directory.edit(name, [.clear])
    case .rename(let name, let newName):
      if name == newName { throw .exists(newName, try directory.find(name).path) }
      try directory.rename(name, to: newName)
    case .delete(let name): try directory.remove(name)
    }
  }

  /// Changes saved playlists of the library that `choice` means by calling `body`, after all changes that began before.
  /// The change is undone under `name`.
  func change(
    _ choice: LibraryChoice?, _ name: String, _ body: (SavedLists) throws(PlayerError) -> ChangedPlaylist
  ) throws(PlayerError) -> PlayerReply {
    let changes = PlaylistChanges()
    var lists = playlists(choice)
    lists.directory.onChange = { changes.add($0) }
    // If one of several playlists cannot be deleted, those before it are.
    defer { record(changes, name) }
    let result = playlistLock.withLock { _ in Result { () throws(PlayerError) in try body(lists) } }
    playlistChanges.note()
    return PlayerReply(.playlistChanged(try result.get()))
  }

  private func load(_ name: TypedText, _ choice: LibraryChoice?) throws(PlayerError) -> LoadedPlaylist {
    let lists = playlists(choice)
    return try name.withContext { name throws(PlayerError) in
      try lists.load(parts.listing.playlistName(name, in: lists.directory))
    }
  }

  /// Replaces the queue with a playlist, or adds it to the end.
  private func load(_ name: TypedText, adds: Bool, _ choice: LibraryChoice?) throws(PlayerError) -> PlayerReply {
    let loaded = try load(name, choice)
    let collection = loaded.collection
    let problems = loaded.problems.compactMap(\.problem).map { "\($0)" }
    if collection.tracks.isEmpty {
      let lists = playlists(choice)
      let shown = parts.listing.playlistName(name.text, in: lists.directory)
      throw PlayerError(.nothingPlayable, "nothing in \(shown) can be played", warnings: problems)
    }
    try collection.check(isNotWrittenTo: outputFile)
    let (before, after) = try edit { _ throws(PlayerError) in
      if adds { parts.actions.add(collection, at: .end) } else { parts.actions.enqueue(collection, item: nil) }
    }
    if !adds { SeenListing.replaced() }
    var changed = ChangedPlaylist(name: collection.title, count: collection.tracks.count)
    if adds { changed.positions = before.items.count..<max(before.items.count, after.items.count) }
    changed.replacesOthers = !adds && !before.items.isEmpty
    return PlayerReply(.playlistChanged(changed), warnings: problems)
  }

  private func save(_ name: TypedText, replaces: Bool, _ lists: SavedLists) throws(PlayerError) -> ChangedPlaylist {
    let queue = parts.queue.queue
    if queue.items.isEmpty { throw PlayerError(.notFound, "nothing to save: the queue is empty") }
    try name.withContext { name throws(PlayerError) in
      try lists.save(queue.items.map(\.track), as: name, replaces: replaces)
    }
    return ChangedPlaylist(name: name.text, count: queue.items.count)
  }

  private func append(
    _ tracks: [Track], to name: String, _ choice: LibraryChoice?
  ) throws(PlayerError) -> PlayerReply {
    let name = parts.listing.playlistName(name, in: playlists(choice).directory)
    return try change(choice, "append \(ItemCount.text(tracks.count, "track")) to \(name)") {
      lists throws(PlayerError) in
      let total = try lists.append(tracks, to: name)
      return ChangedPlaylist(name: name, count: tracks.count, total: total)
    }
  }

  private func delete(_ names: [TypedText], _ directory: PlaylistDirectory) throws(PlayerError) -> ChangedPlaylist {
    var last = ""
    for (number, name) in names.enumerated() {
      do throws(PlayerError) {
        last = try SavedLists.convertingErrors { () throws(PlaylistError) in
          let name = parts.listing.playlistName(name.text, in: directory)
          let list = try directory.find(name)
          try directory.remove(name)
          return list.name
        }
      } catch {
        guard number > 0 else { throw error }
        throw PlayerError(error.status, "\(error.message) (deleted \(ItemCount.text(number, "playlist")) before it)")
      }
    }
    return ChangedPlaylist(name: last, count: names.count)
  }

  /// Edits a playlist, if the chosen entries are still at their positions.
  ///
  /// - Parameters:
  ///   - change: The name under which the edit is undone.
  ///   - edit: Returns the edit of the entries at positions of a playlist with this number of entries.
  private func change(
    _ name: String, _ chosen: [PlaylistPosition], _ choice: LibraryChoice?, _ change: String,
    _ edit: ([Range<Int>], Int) -> PlaylistEdit
  ) throws(PlayerError) -> PlayerReply {
    try self.change(choice, change) { lists throws(PlayerError) in
      let (playlist, paths) = try lists.entries(of: name)
      // An entry may stand for several tracks, or for none; positions after it are those of other tracks.
      let isSame = chosen.allSatisfy { position in
        let number = position.number
        return paths.indices.contains(number) && paths[number] == position.path.path && !paths[...number].contains(nil)
      }
      do throws(PlaylistError) {
        guard isSame, !chosen.isEmpty else { throw .changed(lists.directory.path) }
        let positions = Set(chosen.map(\.number)).sorted().map { $0..<($0 + 1) }
        try lists.directory.edit(
          name, [edit(positions, playlist.entries.count)], expecting: playlist.entries)
      } catch .changed {
        throw PlayerError(
          .failure, "\(name) has changed, or has entries that are not single tracks: edit its file instead")
      } catch {
        throw PlayerError(error)
      }
      return ChangedPlaylist(name: name, count: chosen.count)
    }
  }
}
