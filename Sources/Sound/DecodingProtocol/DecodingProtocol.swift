// SPDX-License-Identifier: GPL-3.0-or-later

/// A request to the decoding program, `segue-decode`, through its control socket. A request to open or to seek begins a
/// new generation of blocks.
public enum DecodingRequest: Equatable, Sendable {
  /// Decode the file from its beginning. The message carries two descriptors: the file, and the pipe for the blocks.
  case open(generation: UInt32)
  /// Continue at this frame, or at the end of the file if that is earlier.
  case seek(frame: Int64, generation: UInt32)

  /// The last frame that can be requested.
  public static let frameLimit: Int64 = 1 << 48
  /// The length of a request, in bytes.
  public static let byteCount = 16

  private enum Kind: UInt32 {
    case open = 1
    case seek = 2
  }

  /// The request as bytes.
  public var bytes: [UInt8] {
    switch self {
    case .open(let generation): Kind.open.rawValue.bytes + generation.bytes + Int64(0).bytes
    case .seek(let frame, let generation): Kind.seek.rawValue.bytes + generation.bytes + frame.bytes
    }
  }

  /// Creates a request from its bytes; returns `nil` if they are not a request.
  public init?(bytes: some Collection<UInt8>) {
    guard bytes.count == Self.byteCount else { return nil }
    var bytes = MessageBytes(bytes)
    guard let kind = Kind(rawValue: bytes.next()) else { return nil }
    let generation: UInt32 = bytes.next()
    let frame: Int64 = bytes.next()
    switch kind {
    case .open: self = .open(generation: generation)
    case .seek:
      guard (0...Self.frameLimit).contains(frame) else { return nil }
      self = .seek(frame: frame, generation: generation)
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
    /// The program is reading a long file. The block has no content, and comes at least once a second until there is
    /// an answer.
    case progress = 5
  }

  /// The length of a header, in bytes.
  public static let headerByteCount = 24
  /// The maximum length of a block's content, in bytes.
  public static let contentLimit = 1 << 20
  /// The maximum length of the content of other blocks than those of samples, in bytes.
  public static let textLimit = 512

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
  private static let mark: UInt32 = 0x5344_4501

  /// Creates a header.
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
    let limit = kind == .samples ? Self.contentLimit : Self.textLimit
    guard byteCount <= limit, (0...DecodingRequest.frameLimit).contains(frame) else { return nil }
  }
}

/// The format and length of decoded audio, as the decoding program states them.
public struct SoundDescription: Equatable, Sendable {
  /// How the file encodes its samples.
  public enum Coding: UInt32, Sendable {
    /// A lossy coding.
    case lossy = 0
    /// Integers.
    case integer = 1
    /// Floating-point numbers.
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
  /// Whether the decoding program may make only the system calls that decoding needs.
  public var isConfined: Bool
  /// The name of the codec, in English.
  public var codec: String

  /// The length of the numbers in a description, in bytes.
  private static let numbersByteCount = 36

  /// Creates a description.
  public init(
    sampleRate: UInt32, channels: UInt32, coding: Coding, bits: UInt32, frameCount: Int64?, bitRate: Int64?,
    isConfined: Bool = false, codec: String
  ) {
    self.sampleRate = sampleRate
    self.channels = channels
    self.coding = coding
    self.bits = bits
    self.frameCount = frameCount
    self.bitRate = bitRate
    self.isConfined = isConfined
    self.codec = codec
  }

  /// The description as bytes.
  public var bytes: [UInt8] {
    sampleRate.bytes + channels.bytes + coding.rawValue.bytes + bits.bytes + (frameCount ?? -1).bytes
      + (bitRate ?? -1).bytes + UInt32(isConfined ? 1 : 0).bytes
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
    isConfined = numbers.next() as UInt32 == 1
    codec = String(decoding: bytes.dropFirst(Self.numbersByteCount), as: UTF8.self)
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
  }

  /// The kind of reason.
  public let kind: Kind
  /// The reason in English, which continues a sentence that begins with the name of the file.
  public let reason: String

  /// There is not enough memory.
  public static let noMemory = DecodingRefusal(.malformed, "needs too much memory to decode")

  /// Creates a refusal.
  public init(_ kind: Kind, _ reason: String) {
    self.kind = kind
    self.reason = reason
  }

  /// The refusal as bytes.
  public var bytes: [UInt8] { [kind.rawValue] + reason.utf8.prefix(DecodingBlock.textLimit - 1) }

  /// Creates a refusal from its bytes; returns `nil` if they are not a refusal.
  public init?(bytes: some Collection<UInt8>) {
    guard let kind = bytes.first.flatMap({ Kind(rawValue: $0) }) else { return nil }
    let isControl = { (scalar: Unicode.Scalar) in scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value) }
    let text = String(decoding: bytes.dropFirst(), as: UTF8.self).unicodeScalars.filter { !isControl($0) }
    self.init(kind, String(String.UnicodeScalarView(text)))
  }
}

/// Reads numbers one after the other from the bytes of a message: little-endian, like the processors on which Segue
/// runs.
private struct MessageBytes<Bytes: Collection<UInt8>> {
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
  fileprivate var bytes: [UInt8] {
    (0..<(bitWidth / 8)).map { UInt8(truncatingIfNeeded: self >> (8 * $0)) }
  }
}
