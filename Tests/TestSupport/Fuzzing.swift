// SPDX-License-Identifier: GPL-3.0-or-later

import Platform

/// Runs many test cases on a separate thread, and detects cases that do not end.
public enum FuzzRun {
  /// Returns the number of cases to run: `$SEGUE_FUZZ_CASES`, or `standard` if that is not set.
  public static func count(standard: Int) -> Int {
    Environment.value("SEGUE_FUZZ_CASES").flatMap(Int.init) ?? standard
  }

  /// The seed of the first case: `$SEGUE_FUZZ_SEED`, or 0 if that is not set.
  public static var firstSeed: UInt64 { Environment.value("SEGUE_FUZZ_SEED").flatMap(UInt64.init) ?? 0 }

  /// Runs `body` with `count` seeds. Returns the first failure, or a description of a case that did not end within
  /// `seconds`; `nil` if no case failed.
  ///
  /// A case that does not end continues to run on its thread, because a call into a library cannot be stopped.
  public static func firstFailure(
    count: Int, seconds: Double = 20, _ body: @escaping @Sendable (UInt64) -> String?
  ) throws -> String? {
    let progress = Watched((seed: firstSeed, failure: String?.none, hasEnded: false))
    let worker = try WorkerThread(name: "fuzz") {
      for seed in firstSeed..<(firstSeed + UInt64(count)) {
        progress.change { $0.seed = seed }
        if let failure = body(seed) {
          progress.change { $0.failure = "seed \(seed): \(failure)" }
          break
        }
      }
      progress.change { $0.hasEnded = true }
    }
    while true {
      let seed = progress.value.seed
      guard progress.wait(seconds: seconds, until: { $0.hasEnded || $0.seed != seed }) else {
        return "seed \(seed) does not end within \(seconds) s"
      }
      if progress.value.hasEnded { return withExtendedLifetime(worker) { progress.value.failure } }
    }
  }
}

/// Damages the bytes of files at random, but in the same way for the same seed.
public struct Mutator {
  private var random: SeededGenerator

  /// Creates a mutator whose damage is determined by `seed`.
  public init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  /// Returns `bytes` with one to six kinds of damage.
  ///
  /// - Parameter other: A file from which parts may be inserted.
  public mutating func damaged(_ bytes: [UInt8], other: [UInt8]) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<Int.random(in: 1...6, using: &random) {
      guard bytes.count > 16 else { return bytes }
      damage(&bytes, other)
    }
    // Parsers skip Ogg pages with wrong checksums, so without new checksums they would hardly see the damage.
    if Bool.random(using: &random) { OggChecksums.renew(in: &bytes) }
    return bytes
  }

  /// Returns a random number in this range.
  public mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

  private mutating func damage(_ bytes: inout [UInt8], _ other: [UInt8]) {
    switch number(0...8) {
    case 0:
      for _ in 0...number(0...16) { bytes[randomIndex(in: bytes)] ^= 1 << UInt8(number(0...7)) }
    case 1:
      let range = randomRange(of: bytes, atMost: 64)
      let value = random.next()
      for index in range { bytes[index] = UInt8(truncatingIfNeeded: value) }
    case 2:
      let range = randomRange(of: bytes, atMost: 256)
      bytes.replaceSubrange(range, with: random.bytes(range.count))
    case 3: bytes.removeLast(number(1...(bytes.count - 1)))
    case 4:
      let copy = Array(bytes[randomRange(of: bytes, atMost: 2048)])
      bytes.insert(contentsOf: copy, at: randomIndex(in: bytes))
    case 5: bytes.removeSubrange(randomRange(of: bytes, atMost: 512))
    case 6, 7: setExtreme(in: &bytes)
    default:
      let count = min(number(4...512), other.count, bytes.count)
      bytes.replaceSubrange(..<count, with: other.prefix(count))
    }
  }

  /// Writes an extreme number where a length, a rate or a count may be.
  private mutating func setExtreme(in bytes: inout [UInt8]) {
    let values: [UInt64] = [
      0, 1, 2, 0x7F, 0xFF, 0x7FFF, 0x8000, 0xFFFF, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFF0, 0xFFFF_FFFF,
      0x7FFF_FFFF_FFFF_FFFF, 0x8000_0000_0000_0000, .max,
    ]
    let value = values.randomElement(using: &random) ?? 0
    let width = [1, 2, 4, 8].randomElement(using: &random) ?? 4
    let isBigEndian = Bool.random(using: &random)
    let start = randomIndex(in: bytes)
    for index in 0..<min(width, bytes.count - start) {
      let shift = UInt64(isBigEndian ? width - 1 - index : index) * 8
      bytes[start + index] = UInt8(truncatingIfNeeded: value >> shift)
    }
  }

  /// Returns a random index. Half of the time, it is within the headers.
  private mutating func randomIndex(in bytes: [UInt8]) -> Int {
    number(0...(Bool.random(using: &random) ? min(bytes.count, 200) : bytes.count) - 1)
  }

  private mutating func randomRange(of bytes: [UInt8], atMost limit: Int) -> Range<Int> {
    let start = randomIndex(in: bytes)
    return start..<min(bytes.count, start + number(1...limit))
  }
}

/// Computes the checksums of Ogg pages (RFC 3533, section 6).
public enum OggChecksums {
  private static let table: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index) << 24) { sum, _ in sum & 0x8000_0000 != 0 ? sum << 1 ^ 0x04C1_1DB7 : sum << 1
    }
  }

  /// Corrects the checksum of every page.
  public static func renew(in bytes: inout [UInt8]) {
    guard bytes.starts(with: "OggS".utf8) else { return }
    var start = 0
    while start + 27 <= bytes.count {
      guard bytes[start] == 0x4F, bytes[start + 1] == 0x67, bytes[start + 2] == 0x67, bytes[start + 3] == 0x53
      else {
        start += 1
        continue
      }
      let lengths = bytes[(start + 27)...].prefix(Int(bytes[start + 26]))
      let end = min(bytes.count, start + 27 + lengths.count + lengths.reduce(0) { $0 + Int($1) })
      bytes.replaceSubrange((start + 22)..<(start + 26), with: [0, 0, 0, 0])
      let sum = bytes[start..<end].reduce(UInt32(0)) { $0 << 8 ^ table[Int(UInt8($0 >> 24) ^ $1)] }
      for index in 0..<4 { bytes[start + 22 + index] = UInt8(truncatingIfNeeded: sum >> UInt32(8 * index)) }
      start = end
    }
  }
}

/// A generator of pseudo-random numbers (SplitMix64) that are the same in every run.
public struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  /// Creates a generator of the numbers that `seed` determines.
  public init(seed: UInt64) { state = seed }

  /// Returns the next number.
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }
}

extension SeededGenerator {
  /// Returns this number of random bytes.
  public mutating func bytes(_ count: Int) -> [UInt8] {
    (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) }
  }

  /// Returns random text of letters, wide letters, emoji, combining marks, control characters and other characters that
  /// can break a layout.
  public mutating func hostileText() -> String {
    let pieces = [
      "a", "Blue", " ", "夜曲", "ｶﾅ", "👩‍👩‍👧‍👦", "🇯🇵", "🇯", "e\u{301}", "\u{301}\u{302}", "\u{1B}[2J", "\n", "\t",
      "\u{202E}", "\u{200D}", "\u{AD}", "각", "\u{1100}", "❤\u{FE0F}", "1️⃣", "\0", "\u{9B}", "العربية",
      "\u{FFFD}", "Ａ",
    ]
    return (0..<Int.random(in: 0...40, using: &self)).map { _ in pieces.randomElement(using: &self) ?? "" }
      .joined()
  }
}
