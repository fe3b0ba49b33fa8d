/// What options say of how to write; `nil` for what they do not mention.
struct MannerWish: Equatable, Sendable {
  var colour: ColourChoice?
  var isPlain: Bool?
  var verbosity: Verbosity?

  /// This wish, and of what it does not mention, what `other` says: a line of the REPL comes before the options that it
  /// began with.
  func before(_ other: MannerWish) -> MannerWish {
    MannerWish(
      colour: colour ?? other.colour, isPlain: isPlain ?? other.isPlain,
      verbosity: verbosity ?? other.verbosity)
  }
}
