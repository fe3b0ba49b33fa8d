public import AudioCore
public import SystemPackage

/// What a ``ScriptedDecoder`` does.
public struct DecodingScript: Sendable {
  /// Tells its samples from those of others; 1 to 7.
  public var tag: Int
  /// How many frames there are.
  public var frameCount: Int
  /// How many it says there are.
  public var statedFrameCount: Int64?
  /// The format.
  public var format: AudioFormat
  /// How many frames a read gives at most.
  public var framesPerRead = Int.max
  /// Whether it opens.
  public var opens = true
  /// Whether seeking works.
  public var seeks = true
  /// Holds up the read that begins at `heldFrame` or behind.
  public var gate: Gate?
  /// See ``gate``.
  public var heldFrame = 0

  /// Holds up who opens it.
  public var openingGate: Gate?
  /// Holds up who seeks in it.
  public var seekingGate: Gate?
  /// What it holds instead of the samples that tell the tag, by frame and channel.
  public var wave: (@Sendable (Int, Int) -> Float)?

  /// A source of `frameCount` frames whose samples tell `tag` and the number of their frame.
  public init(tag: Int, frameCount: Int, format: AudioFormat = .cd) {
    self.tag = tag
    self.frameCount = frameCount
    statedFrameCount = Int64(frameCount)
    self.format = format
  }

  /// The sample at `frame` and `channel`, as an integer of the source's depth.
  ///
  /// The first channel holds the tag and the low bits of the frame's number, the others the same below 0.
  public func sample(frame: Int, channel: Int) -> Int32 {
    let low = format.sourceDepth == .bits24 ? 16 : 12
    let value = Int32(tag & 7) << low | Int32(frame & (1 << low - 1))
    return channel == 0 ? value : -value - Int32(channel)
  }

  /// The samples of these frames, interleaved.
  public func samples(_ frames: Range<Int>) -> [Int32] {
    frames.flatMap { frame in (0..<format.channels).map { sample(frame: frame, channel: $0) } }
  }

  /// All samples.
  public var samples: [Int32] { samples(0..<frameCount) }
}

extension AudioFormat {
  /// 44.1 kHz, stereo, 16 bits.
  public static let cd = AudioFormat.of(44_100, channels: 2, .bits16)

  /// A format of integers of this depth, or of a lossy coding, and of numbers that are known to be in range.
  public static func of(_ rate: Int, channels: Int, _ depth: SampleDepth?) -> AudioFormat {
    let coding = depth.map { SampleCoding.integer(bits: $0.rawValue) }
    return of(rate, channels: channels, coding: coding ?? .lossy)
  }

  /// A format of numbers that are known to be in range; the first that there is where they are not.
  public static func of(_ rate: Int, channels: Int, coding: SampleCoding) -> AudioFormat {
    var rate = rate
    var channels = channels
    while true {
      if let format = AudioFormat(sampleRate: rate, channels: channels, coding: coding) { return format }
      rate = 44_100
      channels = 2
    }
  }
}

/// The scripted decoders of a test, by path.
public final class ScriptedDecoders: Sendable {
  private let scripts: Watched<[FilePath: DecodingScript]>
  private let log = Watched<[FilePath]>([])
  private let missing = Watched<Set<FilePath>>([])

  /// Decoders for the paths "1", "2", ... in this order.
  public init(_ scripts: [DecodingScript]) {
    let numbered = scripts.enumerated().map { (FilePath("\($0.offset + 1)"), $0.element) }
    self.scripts = Watched(Dictionary(numbered) { $1 })
  }

  /// The file at `path` is there from now on, or is not.
  public func setPresent(_ path: FilePath, _ isPresent: Bool) {
    missing.change { missing in
      if isPresent { missing.remove(path) } else { missing.insert(path) }
    }
  }

  /// Whether there is a file at `path`.
  public func isPresent(_ path: FilePath) -> Bool {
    scripts.value[path] != nil && !missing.value.contains(path)
  }

  /// The paths that were opened, in order.
  public var opened: [FilePath] { log.value }

  /// Blocks until so many were opened.
  public func awaitOpened(_ count: Int) -> Bool { log.wait { $0.count >= count } }

  /// Blocks until this one was opened behind the first `count`.
  public func awaitOpened(_ path: FilePath, behind count: Int) -> Bool {
    log.wait { $0.dropFirst(count).contains(path) }
  }

  /// Opens the one for `path`.
  public func open(_ path: FilePath) throws(DecodingError) -> any AudioDecoder {
    log.change { $0.append(path) }
    scripts.value[path]?.openingGate?.pass()
    if scripts.value[path] == nil || missing.value.contains(path) {
      throw DecodingError(path: path, kind: .unreadable, reason: "is not there")
    }
    guard let script = scripts.value[path], script.opens else {
      throw DecodingError(path: path, kind: .malformed, reason: "is none")
    }
    return ScriptedDecoder(path: path, script)
  }
}

/// Gives the samples of a script.
final class ScriptedDecoder: AudioDecoder {
  let format: AudioFormat
  let frameCount: Int64?
  let failure: DecodingError? = nil
  private let path: FilePath
  private let script: DecodingScript
  private var position = 0

  init(path: FilePath, _ script: DecodingScript) {
    self.path = path
    self.script = script
    format = script.format
    frameCount = script.statedFrameCount
  }

  func read(into buffer: UnsafeMutableBufferPointer<Float>) -> Int {
    if position >= script.heldFrame { script.gate?.pass() }
    let scale = Float(1 << ((format.sourceDepth ?? .bits16).rawValue - 1))
    var room = min(buffer.count / format.channels, script.framesPerRead, script.frameCount - position)
    if script.gate != nil, position < script.heldFrame { room = min(room, script.heldFrame - position) }
    for index in 0..<max(0, room) {
      for channel in 0..<format.channels {
        let frame = position + index
        buffer[index * format.channels + channel] =
          script.wave.map { $0(frame, channel) } ?? Float(script.sample(frame: frame, channel: channel))
          / scale
      }
    }
    position += max(0, room)
    return max(0, room)
  }

  func seek(toFrame frame: Int64) throws(DecodingError) {
    script.seekingGate?.pass()
    guard script.seeks else {
      throw DecodingError(path: path, kind: .malformed, reason: "cannot be sought")
    }
    position = Int(clamping: max(0, min(frame, Int64(script.frameCount))))
  }
}
