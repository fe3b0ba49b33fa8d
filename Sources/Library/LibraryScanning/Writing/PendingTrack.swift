// SPDX-License-Identifier: GPL-3.0-or-later

import LibraryIndex
import MusicModel
import Platform
import Tagging

/// A track that has been read and is waiting to be written.
struct PendingTrack {
  let id: Int64
  let directory: Int64
  let name: [UInt8]
  let state: FileState
  let added: Int64
  let record: TrackRecord
  /// A hash of what a cue sheet says about the track's file; 0 if no sheet names the file.
  let sheet: Int64
  /// The former place of the track in an album; `nil` if there is none.
  var former: FormerTrack?

  /// The column `sound`: what identifies the sound of the file; 0 if that is not known.
  var sound: Int64 { record.fingerprint?.value ?? 0 }

  /// The duration in milliseconds; `nil` if unknown.
  var duration: Int64? { record.track.duration.map { Int64(clamping: $0.wholeMilliseconds) } }

  /// Binds the values of the track's row, in the order of ``TrackRows/columns``. The fields in `shown` replace those of
  /// the tags.
  func bind(
    to values: some ColumnValues, library: Int64, shown: ShownFields,
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
    values.bind(placement?.index)
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
    values.bind(sound)
  }
}

/// A ``PendingTrack`` with the results of grouping. This is a class because copying it takes time.
final class NewTrack {
  let row: PendingTrack
  /// The values derived from the track's album; `nil` if it is grouped later and was in no album.
  let prepared: PreparedTrack?
  /// The album of the track and the index in it; `nil` if the track is grouped later and was in no album.
  let placement: TrackRows.Placement?
  /// Whether the album follows from the track's current tags.
  let isGrouped: Bool

  var id: Int64 { row.id }

  /// Creates a track that has been assigned to an album.
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

  /// Binds the values of the track's row.
  func bind(to values: some ColumnValues, library: Int64) {
    row.bind(
      to: values, library: library, shown: prepared?.shown ?? ShownFields(row.record.track),
      placement: placement, isGrouped: isGrouped)
  }
}
