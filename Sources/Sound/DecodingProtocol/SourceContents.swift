// SPDX-License-Identifier: GPL-3.0-or-later

/// The names that the audio states at some frame, in its own encoding; empty if it states none.
public struct SourceNames: Equatable, Sendable {
  /// The name of the station, in a stream.
  public var station: [UInt8]
  /// The title of what a stream plays.
  public var title: [UInt8]
  /// The artists of what a stream plays.
  public var artists: [[UInt8]]
  /// The title of the album of what a stream plays.
  public var album: [UInt8]

  /// The maximum length of a name, in bytes.
  private static let lengthLimit = 240
  private static let artistLimit = 4

  public init(
    station: [UInt8] = [], title: [UInt8] = [], artists: [[UInt8]] = [], album: [UInt8] = []
  ) {
    self.station = station
    self.title = title
    self.artists = artists
    self.album = album
  }

  /// The names as bytes; long names are cut, and further artists are left out.
  public var bytes: [UInt8] {
    let names = [station, title, album] + artists.prefix(Self.artistLimit)
    return Array(names.map(Self.cut).joined(separator: [0]))
  }

  fileprivate static func cut(_ name: [UInt8]) -> ArraySlice<UInt8> {
    let name = name.filter { $0 != 0 }
    var end = min(name.count, lengthLimit)
    // A character of UTF-8 has up to three bytes after the first.
    while end < name.count, end > lengthLimit - 3, name[end] & 0xC0 == 0x80 { end -= 1 }
    return name[..<end]
  }

  /// Creates the value from its bytes.
  public init(bytes: some Collection<UInt8>) {
    let parts = bytes.split(separator: 0, omittingEmptySubsequences: false).map { Array($0) }
    let names = parts + Array(repeating: [], count: max(0, 3 - parts.count))
    self.init(
      station: names[0], title: names[1], artists: names.dropFirst(3).filter { !$0.isEmpty }, album: names[2])
  }
}

/// The chapters of a file, in the order of their beginnings.
public struct SourceMarks: Equatable, Sendable {
  /// A chapter: its beginning, in milliseconds from that of the recording, and its title, in the encoding of the file,
  /// without NULs; empty if it has none.
  public struct Entry: Equatable, Sendable {
    public let start: Int64
    public let title: [UInt8]

    public init(start: Int64, title: [UInt8]) {
      self.start = max(0, start)
      self.title = title
    }
  }

  /// The maximum number of chapters; of more, the first ones count.
  public static let countLimit = 10_000

  public let entries: [Entry]

  /// Creates the list of chapters in any order.
  public init(_ entries: [Entry] = []) {
    self.entries = Array(entries.prefix(Self.countLimit)).sorted { $0.start < $1.start }
  }

  /// The chapters as bytes; long titles are cut, and chapters beyond the limit of a block are left out.
  public var bytes: [UInt8] {
    var bytes: [UInt8] = []
    for entry in entries {
      let next = entry.start.bytes + SourceNames.cut(entry.title) + [0]
      guard bytes.count + next.count <= DecodingBlock.contentLimit else { break }
      bytes += next
    }
    return bytes
  }

  /// Creates the list from its bytes.
  public init(bytes: some Collection<UInt8>) {
    var (entries, rest) = ([Entry](), Array(bytes)[...])
    while rest.count > Int64.bitWidth / 8, entries.count < Self.countLimit {
      var numbers = MessageBytes(rest)
      let start: Int64 = numbers.next()
      rest = rest.dropFirst(Int64.bitWidth / 8)
      let title = rest.prefix { $0 != 0 }
      entries.append(Entry(start: start, title: Array(title)))
      rest = rest.dropFirst(title.count + 1)
    }
    self.init(entries)
  }
}

/// The tags of a file, by the names that FFmpeg gives them, in the order of the file.
public struct SourceTags: Equatable, Sendable {
  /// A name and its value, in the encoding of the file, both without NULs.
  public struct Entry: Equatable, Sendable {
    public let name: [UInt8]
    public let value: [UInt8]

    public init(name: [UInt8], value: [UInt8]) {
      self.name = name
      self.value = value
    }
  }

  /// The maximum length of a picture that the decoding program sends of a file, in bytes.
  public static let pictureLimit = 16 << 20
  private static let countLimit = 1_024
  private static let nameLimit = 128
  private static let valueLimit = 64 * 1024
  private static let totalLimit = 256 * 1024

  public private(set) var entries: [Entry] = []
  private var total = 0

  public init() {}

  /// Adds a tag, unless it is empty, is there already, or exceeds a limit.
  public mutating func append(_ entry: Entry) {
    let length = entry.name.count + entry.value.count + 2
    guard (1...Self.nameLimit).contains(entry.name.count), (1...Self.valueLimit).contains(entry.value.count),
      entries.count < Self.countLimit, total + length <= Self.totalLimit, !entries.contains(entry)
    else { return }
    total += length
    entries.append(entry)
  }

  /// The tags as bytes.
  public var bytes: [UInt8] { entries.flatMap { $0.name + [0] + $0.value + [0] } }

  /// Creates the tags from their bytes.
  public init(bytes: some Collection<UInt8>) {
    let parts = bytes.split(separator: 0, omittingEmptySubsequences: false)
    for index in stride(from: 0, to: parts.count - 1, by: 2) {
      append(Entry(name: Array(parts[index]), value: Array(parts[index + 1])))
    }
  }
}

/// An entry of a list of streams that a server sends.
public struct ListedStream: Equatable, Sendable {
  /// The absolute address, without control characters.
  public var address: String
  /// What the list says of the stream.
  public var names: SourceNames

  private static let lineBreak: UInt8 = 0x0A

  public init(address: String, names: SourceNames) {
    self.address = address
    self.names = names
  }

  /// The entries of a list as bytes.
  public static func bytes(of entries: [ListedStream]) -> [UInt8] {
    entries.flatMap { entry in
      Array(entry.address.utf8) + [lineBreak] + entry.names.bytes.filter { $0 != lineBreak } + [lineBreak]
    }
  }

  /// Returns the entries of a list from their bytes.
  public static func entries(bytes: some Collection<UInt8>) -> [ListedStream] {
    let lines = bytes.split(separator: lineBreak, omittingEmptySubsequences: false)
    return stride(from: 0, to: lines.count - 1, by: 2).map { line in
      ListedStream(address: lines[line].printableText, names: SourceNames(bytes: lines[line + 1]))
    }
  }
}
