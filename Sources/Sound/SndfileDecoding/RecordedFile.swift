/// A file of which what has been read is kept, so that it can be read once more without touching it.
final class RecordedFile: VirtualFile {
  private static let blockSize = 1 << 14
  /// How many blocks are kept: more than what stands ahead of the sound has in all but absurd files.
  private static let blockLimit = 1 << 10

  private let source: VirtualFile
  private var blocks: [Int64: [UInt8]] = [:]
  /// Whether only what was kept is given, and `source` is left alone.
  var isReplayed = false

  /// The file that `source` is, of which nothing is kept yet.
  init(_ source: VirtualFile) {
    self.source = source
    super.init(length: source.length)
  }

  override func fill(_ buffer: UnsafeMutableRawBufferPointer, at place: Int64) -> Int {
    var filled = 0
    while filled < buffer.count {
      let (number, offset) = (place + Int64(filled)).quotientAndRemainder(dividingBy: Int64(Self.blockSize))
      let piece = block(number).dropFirst(Int(offset)).prefix(buffer.count - filled)
      guard !piece.isEmpty else { break }
      let room = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
      unsafe room.copyBytes(from: piece)
      filled += piece.count
    }
    return filled
  }

  private func block(_ number: Int64) -> [UInt8] {
    if let block = blocks[number] { return block }
    guard !isReplayed else { return [] }
    let source = source
    let place = number * Int64(Self.blockSize)
    let block = unsafe [UInt8](unsafeUninitializedCapacity: Self.blockSize) { buffer, filled in
      filled = unsafe source.fill(UnsafeMutableRawBufferPointer(buffer), at: place)
    }
    if blocks.count < Self.blockLimit { blocks[number] = block }
    return block
  }
}
