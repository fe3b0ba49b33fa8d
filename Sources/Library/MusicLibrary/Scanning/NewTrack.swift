/// A ``PendingTrack``, with what grouping made of it. A class, since it takes its time to be copied.
final class NewTrack {
  let row: PendingTrack
  /// What its album makes of it; `nil` where it is grouped later.
  let prepared: PreparedTrack?
  /// `nil` where it is grouped later, and was in no album.
  let placement: TrackRows.Placement?
  /// Whether that is what its present tags say.
  let isGrouped: Bool

  var id: Int64 { row.id }

  /// A track in its album.
  init(_ row: PendingTrack, _ prepared: PreparedTrack, _ placement: TrackRows.Placement) {
    self.row = row
    self.prepared = prepared
    self.placement = placement
    isGrouped = true
  }

  /// A track that is grouped later: until then it stays in the album that it was in, if any.
  init(postponed row: PendingTrack) {
    self.row = row
    prepared = row.former.map { PreparedTrack(row.record, in: $0) }
    placement = row.former?.placement
    isGrouped = false
  }

  /// Binds the values of its row.
  func bind(to binding: inout StatementBinding, library: Int64) {
    row.bind(
      to: &binding, library: library, shown: prepared?.shown ?? ShownFields(row.record.track),
      placement: placement, isGrouped: isGrouped)
  }
}
