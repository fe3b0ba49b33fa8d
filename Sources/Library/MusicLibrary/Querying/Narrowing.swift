/// What is known of the tracks that answer a query without reading them: they are within ``ids``, or outside.
struct Narrowing {
  var ids: TrackSet
  /// Whether they are those that ``ids`` has not.
  var isComplement: Bool
  /// Whether all of these answer it.
  var isExact: Bool

  /// All tracks, of which any may answer.
  static let unknown = Narrowing(ids: TrackSet(), isComplement: true, isExact: false)
  /// All tracks, and all of them answer.
  static let everything = Narrowing(ids: TrackSet(), isComplement: true, isExact: true)

  /// Whether it tells no track from another.
  var isUnknown: Bool { isComplement && !isExact && ids.isEmpty }

  /// Whether a track is not excluded.
  func contains(_ track: Int64) -> Bool { ids.contains(track) != isComplement }

  /// What is known of those that do not answer.
  var negation: Narrowing {
    isExact ? Narrowing(ids: ids, isComplement: !isComplement, isExact: true) : .unknown
  }

  mutating func formIntersection(_ other: Narrowing) {
    isExact = isExact && other.isExact
    switch (isComplement, other.isComplement) {
    case (false, false): ids.formIntersection(other.ids)
    case (false, true): ids.subtract(other.ids)
    case (true, true): ids.formUnion(other.ids)
    case (true, false):
      var result = other.ids
      result.subtract(ids)
      ids = result
      isComplement = false
    }
  }

  mutating func formUnion(_ other: Narrowing) {
    let bothExact = isExact && other.isExact
    isComplement.toggle()
    isExact = true
    formIntersection(Narrowing(ids: other.ids, isComplement: !other.isComplement, isExact: true))
    isComplement.toggle()
    isExact = bothExact
  }
}
