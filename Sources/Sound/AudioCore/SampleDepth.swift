/// How many bits a sample has where it is an integer: signed, little-endian, packed.
public enum SampleDepth: Int, Sendable, Hashable, Comparable, CaseIterable, BitwiseCopyable {
  /// 16 bits.
  case bits16 = 16
  /// 24 bits in three bytes.
  case bits24 = 24
  /// 32 bits.
  case bits32 = 32

  /// Bytes a sample.
  public var byteCount: Int { rawValue / 8 }

  /// Fewer bits come first.
  public static func < (left: SampleDepth, right: SampleDepth) -> Bool { left.rawValue < right.rawValue }
}
