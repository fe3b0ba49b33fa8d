// SPDX-License-Identifier: GPL-3.0-or-later

import Flux
import LibraryIndex
import LibraryScanning
package import MusicModel
import Platform
import PlayerFlow
package import SystemPackage
import Tagging
import UnicodeText

/// The requests that find music. They never scan a library, except for a stored queue without a player.
extension LocalPlayer {
  /// How long to wait until playback has started or failed, in milliseconds: a server may take a while to answer.
  private static let startTimeout: UInt64 = 10_000

  /// The tracks that a request means.
  struct FoundMusic {
    var collection = TrackCollection(title: "", tracks: [])
    /// The index of the track to start with.
    var start = 0
    var problems: [String] = []
    var matches: [MusicMatch] = []
  }

  /// Returns the library that `choice` means.
  func library(_ choice: LibraryChoice?) -> LibraryRequest {
    let own = parts.library
    let roots = choice?.roots.flatMap { LibraryRoots($0.map(\.path)) } ?? own.roots
    let dataDirectory = choice?.dataDirectory?.path ?? own.dataDirectory
    // The directory of the player may be relative.
    let isOwn =
      LibraryChoice(roots: roots, dataDirectory: dataDirectory)
      == LibraryChoice(roots: own.roots, dataDirectory: own.dataDirectory)
    return isOwn
      ? own
      : LibraryRequest(
        roots: roots, dataDirectory: dataDirectory, ignoredPatterns: own.ignoredPatterns, playlists: own.playlists)
  }

  /// Returns the index of the library that `choice` means. Creates it if there is none.
  func index(_ choice: LibraryChoice?) throws(PlayerError) -> any BrowsableLibrary {
    let request = library(choice)
    if request == parts.library, let open = openLibrary { return open.index }
    return try otherLibrary.index(request, open: parts.access.open)
  }

  /// Returns the index of the library that `choice` means; `nil` if there is none, or it cannot be read.
  func presentIndex(_ choice: LibraryChoice?) -> (any BrowsableLibrary)? {
    let request = library(choice)
    if request == parts.library, let open = openLibrary { return open.index }
    return otherLibrary.presentIndex(request, open: parts.access.openPresent)
  }

  /// Begins to update the library that `choice` means from the disk.
  func scan(_ choice: LibraryChoice?) throws(PlayerError) {
    if library(choice) == parts.library, let open = openLibrary { return open.actions.scan() }
    try otherLibrary.scan(library(choice), try index(choice)) { [publisher] in publisher.report($0.description) }
  }

  func finder(_ choice: LibraryChoice?) -> CollectionFinder {
    let (request, access, open) = (library(choice), parts.access, openLibrary)
    let known = request == parts.library ? open : nil
    let source = IndexSource(
      request, language: access.language, scans: !isRunning,
      awaitScan: { known?.store.awaitScan() },
      openPresent: { [otherLibrary] in known?.index ?? otherLibrary.presentIndex($0, open: access.openPresent) },
      open: { [otherLibrary] request throws(PlayerError) in
        if let known { known.index } else { try otherLibrary.index(request, open: access.open) }
      })
    return CollectionFinder(
      library: source, scanner: access.scanner.ignoring(request.ignoredPatterns), listing: parts.listing,
      playlists: parts.playlists)
  }

  // MARK: Playing and adding

  func play(_ music: MusicRequest, _ options: PlaybackOptions) throws(PlayerError) -> PlayerReply {
    try check(options)
    let found = try find(music, adds: false)
    guard !found.collection.tracks.isEmpty else { throw .missing }
    try found.collection.check(isNotWrittenTo: outputFile)
    apply(options)
    let problemNumber = parts.playback.state.problems.last?.number ?? 0
    let replacesOthers = !parts.queue.queue.items.isEmpty
    let resumedAt = resumedSeconds(of: found.collection.tracks[found.start])
    parts.actions.enqueue(found.collection, item: found.start)
    parts.actions.awaitDelivery()
    SeenListing.replaced()
    let tracks = found.collection.tracks
    let started = StartedTrack(
      track: TrackRow(tracks[found.start]), index: found.start, count: tracks.count, title: found.collection.title,
      replacesOthers: replacesOthers, resumedAt: resumedAt, matches: found.matches)
    var reply = done(.playing(started), warnings: found.problems)
    if options.waitsForStart {
      reply.warnings += try awaitStart(of: found.collection.title, after: problemNumber, reply.warnings)
    }
    return reply
  }

  /// Waits until the player has started something, or has failed to; then the request fails, too. `problemNumber` is
  /// the number of the last problem before. Returns the tracks that were skipped, one line each.
  private func awaitStart(
    of title: String, after problemNumber: Int, _ warnings: [String]
  ) throws(PlayerError) -> [String] {
    let isKnown = Latch()
    let subscription = parts.playback.observe { state in
      if !state.hasRequest || state.phase != .playing || state.connectionFailure != nil { isKnown.open() }
    }
    _ = isKnown.wait(until: MonotonicInstant.now.advanced(byMilliseconds: Self.startTimeout))
    subscription.cancel()
    let state = parts.playback.state
    let skipped = state.problems.filter { $0.number > problemNumber && $0.isSkipped }.map { "skipped \($0.error)" }
    if let failure = state.connectionFailure {
      throw PlayerError(
        .nothingPlayable, "\(title): \(PlaybackNotices.connectsAgain(failure))", warnings: warnings + skipped)
    }
    if state.unplayableError != nil {
      throw PlayerError(.nothingPlayable, "nothing in \(title) could be played", warnings: warnings + skipped)
    }
    return skipped
  }

  func add(_ music: MusicRequest, at point: InsertionPoint) throws(PlayerError) -> PlayerReply {
    let found = try find(music, adds: true)
    try found.collection.check(isNotWrittenTo: outputFile)
    let tracks = found.collection.tracks
    guard !tracks.isEmpty else { throw .missing }
    var start = 0
    let (before, after) = try edit { queue throws(PlayerError) in
      let point = try point.resolved(in: queue)
      start =
        switch point {
        case .end: queue.items.count
        case .next: queue.currentPosition.map { $0 + 1 } ?? 0
        case .position(let position): position
        }
      parts.actions.add(found.collection, at: point)
    }
    let added = AddedMusic(
      count: tracks.count, title: found.collection.title,
      positions: after.range(of: tracks, from: start, since: before),
      firstItem: after.firstItem(of: tracks, since: before)?.id.rawValue, matches: found.matches)
    return PlayerReply(.added(added), warnings: found.problems)
  }

  static func reading<Value>(_ body: () throws(LibraryError) -> Value) throws(PlayerError) -> Value {
    do throws(LibraryError) { return try body() } catch { throw PlayerError(error) }
  }
}

extension CollectionFinder.Found {
  /// Only the track to start with, without the rest of the collection.
  package var onlyTrack: Self {
    let track = collection.tracks[item]
    return Self(
      collection: TrackCollection(title: track.title, tracks: [track]), item: 0, problems: problems)
  }
}

extension PlayQueue {
  /// Returns the positions, counted from 0, at which an edit of the queue `before` has added `tracks`. They are `start`
  /// or later. Returns `nil` if the tracks are no longer next to each other, because someone else has edited the queue
  /// in the meantime.
  func range(of tracks: TrackList, from start: Int, since before: PlayQueue) -> Range<Int>? {
    guard let ends = tracks.first.map({ ($0.path, tracks[tracks.count - 1].path) }) else { return nil }
    for first in max(0, start)..<max(0, start, items.count - tracks.count + 1) {
      let last = first + tracks.count - 1
      let isNew = [first, last].allSatisfy { before.position(of: items.id(at: $0)) == nil }
      if isNew, (items[first].track.path, items[last].track.path) == ends { return first..<last + 1 }
    }
    return nil
  }
}

extension PlayQueue {
  /// Throws an error if the queue is empty, or if writing audio to the file `output` would overwrite one of its tracks.
  package func check(isNotWrittenTo output: FilePath?) throws(PlayerError) {
    guard !items.isEmpty else { throw .emptyQueue }
    if output != nil {
      try TrackCollection(title: title, tracks: items.map(\.track)).check(isNotWrittenTo: output)
    }
  }
}

extension TrackCollection {
  /// Throws an error if writing audio to the file `output` would overwrite one of the tracks.
  package func check(isNotWrittenTo output: FilePath?) throws(PlayerError) {
    // Only a regular file can be overwritten.
    guard let output, let target = try? FileStatus(of: output), target.kind == .regular else { return }
    for track in tracks where (try? FileStatus(of: track.path))?.identity == target.identity {
      throw PlayerError(
        .usage, "\(output) is one of the tracks to play: choose another output file")
    }
  }
}

extension LibraryStore {
  /// The maximum time in milliseconds to wait until the first scan begins.
  private static var beginTimeout: UInt64 { 1_000 }

  /// Waits until the first scan of the library has ended, if it begins soon.
  func awaitScan() {
    let (hasBegun, hasEnded) = (Latch(), Latch())
    let subscription = observe { state in
      if state.scanCount > 0 { hasBegun.open() }
      if state.scanCount > 0, !state.isBusy { hasEnded.open() }
    }
    defer { subscription.cancel() }
    if hasBegun.wait(until: .now.advanced(byMilliseconds: Self.beginTimeout)) { hasEnded.wait() }
  }
}
