import MusicModel
import SystemPackage

/// A track that is grouped with others: one that was just read, or one that the index holds.
///
/// A class, since a track takes its time to be copied.
final class GroupMember {
  /// What the index holds of it, beyond what it is grouped by.
  struct Stored {
    /// The album that it was in.
    var album: Int64?
    /// Its place there.
    var place: Int?
    /// Whether it is in the album that its tags put it in.
    var isGrouped: Bool
    /// The track as it is shown: with what grouping worked out.
    var shown: Track
  }

  let id: Int64
  let track: Track
  let added: Int64
  /// In milliseconds.
  let duration: Int64?
  /// `nil` for one that was just read.
  let stored: Stored?
  /// The album that it was in.
  let formerAlbum: Int64?
  /// Which of the pending tracks it is.
  let pending: Int?

  init(
    id: Int64, track: Track, added: Int64, duration: Int64?, stored: Stored?, formerAlbum: Int64?,
    pending: Int?
  ) {
    self.id = id
    self.track = track
    self.added = added
    self.duration = duration
    self.stored = stored
    self.formerAlbum = formerAlbum
    self.pending = pending
  }
}
