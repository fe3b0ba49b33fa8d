/// A picture that clients are told, chunk by chunk.
struct Picture: Sendable {
  /// The most bytes that one may have.
  static let sizeLimit = 32 << 20

  let bytes: [UInt8]
  /// The format that it says of itself; `nil` where it is not told.
  let type: String?

  /// Adds the chunk from `offset` on, of at most `limit` bytes; says whether it was the last.
  func add(from offset: Int, limit: Int, to response: inout Response) throws(ProtocolError) -> Bool {
    guard offset <= bytes.count else { throw ProtocolError(.argument, "Offset too large") }
    response.add("size", bytes.count)
    if let type, !type.isEmpty { response.add("type", type) }
    let chunk = bytes[offset...].prefix(limit)
    response.add(binary: chunk)
    return chunk.endIndex == bytes.count
  }
}
