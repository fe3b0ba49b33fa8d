// SPDX-License-Identifier: GPL-3.0-or-later

import MusicModel

/// The pages that are stored in the database, with their numbers. A page is identified by its object identity; it is
/// retained, so that no other page can get the same identity.
struct PageRegistry {
  private struct Entry {
    let page: QueuePage
    let number: Int64
  }

  private var entries: [ObjectIdentifier: Entry] = [:]
  /// The numbers of stored pages that nothing refers to.
  private var orphans: [Int64] = []
  private var last: Int64 = 0
  /// The number of pages that were added since the last clean-up.
  private var freshCount = 0

  /// Returns the number of `page`; `nil` if it is not stored.
  func number(of page: QueuePage) -> Int64? { entries[ObjectIdentifier(page)]?.number }

  var next: Int64 { last + 1 }

  /// Whether it is worthwhile to look for unused pages: there are orphans, or many pages were added since the last
  /// clean-up.
  var needsCleanUp: Bool { !orphans.isEmpty || freshCount > 64 && freshCount > entries.count / 3 }

  /// Records that `page` is stored under `number`.
  mutating func add(_ page: QueuePage, as number: Int64) {
    entries[ObjectIdentifier(page)] = Entry(page: page, number: number)
    last = max(last, number)
    freshCount += 1
  }

  /// Records that the page stored under `number` is an orphan: nothing refers to it.
  mutating func addOrphan(_ number: Int64) {
    orphans.append(number)
    last = max(last, number)
  }

  /// Returns the numbers of stored pages that neither `queue` nor its history needs.
  func unused(in queue: StoredQueue) -> [Int64] {
    var needed = Set<ObjectIdentifier>(minimumCapacity: entries.count)
    for contents in [queue.contents] + (queue.undoable + queue.redoable).map(\.contents) {
      for page in contents.items { needed.insert(ObjectIdentifier(page)) }
      for page in contents.order ?? [] { needed.insert(ObjectIdentifier(page)) }
    }
    for page in queue.tracks.values { needed.insert(ObjectIdentifier(page)) }
    return orphans + entries.lazy.filter { !needed.contains($0.key) }.map(\.value.number)
  }

  /// Records that these pages are no longer stored, and restarts the count of added pages.
  mutating func remove(_ numbers: [Int64]) {
    let removed = Set(numbers)
    entries = entries.filter { !removed.contains($0.value.number) }
    orphans.removeAll { removed.contains($0) }
    freshCount = 0
  }
}

/// Encodes page numbers as bytes: each as its difference from the previous one, with variable length.
///
/// The difference is zigzag-encoded, with its sign in the lowest bit, and written in groups of 7 bits, lowest first.
/// All groups except the last have the highest bit set.
enum PageNumbers {
  /// Returns the encoded form of `numbers`.
  static func bytes(_ numbers: some Sequence<Int64>) -> [UInt8] {
    var bytes: [UInt8] = []
    var last: Int64 = 0
    for number in numbers {
      let distance = number &- last
      var rest = UInt64(bitPattern: distance &<< 1 ^ distance &>> 63)
      while rest > 0x7F {
        bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
        rest >>= 7
      }
      bytes.append(UInt8(truncatingIfNeeded: rest))
      last = number
    }
    return bytes
  }

  /// Returns the numbers that `bytes` encode; `nil` if they are not valid.
  static func numbers(_ bytes: some Sequence<UInt8>) -> [Int64]? {
    var numbers: [Int64] = []
    var last: Int64 = 0
    var value: UInt64 = 0
    var shift: UInt64 = 0
    for byte in bytes {
      guard shift < 64 else { return nil }
      value |= UInt64(byte & 0x7F) << shift
      shift += 7
      guard byte & 0x80 == 0 else { continue }
      last = last &+ (Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1))
      numbers.append(last)
      (value, shift) = (0, 0)
    }
    return shift == 0 ? numbers : nil
  }
}

/// A checksum that detects damaged pages. It works like FNV, but on eight bytes at a time.
enum PageSum {
  static func sum(_ bytes: [UInt8]) -> Int64 {
    unsafe bytes.withUnsafeBytes { buffer in
      var sum = 0xCBF2_9CE4_8422_2325 ^ UInt64(buffer.count)
      var offset = 0
      while offset &+ 8 <= buffer.count {
        mix(&sum, unsafe UInt64(littleEndian: buffer.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
        offset &+= 8
      }
      while offset < buffer.count {
        mix(&sum, UInt64(unsafe buffer[offset]))
        offset &+= 1
      }
      return Int64(bitPattern: sum)
    }
  }

  private static func mix(_ sum: inout UInt64, _ value: UInt64) {
    sum = (sum ^ value) &* 0x0000_0100_0000_01B3
    sum ^= sum >> 29
  }
}
