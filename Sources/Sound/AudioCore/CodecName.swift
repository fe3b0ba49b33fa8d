// SPDX-License-Identifier: GPL-3.0-or-later

/// The short name of a codec, such as "FLAC" or "AAC", in storage of a fixed size.
public struct CodecName: Sendable, Hashable, BitwiseCopyable, CustomStringConvertible {
  private var bytes = SIMD32<UInt8>()

  /// Creates the name without an explanation in parentheses, such as that in "AAC (Advanced Audio Coding)", and without
  /// what is longer than 32 bytes; returns `nil` if it is empty or not in ASCII.
  public init?(_ text: String) {
    let name = text.firstRange(of: " (").map { text[..<$0.lowerBound] } ?? text[...]
    guard !name.isEmpty, name.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) else { return nil }
    for (index, byte) in zip(bytes.indices, name.utf8) { bytes[index] = byte }
  }

  /// The name.
  public var description: String {
    String(decoding: bytes.indices.map { bytes[$0] }.prefix { $0 != 0 }, as: UTF8.self)
  }
}
