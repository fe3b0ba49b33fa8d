public import AudioCore

/// Interleaved integer samples, and how to compare them.
public enum PCM {
  /// The samples that little-endian `bytes` of `depth` hold.
  public static func samples(_ bytes: some Sequence<UInt8>, depth: SampleDepth) -> [Int32] {
    let bytes = Array(bytes)
    let width = depth.byteCount
    return stride(from: 0, through: bytes.count - width, by: width).map { start in
      var value: UInt32 = 0
      for index in (0..<width).reversed() { value = value << 8 | UInt32(bytes[start + index]) }
      let unused = UInt32(32 - depth.rawValue)
      return Int32(bitPattern: value << unused) >> Int32(unused)
    }
  }

  /// Where `heard` first differs from `expected`, in words, or `nil` where they are equal.
  public static func firstDifference<Sample: Numeric & Comparable>(
    _ heard: [Sample], _ expected: [Sample], channels: Int, tolerance: Sample = 0
  ) -> String? {
    for (index, (left, right)) in zip(heard, expected).enumerated() {
      let distance = left > right ? left - right : right - left
      if !(distance <= tolerance) {
        return "frame \(index / channels), channel \(index % channels): \(left) instead of \(right)"
      }
    }
    guard heard.count != expected.count else { return nil }
    return "\(heard.count / channels) frames instead of \(expected.count / channels)"
  }
}
