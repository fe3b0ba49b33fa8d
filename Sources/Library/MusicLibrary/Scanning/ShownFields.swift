import MusicModel

/// What grouping may make of a track that its tags do not say.
struct ShownFields: Sendable, Equatable {
  let title: String
  let number: Ordinal?
  let disc: Ordinal?

  init(title: String, number: Ordinal?, disc: Ordinal?) {
    self.title = title
    self.number = number
    self.disc = disc
  }

  /// Those of a track as it is shown.
  init(_ shown: Track) {
    title = shown.title
    number = shown.number
    disc = shown.disc
  }
}
