/// What a line begins with.
struct LineKey: Sendable {
  /// The most bytes that it has.
  static let limit = 32

  /// The key, a colon and a space; what follows counts for nothing. All are written at once, which takes no longer than
  /// to write one.
  let bytes: SIMD32<UInt8>
  /// How many of them there are.
  let count: Int

  /// A line of this key; what is above ``limit`` is left out.
  init(_ key: String) {
    var bytes = SIMD32<UInt8>()
    let text = "\(key): ".utf8.prefix(Self.limit)
    for (index, byte) in text.enumerated() { bytes[index] = byte }
    self.bytes = bytes
    count = text.count
  }
}
