/// The first page of an Opus stream (RFC 7845, section 5.1).
enum OpusHead {
  /// What is to stand in the first page, which begins at `start`, so that libsndfile decodes at 48 kHz; nothing where
  /// it is the page of another stream.
  ///
  /// libsndfile decodes at the rate that the sound is said to have had before it was encoded, and leaves out all that
  /// is above half of it. Opus has no rate but 48 kHz.
  static func patches(_ bytes: inout ByteWindow, at start: Int64) -> [BufferedFile.Patch] {
    guard let header = OggPage(&bytes, at: start) else { return [] }
    var page = Array(bytes.read(at: start, count: Int(header.length)))
    let body = Int(header.bodyOffset)
    guard page.count == header.length, page.count >= body + 19, page[body...].starts(with: "OpusHead".utf8) else {
      return []
    }
    let rate: [UInt8] = [0x80, 0xBB, 0, 0]
    page.replaceSubrange((body + 12)..<(body + 16), with: rate)
    return [
      BufferedFile.Patch(place: 22, bytes: OggPage.checksum(of: page)),
      BufferedFile.Patch(place: Int64(body + 12), bytes: rate),
    ]
  }
}
