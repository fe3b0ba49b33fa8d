// SPDX-License-Identifier: GPL-3.0-or-later

/// A request to the decoding program, `segue-decode`, through its control socket. A request to open or to seek begins a
/// new generation of blocks.
public enum DecodingRequest: Equatable, Sendable {
  /// Decode the file from its beginning. The message carries two descriptors: the file, and the pipe for the blocks.
  case open(generation: UInt32)
  /// Decode what a server sends. The message carries two descriptors: a pipe that contains the address, and the pipe
  /// for the blocks. If that is not read for `pauseLimit` milliseconds, the program ends. It connects to the server
  /// only if it has given up its rights, or if `allowsUnconfined`.
  case openAddress(generation: UInt32, pauseLimit: Int32, allowsUnconfined: Bool)
  /// Continue at this frame, or at the end of the file if that is earlier.
  case seek(frame: Int64, generation: UInt32)
  /// Send the first picture in the file, in blocks of its bytes, and then an end. The message carries two descriptors:
  /// the file, and the pipe for the blocks.
  case openPicture(generation: UInt32)

  /// The last frame that can be requested.
  public static let frameLimit: Int64 = 1 << 48
  /// The length of a request, in bytes.
  public static let byteCount = 16
  /// The maximum length of an address, in bytes.
  public static let addressLimit = 4_096

  /// The bit of the number in a request to open an address that allows the program to keep its rights.
  private static let unconfinedFlag: Int64 = 1 << 32

  private enum Kind: UInt32 {
    case open = 1
    case seek = 2
    case openAddress = 3
    case openPicture = 4
  }

  /// The request as bytes.
  public var bytes: [UInt8] {
    switch self {
    case .open(let generation): Kind.open.rawValue.bytes + generation.bytes + Int64(0).bytes
    case .openAddress(let generation, let pauseLimit, let allowsUnconfined):
      Kind.openAddress.rawValue.bytes + generation.bytes
        + (Int64(pauseLimit) | (allowsUnconfined ? Self.unconfinedFlag : 0)).bytes
    case .seek(let frame, let generation): Kind.seek.rawValue.bytes + generation.bytes + frame.bytes
    case .openPicture(let generation): Kind.openPicture.rawValue.bytes + generation.bytes + Int64(0).bytes
    }
  }

  /// Creates a request from its bytes; returns `nil` if they are not a request.
  public init?(bytes: some Collection<UInt8>) {
    guard bytes.count == Self.byteCount else { return nil }
    var bytes = MessageBytes(bytes)
    guard let kind = Kind(rawValue: bytes.next()) else { return nil }
    let generation: UInt32 = bytes.next()
    let number: Int64 = bytes.next()
    switch kind {
    case .open: self = .open(generation: generation)
    case .openPicture: self = .openPicture(generation: generation)
    case .openAddress:
      guard let pauseLimit = Int32(exactly: number & ~Self.unconfinedFlag), pauseLimit >= 0 else { return nil }
      self = .openAddress(
        generation: generation, pauseLimit: pauseLimit, allowsUnconfined: number & Self.unconfinedFlag != 0)
    case .seek:
      guard (0...Self.frameLimit).contains(number) else { return nil }
      self = .seek(frame: number, generation: generation)
    }
  }
}

/// The header of a block that the decoding program writes into its pipe. The content follows: ``byteCount`` bytes.
public struct DecodingBlock: Equatable, Sendable {
  /// What a block contains.
  public enum Kind: UInt32, Sendable {
    /// A ``SoundDescription``: the format of the samples that follow. The first block of the first generation, and
    /// another one wherever the format changes.
    case description = 1
    /// Interleaved 32-bit float samples.
    case samples = 2
    /// The end of the file, or of what can be decoded of it. The content is a ``DecodingRefusal`` if it ended early or
    /// was damaged; otherwise empty.
    case end = 3
    /// The file cannot be decoded. The content is a ``DecodingRefusal``.
    case refusal = 4
    /// The program is reading a long file, or waits for a server. The block has no content, and comes at least once a
    /// second until there is an answer.
    case progress = 5
    /// A ``SourceNames``: what the audio says of the samples that follow.
    case names = 6
    /// The picture in the audio, in its own format. It comes before the samples, if at all.
    case picture = 7
    /// Instead of a description: the address leads to a list of streams, to be played one after the other. The content
    /// is ``ListedStream``s.
    case list = 8
    /// The ``SourceTags`` of a file. They come before its description, if at all.
    case tags = 9
    /// The ``SourceMarks`` of a file. They come before its description and after its tags, if at all.
    case chapters = 10
  }

  /// The length of a header, in bytes.
  public static let headerByteCount = 24
  /// The maximum length of a block's content, in bytes.
  public static let contentLimit = 1 << 20
  /// The maximum length of the content of other blocks than those of samples, pictures, lists, tags and
  /// chapters, in bytes.
  public static let textLimit = 2_048

  /// What the block contains.
  public var kind: Kind
  /// The generation of the request that the block answers.
  public var generation: UInt32
  /// The number of the first frame in the block, counted from the beginning of the file, or the frame at which the file
  /// has ended.
  public var frame: Int64
  /// The length of the content, in bytes.
  public var byteCount: Int

  /// Changes with the protocol, since a player that was upgraded may meet an older program.
  private static let mark: UInt32 = 0x5344_4506

  public init(_ kind: Kind, generation: UInt32, frame: Int64, byteCount: Int) {
    self.kind = kind
    self.generation = generation
    self.frame = frame
    self.byteCount = byteCount
  }

  /// The header as bytes.
  public var bytes: [UInt8] {
    Self.mark.bytes + kind.rawValue.bytes + generation.bytes + UInt32(clamping: byteCount).bytes + frame.bytes
  }

  /// Creates a header from its bytes; returns `nil` if they are not the header of a valid block.
  public init?(bytes: some Collection<UInt8>) {
    guard bytes.count == Self.headerByteCount else { return nil }
    var bytes = MessageBytes(bytes)
    guard bytes.next() == Self.mark, let kind = Kind(rawValue: bytes.next()) else { return nil }
    self.kind = kind
    generation = bytes.next()
    byteCount = Int(bytes.next() as UInt32)
    frame = bytes.next()
    let limit = [.samples, .picture, .list, .tags, .chapters].contains(kind) ? Self.contentLimit : Self.textLimit
    guard byteCount <= limit, (0...DecodingRequest.frameLimit).contains(frame) else { return nil }
  }
}

/// The format and length of decoded audio, as the decoding program states them.
public struct SoundDescription: Equatable, Sendable {
  /// How the file encodes its samples.
  public enum Coding: UInt32, Sendable {
    case lossy = 0
    case integer = 1
    case float = 2
  }

  /// The sample rate, in Hz.
  public var sampleRate: UInt32
  /// The number of samples in a frame.
  public var channels: UInt32
  /// How the file encodes its samples.
  public var coding: Coding
  /// The number of bits in a sample of the file; 0 for a lossy coding.
  public var bits: UInt32
  /// The number of frames in the file; `nil` if it does not say.
  public var frameCount: Int64?
  /// The average bit rate, in bits per second; `nil` if it is unknown.
  public var bitRate: Int64?
  /// Whether the decoding program has given up all rights but those that decoding needs.
  public var isConfined: Bool
  /// Whether the program can continue at any frame. It can in every file.
  public var isSeekable: Bool
  /// Whether the audio has no end, like that of a station.
  public var isEndless: Bool
  /// The name of the codec, in English.
  public var codec: String

  /// The length of the numbers in a description, in bytes.
  private static let numbersByteCount = 36

  public init(
    sampleRate: UInt32, channels: UInt32, coding: Coding, bits: UInt32, frameCount: Int64?, bitRate: Int64?,
    isConfined: Bool = false, isSeekable: Bool = true, isEndless: Bool = false, codec: String
  ) {
    self.sampleRate = sampleRate
    self.channels = channels
    self.coding = coding
    self.bits = bits
    self.frameCount = frameCount
    self.bitRate = bitRate
    self.isConfined = isConfined
    self.isSeekable = isSeekable
    self.isEndless = isEndless
    self.codec = codec
  }

  /// The description as bytes.
  public var bytes: [UInt8] {
    sampleRate.bytes + channels.bytes + coding.rawValue.bytes + bits.bytes + (frameCount ?? -1).bytes
      + (bitRate ?? -1).bytes + UInt32((isConfined ? 1 : 0) | (isSeekable ? 2 : 0) | (isEndless ? 4 : 0)).bytes
      + codec.utf8.prefix(DecodingBlock.textLimit - Self.numbersByteCount)
  }

  /// Creates a description from its bytes; returns `nil` if they are not a description.
  public init?(bytes: some Collection<UInt8>) {
    guard bytes.count >= Self.numbersByteCount else { return nil }
    var numbers = MessageBytes(bytes)
    sampleRate = numbers.next()
    channels = numbers.next()
    guard let coding = Coding(rawValue: numbers.next()) else { return nil }
    self.coding = coding
    bits = numbers.next()
    let (frameCount, bitRate): (Int64, Int64) = (numbers.next(), numbers.next())
    self.frameCount = frameCount >= 0 ? frameCount : nil
    self.bitRate = bitRate > 0 ? bitRate : nil
    let properties: UInt32 = numbers.next()
    isConfined = properties & 1 != 0
    isSeekable = properties & 2 != 0
    isEndless = properties & 4 != 0
    codec = bytes.dropFirst(Self.numbersByteCount).printableText
  }
}

/// The reason why a file cannot be decoded, or ended early.
public struct DecodingRefusal: Error, Equatable, Sendable {
  /// The kind of reason.
  public enum Kind: UInt8, Sendable {
    /// The system failed to read the file.
    case unreadable = 1
    /// The file is damaged.
    case malformed = 2
    /// The file is in a format that cannot be decoded.
    case unsupported = 3
    /// The file contains no audio.
    case empty = 4
    /// There is no network, or no such server.
    case unreachable = 5
  }

  /// The kind of reason.
  public let kind: Kind
  /// The reason in English, which continues a sentence that begins with the name of the file.
  public let reason: String

  /// The program could not give up its rights, and must not decode streams without that.
  public static let unconfined = DecodingRefusal(
    .unsupported,
    "cannot be decoded safely: this system does not let segue-decode give up its rights (on Linux, it needs seccomp and Landlock); the setting `unconfined-streams = true` allows it nevertheless"
  )

  /// There is not enough memory.
  public static let noMemory = DecodingRefusal(.malformed, "needs too much memory to decode")

  public init(_ kind: Kind, _ reason: String) {
    self.kind = kind
    self.reason = reason
  }

  /// The refusal as bytes.
  public var bytes: [UInt8] { [kind.rawValue] + reason.utf8.prefix(DecodingBlock.textLimit - 1) }

  /// Creates a refusal from its bytes; returns `nil` if they are not a refusal.
  public init?(bytes: some Collection<UInt8>) {
    guard let kind = bytes.first.flatMap({ Kind(rawValue: $0) }) else { return nil }
    self.init(kind, bytes.dropFirst().printableText)
  }
}

extension Collection<UInt8> {
  /// The bytes as UTF-8 text, without control characters.
  var printableText: String { String(decoding: self, as: UTF8.self).withoutControls }
}

extension String {
  /// The text without control characters.
  public var withoutControls: String {
    let isControl = { (scalar: Unicode.Scalar) in scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value) }
    return String(UnicodeScalarView(unicodeScalars.filter { !isControl($0) }))
  }
}

/// Reads numbers one after the other from the bytes of a message: little-endian, like the processors on which Segue
/// runs.
struct MessageBytes<Bytes: Collection<UInt8>> {
  private var rest: Bytes.SubSequence

  init(_ bytes: Bytes) { rest = bytes[...] }

  /// Returns the next number; missing bytes count as 0.
  mutating func next<Number: FixedWidthInteger>() -> Number {
    let size = Number.bitWidth / 8
    let number = rest.prefix(size).enumerated().reduce(Number(0)) { number, byte in
      number | Number(truncatingIfNeeded: byte.element) << (8 * byte.offset)
    }
    rest = rest.dropFirst(size)
    return number
  }
}

extension FixedWidthInteger {
  var bytes: [UInt8] {
    (0..<(bitWidth / 8)).map { UInt8(truncatingIfNeeded: self >> (8 * $0)) }
  }
}
