// SPDX-License-Identifier: GPL-3.0-or-later

/// The numbers that iTunes stores under the name `iTunSMPB`: hexadecimal numbers, of which the second is the delay of
/// the encoder, the third the padding at the end, and the fourth the length of the recording.
public struct ITunesGapless: Equatable, Sendable {
  /// The number of frames before the recording.
  public let delay: Int64
  /// The number of frames after the recording.
  public let padding: Int64
  /// The number of frames of the recording.
  public let count: Int64

  private static let delayLimit: Int64 = 1 << 20
  private static let countLimit: Int64 = 1 << 40

  private init(delay: Int64, padding: Int64, count: Int64) {
    self.delay = delay
    self.padding = padding
    self.count = count
  }

  /// Reads the numbers; returns `nil` if they are not in this form.
  public init?(_ text: String) {
    let numbers = text.split(separator: " ").prefix(4).map { Int64($0, radix: 16) }
    guard numbers.count == 4, let delay = numbers[1], let padding = numbers[2], let count = numbers[3],
      (0..<Self.delayLimit).contains(delay), (0..<Self.delayLimit).contains(padding),
      (1..<Self.countLimit).contains(count)
    else { return nil }
    self.init(delay: delay, padding: padding, count: count)
  }

  private var sum: Int64 { delay + padding + count }

  /// Returns the numbers in frames of the decoded audio; `nil` if they contradict `decodedCount`, the number of frames
  /// that the file decodes to.
  ///
  /// For HE-AAC, the numbers are in units of the core coding, which has half as many samples.
  public func scaled(toFit decodedCount: Int64?) -> ITunesGapless? {
    let tolerance: Int64 = 4_096
    guard let scale = [1, 2].first(where: { abs(sum * $0 - (decodedCount ?? sum)) <= tolerance }) else { return nil }
    return ITunesGapless(delay: delay * scale, padding: padding * scale, count: count * scale)
  }

  /// Returns where the recording is in an MP3 that decodes to `decodedCount` frames, `frameLength` of which are in an
  /// MPEG frame. Returns `nil` if the numbers are not about these MPEG frames, or if the file contains more of them.
  public func recording(inMP3Of decodedCount: Int64, frameLength: Int64) -> (start: Int64, count: Int64)? {
    let decoderDelay: Int64 = 529
    let start = delay + decoderDelay
    guard frameLength > 0, sum % frameLength == 0, sum >= decodedCount - 2 * frameLength, start < decodedCount else {
      return nil
    }
    // The file may lack its end.
    return (start, sum <= decodedCount ? min(count, decodedCount - start) : count)
  }
}

/// The comment in an ID3v2 tag in which iTunes stores its numbers.
public enum ITunesComment {
  private static let name = "iTunSMPB"
  private static let frameLimit = 1_000
  private static let commentLimit: Int64 = 1_024
  /// The maximum size of a tag that is read as a whole, in bytes.
  private static let wholeLimit: Int64 = 1 << 24

  /// Returns the text of the comment in the ID3v2 tag at the beginning of a file; `nil` if there is none.
  public static func text(_ readFile: FormatSignature.Read) -> String? {
    let head = readFile(0, 10)
    guard head.count == 10, head.starts(with: "ID3".utf8), (2...4).contains(head[3]) else { return nil }
    let (version, flags) = (head[3], head[5])
    let size = number(head[6...], bits: 7)
    if version < 4, flags & 0x80 != 0 {
      // Zeros were inserted after bytes of eight ones.
      var previous: UInt8 = 0
      let body = readFile(10, Int(min(size, wholeLimit))).filter { byte in
        defer { previous = byte }
        return previous != 0xFF || byte != 0
      }
      let whole = head + body
      return text(version, flags, to: Int64(whole.count)) { offset, count in
        offset < whole.count ? Array(whole[Int(offset)...].prefix(count)) : []
      }
    }
    return text(version, flags, to: size + 10, readFile)
  }

  private static func text(_ version: UInt8, _ flags: UInt8, to end: Int64, _ read: FormatSignature.Read) -> String? {
    var offset: Int64 = 10
    if version > 2, flags & 0x40 != 0 {
      // The extended header, whose length contains its own bytes in version 4 only.
      let length = read(offset, 4)
      offset += version == 4 ? number(length[...], bits: 7) : number(length[...], bits: 8) + 4
    }
    let headLength = version == 2 ? 6 : 10
    let isFrame = { (bytes: [UInt8]) in
      bytes.count == headLength
        && bytes.prefix(3).allSatisfy { (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) }
    }
    for _ in 0..<frameLimit where offset < end {
      let head = read(offset, headLength)
      guard isFrame(head) else { return nil }
      offset += Int64(headLength)
      var size = number(head[(version == 2 ? 3 : 4)...].prefix(version == 2 ? 3 : 4), bits: 8)
      if version == 4 {
        // iTunes writes sizes of version 3.
        let synchsafe = number(head[4..<8], bits: 7)
        let isPlain =
          head[4..<8].contains { $0 > 0x7F }
          || !isFrame(read(offset + synchsafe, 10)) && isFrame(read(offset + size, 10))
        if !isPlain { size = synchsafe }
      }
      let id = String(decoding: head.prefix(version == 2 ? 3 : 4), as: UTF8.self)
      if ["COMM", "COM", "TXXX", "TXX"].contains(id), let text = text(read(offset, Int(min(size, commentLimit)))) {
        return text
      }
      offset += size
    }
    return nil
  }

  /// Returns the text of a comment whose description is the name, in whatever encoding.
  private static func text(_ content: [UInt8]) -> String? {
    let text = String(decoding: content.filter { (0x20..<0x7F).contains($0) }, as: UTF8.self)
    // A language and a few bytes of a frame with extensions may precede the description.
    let prefixLimit = 16
    guard let range = text.firstRange(of: name), text[..<range.lowerBound].utf8.count <= prefixLimit else { return nil }
    return String(text[range.upperBound...])
  }

  private static func number(_ bytes: ArraySlice<UInt8>, bits: Int64) -> Int64 {
    bytes.prefix(4).reduce(0) { $0 << bits | Int64($1) & (1 << bits - 1) }
  }
}
