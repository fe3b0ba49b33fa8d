// SPDX-License-Identifier: GPL-3.0-or-later

/// Bytes that are read in sequence: a FLAC block, or an Ogg packet across its pages.
protocol SequentialBytes {
  /// Returns the next `count` bytes.
  ///
  /// - Throws: ``UnusualFileError`` if there are fewer.
  mutating func read(_ count: Int, of file: inout TagFile) throws(UnusualFileError) -> ArraySlice<UInt8>

  /// Skips the next `count` bytes. Throws like ``read(_:of:)``.
  mutating func skip(_ count: Int, of file: inout TagFile) throws(UnusualFileError)
}

/// Reads Vorbis comments (https://www.xiph.org/vorbis/doc/v-comment.html).
extension FastTags {
  private static let keyLimit = 64
  private static let commentLimit = 16 * 1024
  private static let countLimit = 1_000

  /// Adds the comments in `source`, except pictures. Does not throw if there are none.
  mutating func readComments(_ source: inout some SequentialBytes, of file: inout TagFile) throws(UnusualFileError) {
    let vendorLength = try source.read(4, of: &file).littleEndian32(at: 0)
    try source.skip(vendorLength, of: &file)
    let count = try source.read(4, of: &file).littleEndian32(at: 0)
    guard count <= Self.countLimit else { throw UnusualFileError() }
    for _ in 0..<count {
      let length = try source.read(4, of: &file).littleEndian32(at: 0)
      try readComment(&source, length: length, of: &file)
    }
    sort()
  }

  private mutating func readComment(
    _ source: inout some SequentialBytes, length: Int, of file: inout TagFile
  ) throws(UnusualFileError) {
    let start = try source.read(min(length, Self.keyLimit), of: &file)
    guard let separator = start.firstIndex(of: UInt8(ascii: "=")), separator > start.startIndex else {
      throw UnusualFileError()
    }
    let key = start[..<separator]
    guard key.allSatisfy({ (0x20...0x7D).contains($0) }) else { throw UnusualFileError() }
    let name = String(decoding: key, as: UTF8.self).uppercased()
    if name == "METADATA_BLOCK_PICTURE" || name == "COVERART" {
      return try source.skip(length - start.count, of: &file)
    }
    guard length <= Self.commentLimit else { throw UnusualFileError() }
    var bytes = start[(separator + 1)...]
    if length > start.count { bytes = bytes + (try source.read(length - start.count, of: &file)) }
    guard !bytes.contains(0), let value = String(validating: bytes, as: UTF8.self) else { throw UnusualFileError() }
    add(name, value)
  }
}
