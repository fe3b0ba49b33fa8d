// SPDX-License-Identifier: GPL-3.0-or-later

import LibraryIndex
import MusicModel
import Platform

/// A track that was read and is to be written.
struct PendingTrack {
  let id: Int64
  let directory: Int64
  let name: [UInt8]
  let state: FileState
  let added: Int64
  let record: TrackRecord
  /// Identifies what a cue sheet says about its file; 0 for nothing.
  let sheet: Int64
  /// The track that it was before, or `nil` for a new track.
  var former: FormerTrack?

  /// The duration in milliseconds.
  var duration: Int64? { record.track.duration.map { Int64(clamping: $0.wholeMilliseconds) } }

  /// Binds the values of its row, shown in this way, in the order of ``TrackRows/columns``.
  func bind(
    to values: inout some ColumnValues & ~Copyable, library: Int64, shown: ShownFields,
    placement: TrackRows.Placement?, isGrouped: Bool
  ) {
    let track = record.track
    values.bind(id)
    values.bind(library)
    values.bind(directory)
    values.bind(name)
    values.bind(state.size)
    values.bind(state.modificationTime)
    values.bind(state.inode)
    values.bind(state.device)
    values.bind(added)
    values.bind(isGrouped)
    values.bind(record.groupKey)
    values.bind(track.musicBrainzAlbumID)
    values.bind(placement?.album)
    values.bind(placement?.place)
    values.bind(shown.title)
    values.bind(record.titleWords(of: shown))
    values.bind(record.titleSort(of: shown))
    values.bind(track.artists.asColumn)
    values.bind(track.album)
    values.bind(track.albumArtists.asColumn)
    values.bind(track.genres.asColumn)
    values.bind(track.composers.asColumn)
    values.bind(shown.number?.number)
    values.bind(shown.number?.total)
    values.bind(shown.disc?.number)
    values.bind(shown.disc?.total)
    values.bind(DerivedFields(of: shown, from: track).rawValue)
    values.bind(track.date?.year)
    values.bind(track.date?.month)
    values.bind(track.date?.day)
    values.bind(track.isCompilation)
    values.bind(track.sortNames.title)
    values.bind(track.sortNames.artist)
    values.bind(track.sortNames.album)
    values.bind(track.sortNames.albumArtist)
    values.bind(track.replayGain.trackGain)
    values.bind(track.replayGain.trackPeak)
    values.bind(track.replayGain.albumGain)
    values.bind(track.replayGain.albumPeak)
    values.bind(duration)
    values.bind(track.audio?.sampleRate)
    values.bind(track.audio?.channels)
    values.bind(track.audio?.bitDepth)
    values.bind(record.format)
    values.bind(record.tags)
    values.bind(track.segment?.start ?? -1)
    values.bind(track.segment?.end)
    values.bind(sheet)
  }
}

/// A ``PendingTrack`` with the results of grouping. It is a class because copying it takes time.
final class NewTrack {
  let row: PendingTrack
  /// The values derived from its album, or `nil` if it is grouped later and was in no album.
  let prepared: PreparedTrack?
  /// Its album and index there, or `nil` if it is grouped later and was in no album.
  let placement: TrackRows.Placement?
  /// Whether its current tags put it into that album.
  let isGrouped: Bool

  var id: Int64 { row.id }

  /// Creates a track in its album.
  init(_ row: PendingTrack, _ prepared: PreparedTrack, _ placement: TrackRows.Placement) {
    self.row = row
    self.prepared = prepared
    self.placement = placement
    isGrouped = true
  }

  /// Creates a track that is grouped later. Until then, it stays in the album that it was in, if any.
  init(postponed row: PendingTrack) {
    self.row = row
    prepared = row.former.map { PreparedTrack(row.record, in: $0) }
    placement = row.former?.placement
    isGrouped = false
  }

  /// Binds the values of its row.
  func bind(to binding: inout ParameterBinding, library: Int64) {
    row.bind(
      to: &binding, library: library, shown: prepared?.shown ?? ShownFields(row.record.track),
      placement: placement, isGrouped: isGrouped)
  }
}
