public import AudioCore

/// Interleaved integer samples, and how to compare them.
public enum PCM {
  /// The samples that little-endian `bytes` of `depth` hold.
  public static func samples(_ bytes: some Sequence<UInt8>, depth: SampleDepth) -> [Int32] {
    let bytes = Array(bytes)
    let width = depth.byteCount
    let unused = UInt32(32 - depth.rawValue)
    // Plain loops: without optimisation, a closure or a range for each sample takes ten times as long.
    var samples = [Int32](repeating: 0, count: bytes.count / width)
    var start = 0
    for number in samples.indices {
      var value: UInt32 = 0
      var index = start + width
      while index > start {
        index -= 1
        value = value << 8 | UInt32(bytes[index])
      }
      samples[number] = Int32(bitPattern: value << unused) >> Int32(unused)
      start += width
    }
    return samples
  }

  /// Where `heard` first differs from `expected`, in words, or `nil` where they are equal.
  public static func firstDifference<Sample: Numeric & Comparable>(
    _ heard: [Sample], _ expected: [Sample], channels: Int, tolerance: Sample = 0
  ) -> String? {
    let count = min(heard.count, expected.count)
    var index = 0
    while index < count {
      let (left, right) = (heard[index], expected[index])
      let distance = left > right ? left - right : right - left
      if !(distance <= tolerance) {
        return "frame \(index / channels), channel \(index % channels): \(left) instead of \(right)"
      }
      index += 1
    }
    guard heard.count != expected.count else { return nil }
    return "\(heard.count / channels) frames instead of \(expected.count / channels)"
  }
}
