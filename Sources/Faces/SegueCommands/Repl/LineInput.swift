/// What was typed and not asked for yet.
struct LineInput {
  /// How many bytes are read at once: what is typed behind a line may be for a command that reads keys itself.
  static let piece = 1

  private var decoder = ScalarDecoder()
  private var scalars: [Unicode.Scalar] = []

  /// Adds `bytes` that were typed.
  mutating func take(_ bytes: [UInt8]) {
    for byte in bytes { scalars += decoder.take(byte) }
  }

  /// The next character, if it is complete.
  mutating func next() -> Unicode.Scalar? { scalars.isEmpty ? nil : scalars.removeFirst() }
}
