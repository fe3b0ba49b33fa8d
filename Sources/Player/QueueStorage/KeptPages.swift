import MusicModel

/// The pages that are kept, by their numbers: a page is told from others by identity, and held, so that no other takes
/// its place.
struct PageRegistry {
  private struct Entry {
    let page: QueuePage
    let number: Int64
  }

  private var entries: [ObjectIdentifier: Entry] = [:]
  /// Numbers that nothing names, and that are kept still.
  private var orphans: [Int64] = []
  private var last: Int64 = 0
  /// How many pages were kept since it was tidied.
  private var freshCount = 0

  /// The number that `page` is kept under.
  func number(of page: QueuePage) -> Int64? { entries[ObjectIdentifier(page)]?.number }

  /// The number for the page that is kept next.
  var next: Int64 { last + 1 }

  /// Whether so many pages came since it was tidied that looking for useless ones pays.
  var isUntidy: Bool { !orphans.isEmpty || freshCount > 64 && freshCount > entries.count / 3 }

  /// `page` is kept under `number` now.
  mutating func add(_ page: QueuePage, as number: Int64) {
    entries[ObjectIdentifier(page)] = Entry(page: page, number: number)
    last = max(last, number)
    freshCount += 1
  }

  /// `number` is kept, and nothing names it.
  mutating func addOrphan(_ number: Int64) {
    orphans.append(number)
    last = max(last, number)
  }

  /// The numbers that are kept, and needed neither for `queue` nor for its history.
  func useless(in queue: KeptQueue) -> [Int64] {
    var needed = Set<ObjectIdentifier>(minimumCapacity: entries.count)
    for contents in [queue.contents] + (queue.undoable + queue.redoable).map(\.contents) {
      for page in contents.items { needed.insert(ObjectIdentifier(page)) }
      for page in contents.order ?? [] { needed.insert(ObjectIdentifier(page)) }
    }
    for page in queue.tracks.values { needed.insert(ObjectIdentifier(page)) }
    return orphans + entries.lazy.filter { !needed.contains($0.key) }.map(\.value.number)
  }

  /// These numbers are kept no more; what comes until the next time is counted from here.
  mutating func remove(_ numbers: [Int64]) {
    let gone = Set(numbers)
    entries = entries.filter { !gone.contains($0.value.number) }
    orphans.removeAll { gone.contains($0) }
    freshCount = 0
  }
}

/// Numbers of pages as bytes: each as its distance from the one before, in as few bytes as it takes.
///
/// A distance is taken with its sign in the lowest bit, and stands in groups of 7 bits, the lowest first, of which all
/// but the last have the highest bit set.
enum PageNumbers {
  /// `numbers` as bytes.
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

  /// The numbers that were made `bytes`, or `nil` where none were.
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

/// A number by which damaged bytes are told from those that were written: eight bytes at a time by a multiplication,
/// like FNV.
enum PageSum {
  static func sum(_ bytes: [UInt8]) -> Int64 {
    unsafe bytes.withUnsafeBytes { buffer in
      var sum = 0xCBF2_9CE4_8422_2325 ^ UInt64(buffer.count)
      var place = 0
      while place &+ 8 <= buffer.count {
        mix(&sum, unsafe UInt64(littleEndian: buffer.loadUnaligned(fromByteOffset: place, as: UInt64.self)))
        place &+= 8
      }
      while place < buffer.count {
        mix(&sum, UInt64(unsafe buffer[place]))
        place &+= 1
      }
      return Int64(bitPattern: sum)
    }
  }

  private static func mix(_ sum: inout UInt64, _ value: UInt64) {
    sum = (sum ^ value) &* 0x0000_0100_0000_01B3
    sum ^= sum >> 29
  }
}
