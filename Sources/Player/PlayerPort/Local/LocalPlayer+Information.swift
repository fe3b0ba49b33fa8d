// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import CueSheets
import LibraryIndex
import LibraryScanning
import MusicModel
import Platform
import PlayerFlow
import SystemPackage
import Tagging

/// Everything that is known of a track.
extension LocalPlayer {
  /// The maximum size of a picture, in bytes.
  private static let pictureLimit = 16 << 20
  /// The maximum number of tracks with the same title, album and artist that are examined.
  private static let namesakeLimit = 200
  /// The maximum number of positions in the queue that are reported.
  private static let positionLimit = 100

  /// Returns what is known of a track. Blocks while its file and the index are read.
  ///
  /// - Throws: `PlayerError` if there is no such track, or if several tracks could be meant.
  func information(of name: NamedTrack, _ choice: LibraryChoice?) throws(PlayerError) -> TrackInformation {
    let named = try track(name, choice)
    let queue = parts.queue.queue
    let index = presentIndex(choice)
    var (track, tags, problems) = (named, [TrackInformation.Value](), [String]())
    let isStream = StreamAddress(named.path) != nil
    let known = isStream ? nil : index.flatMap { Self.known(named, in: $0) }
    if let indexed = known?.track { track = indexed }
    if !isStream {
      do throws(LibraryProblem) {
        let reader = TagReader(probe: parts.access.scanner.probe)
        tags = try reader.comments(at: track.path).map { TrackInformation.Value($0.name, $0.value) }
        if known == nil, track.segment == nil { track = try reader.track(at: track.path) }
      } catch {
        problems.append("\(error)")
      }
    }
    let state = parts.playback.state
    let isPlaying =
      state.phase != .stopped && queue.current.map { Self.isSame($0.track, track) } == true
    var information = TrackInformation(
      track: TrackRow(track), format: isStream ? nil : TagReader.formatName(of: track.path),
      byteCount: isStream ? nil : (try? FileStatus(of: track.path))?.size, sortNames: track.sortNameValues,
      musicBrainz: track.musicBrainzValues, gain: TrackInformation.Gain(track.replayGain.validated),
      appliedGain: isPlaying && state.replayGain.mode != .off ? state.gain.description : nil, tags: tags,
      known: known?.facts, positions: Self.positions(of: track, in: queue), hasLyricTimes: false, problems: problems)
    if !isStream { findCoverAndLyrics(of: track.path, &information) }
    let chapters = isPlaying ? state.chapters : []
    information.chapters =
      chapters.isEmpty ? fileChapters(of: track) : chapters.indices.map { ListedChapter(chapters, $0) }
    return information
  }

  /// Returns the chapters of the file of a track, unless they belong to other tracks, too.
  private func fileChapters(of track: Track) -> [ListedChapter] {
    guard StreamAddress(track.path) == nil, track.segment == nil, track.range == nil else { return [] }
    let probe = parts.access.scanner.probe
    let listed = TagReader(probe: probe).chapters(at: track.path)
    // TagLib does not read those of MP4 and Matroska.
    let chapters = listed.isEmpty ? probe?(track.path)?.chapters ?? [] : listed
    return chapters.enumerated().map { index, chapter in
      ListedChapter(number: index + 1, start: Double(chapter.start) / 1_000, title: chapter.title)
    }
  }

  private func findCoverAndLyrics(of path: FilePath, _ information: inout TrackInformation) {
    if let picture = parts.access.covers.embeddedPicture(of: path, limit: Self.pictureLimit) {
      information.cover = .tag(picture.mimeType.isEmpty ? "picture" : picture.mimeType)
    } else if let file = CoverFile(in: path.removingLastComponent(), reach: .anywhere, limit: Self.pictureLimit) {
      information.cover = .file(PathText(file.path))
    }
    do throws(LyricsProblem) {
      guard let found = try Lyrics.find(of: path, reach: .anywhere) else { return }
      information.hasLyricTimes = found.lyrics.isSynced
      information.lyrics =
        switch found.origin {
        case .file(let path): .file(PathText(path))
        case .tag(let name): .tag(name)
        }
    } catch {
      information.problems.append(error.description)
    }
  }

  // MARK: The track

  private func track(_ name: NamedTrack, _ choice: LibraryChoice?) throws(PlayerError) -> Track {
    let queue = parts.queue.queue
    switch name {
    case .current:
      guard let current = queue.current else {
        throw PlayerError(
          .nothingPlayable, "there is no current track: name one, as in `segue info TITLE`")
      }
      return current.track
    case .item(let id):
      guard let position = queue.position(of: PlayQueue.Item.ID(rawValue: id)) else { throw .missing }
      return queue.items[position].track
    case .track(let id): return try only(.track(id), choice)
    case .file(let path): return try only(.file(path), choice)
    case .album(let id): return try only(.album(id), choice)
    case .typed(let words):
      let finder = finder(choice)
      return try words.inContext { words throws(PlayerError) in try finder.track(words) }
    }
  }

  private func only(_ row: MusicRequest.MusicRow, _ choice: LibraryChoice?) throws(PlayerError) -> Track {
    guard let track = try collection(row, choice).tracks.first else { throw .missing }
    return track
  }

  private static func isSame(_ one: Track, _ other: Track) -> Bool {
    one.path == other.path && one.segment == other.segment
  }

  private static func positions(of track: Track, in queue: PlayQueue) -> [Int] {
    var positions: [Int] = []
    for (position, item) in queue.items.enumerated() where isSame(item.track, track) {
      positions.append(position)
      if positions.count == positionLimit { break }
    }
    return positions
  }

  /// Returns what a library knows of a track; `nil` if the track is not in the library, or if the index cannot be read.
  private static func known(
    _ track: Track, in index: any BrowsableLibrary
  ) -> (track: Track?, facts: TrackInformation.Known)? {
    let found = try? index.browse(isQuick: true) { browser in
      try index.roots.relative(track.path).flatMap { try browser.id(of: track, at: $0) }
        .map { (id: $0, track: try browser.tracks([$0]).first?.track) }
    }
    guard let found = (found ?? nil) ?? nil else { return nil }
    let stickers = (try? index.stickers(of: found.id)) ?? []
    let value = { (name: String) in stickers.first { $0.name == name }.flatMap { Int64($0.value) } }
    let own = [
      Sticker.rating, Sticker.albumRating, Sticker.like, Sticker.playCount, Sticker.lastPlayed, Sticker.skipCount,
      Sticker.lastSkipped, Sticker.elapsed,
    ]
    let namesakes = found.track.flatMap { track in
      try? index.tracks(track.namesakeQuery, order: LibraryOrder(), window: .init(limit: namesakeLimit))
    }
    let facts = TrackInformation.Known(
      id: found.id, added: namesakes?.elements.first { $0.id == found.id }?.added,
      rating: value(Sticker.rating).map { Int(clamping: $0) },
      albumRating: value(Sticker.albumRating).map { Int(clamping: $0) },
      playCount: value(Sticker.playCount).map { Int(clamping: $0) } ?? 0, lastPlayed: value(Sticker.lastPlayed),
      skipCount: value(Sticker.skipCount).map { Int(clamping: $0) } ?? 0, lastSkipped: value(Sticker.lastSkipped),
      elapsed: value(Sticker.elapsed).flatMap { $0 > 0 ? Double($0) : nil },
      isLiked: value(Sticker.like).flatMap { $0 == 1 ? nil : $0 == 2 },
      otherStickers: stickers.filter { !own.contains($0.name) }.map { TrackInformation.Value($0.name, $0.value) })
    return (found.track, facts)
  }
}

extension TrackInformation.Gain {
  fileprivate init(_ tags: ReplayGainTags) {
    self.init(
      track: tags.trackGain, album: tags.albumGain, trackPeak: tags.trackPeak, albumPeak: tags.albumPeak)
  }
}

extension Track {
  fileprivate var sortNameValues: [TrackInformation.Value] {
    [
      ("title", sortNames.title), ("artist", sortNames.artist), ("album", sortNames.album),
      ("album artist", sortNames.albumArtist),
    ].compactMap { name, text in text.map { TrackInformation.Value(name, $0) } }
  }

  fileprivate var musicBrainzValues: [TrackInformation.Value] {
    let kinds: [(String, AdditionalTags.Kind)] = [
      ("recording", .musicBrainzTrackID), ("track", .musicBrainzReleaseTrackID), ("artist", .musicBrainzArtistID),
      ("album artist", .musicBrainzAlbumArtistID), ("release group", .musicBrainzReleaseGroupID),
      ("work", .musicBrainzWorkID),
    ]
    let release = musicBrainzAlbumID.map { [TrackInformation.Value("release", $0)] } ?? []
    return release
      + kinds.flatMap { name, kind in additionalTags[kind].map { TrackInformation.Value(name, $0) } }
  }
}
