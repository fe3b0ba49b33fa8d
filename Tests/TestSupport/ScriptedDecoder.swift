// SPDX-License-Identifier: GPL-3.0-or-later

public import AudioCore
public import SystemPackage

/// The behaviour of a ``ScriptedDecoder``.
public struct DecodingScript: Sendable {
  /// A number from 1 to 7 that distinguishes the samples of this source from those of others.
  public var tag: Int
  /// The number of frames that the source has.
  public var frameCount: Int
  /// The number of frames that the decoder states; `nil` if it states none.
  public var statedFrameCount: Int64?
  /// The format of the source.
  public var format: AudioFormat
  /// The maximum number of frames that a read returns.
  public var framesPerRead = Int.max
  /// Whether the source can be opened.
  public var opens = true
  /// Whether the source supports seeking.
  public var seeks = true
  /// A gate that blocks reads that begin at ``gatedFrame`` or later; `nil` for none.
  public var gate: Gate?
  /// The frame from which ``gate`` blocks reads.
  public var gatedFrame = 0

  /// Another gate, which blocks reads that begin at its frame or later; `nil` for none.
  public var laterGate: (frame: Int, gate: Gate)?
  /// A gate that blocks opening the source; `nil` for none.
  public var openingGate: Gate?
  /// A gate that blocks seeking; `nil` for none.
  public var seekingGate: Gate?
  /// What the source says of its frames from these on, as a stream does.
  public var texts: [(frame: Int, text: SourceText)] = []
  /// The numbers of frames that the decoder states once it has read beyond these frames, as of a file that grows.
  public var growth: [(frame: Int, stated: Int64)] = []
  /// Whether the file contains more once it has been read to its end.
  public var hasGrown = false
  /// Whether any position can be reached.
  public var isSeekable = true
  /// What the source is converted to if it is DSD that cannot be played: one script, or none.
  public var pcm: [DecodingScript] = []
  /// The parts of the file in other formats, which follow this one.
  public var rest: [DecodingScript] = []
  /// Returns the sample to use for a frame and a channel; `nil` for samples that identify the tag.
  public var wave: (@Sendable (Int, Int) -> Float)?

  /// Creates a script of `frameCount` frames. The samples identify `tag` and the number of their frame.
  public init(tag: Int, frameCount: Int, format: AudioFormat = .cd) {
    self.tag = tag
    self.frameCount = frameCount
    statedFrameCount = Int64(frameCount)
    self.format = format
  }

  /// Returns the sample at `frame` and `channel`, as an integer of the source's bit depth.
  ///
  /// In the first channel, it consists of the tag and the low bits of the frame's number. In the other channels, it is
  /// the negative of that, minus the number of the channel.
  public func sample(frame: Int, channel: Int) -> Int32 {
    let frameBits = format.sourceDepth == .bits24 ? 16 : 12
    let value = Int32(tag & 7) << frameBits | Int32(frame & (1 << frameBits - 1))
    return channel == 0 ? value : -value - Int32(channel)
  }

  /// Returns the interleaved samples of these frames.
  public func samples(_ frames: Range<Int>) -> [Int32] {
    frames.flatMap { frame in (0..<format.channels).map { sample(frame: frame, channel: $0) } }
  }

  /// The interleaved samples of all frames.
  public var samples: [Int32] { samples(0..<frameCount) }
}

extension AudioFormat {
  /// The format of an audio CD: 44.1 kHz, stereo, 16 bits.
  public static let cd = AudioFormat.of(44_100, channels: 2, .bits16)

  /// Returns a format of integers with this bit depth, or of a lossy coding if `depth` is `nil`. The numbers must be
  /// valid for a format.
  public static func of(_ rate: Int, channels: Int, _ depth: SampleDepth?) -> AudioFormat {
    let coding = depth.map { SampleCoding.integer(bits: $0.rawValue) }
    return of(rate, channels: channels, coding: coding ?? .lossy)
  }

  /// Returns a format with these numbers, which must be valid. If they are not, returns a format of 44.1 kHz and
  /// stereo.
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

  /// Creates decoders for the paths "1", "2", ..., in the order of `scripts`.
  public init(_ scripts: [DecodingScript]) {
    let numbered = scripts.enumerated().map { (FilePath("\($0.offset + 1)"), $0.element) }
    self.scripts = Watched(Dictionary(numbered) { $1 })
  }

  /// Sets whether the file at `path` exists.
  public func setPresent(_ path: FilePath, _ isPresent: Bool) {
    missing.change { missing in
      if isPresent { missing.remove(path) } else { missing.insert(path) }
    }
  }

  /// Returns whether the file at `path` exists.
  public func isPresent(_ path: FilePath) -> Bool {
    scripts.value[path] != nil && !missing.value.contains(path)
  }

  /// The paths that have been opened, in order.
  public var opened: [FilePath] { log.value }

  /// Blocks until this number of paths has been opened. Returns whether that happened in time.
  public func awaitOpened(_ count: Int) -> Bool { log.wait { $0.count >= count } }

  /// Blocks until `path` has been opened again after the first `count` openings. Returns whether that happened in time.
  public func awaitOpened(_ path: FilePath, afterFirst count: Int) -> Bool {
    log.wait { $0.dropFirst(count).contains(path) }
  }

  /// Opens a decoder for `path`.
  public func open(_ path: FilePath) throws(DecodingError) -> any AudioDecoder {
    log.change { $0.append(path) }
    scripts.value[path]?.openingGate?.pass()
    if scripts.value[path] == nil || missing.value.contains(path) {
      throw DecodingError(path: path, kind: .unreadable, reason: "does not exist")
    }
    guard let script = scripts.value[path], script.opens else {
      throw DecodingError(path: path, kind: .malformed, reason: "is not audio")
    }
    return ScriptedDecoder(path: path, script)
  }
}

/// A decoder that returns the samples of a script.
final class ScriptedDecoder: AudioDecoder {
  let format: AudioFormat
  let failure: DecodingError? = nil
  private let path: FilePath
  private let script: DecodingScript
  private let firstFrame: Int64
  private var position = 0
  /// The number of frames between the end of this part and the target of the last seek.
  private var beyond: Int64 = 0

  init(path: FilePath, _ script: DecodingScript, firstFrame: Int64 = 0) {
    self.path = path
    self.script = script
    self.firstFrame = firstFrame
    format = script.format
  }

  var frameCount: Int64? { script.growth.last { $0.frame < position }?.stated ?? script.statedFrameCount }
  var hasGrown: Bool { script.hasGrown && position == script.frameCount }
  var isSeekable: Bool { script.isSeekable }
  var text: SourceText? { script.texts.last { $0.frame < position }?.text }

  func read(into buffer: UnsafeMutableBufferPointer<Float>) -> Int {
    if position >= script.gatedFrame { script.gate?.pass() }
    if let (frame, gate) = script.laterGate, position >= frame { gate.pass() }
    let scale = Float(1 << ((format.sourceDepth ?? .bits16).rawValue - 1))
    var count = min(buffer.count / format.channels, script.framesPerRead, script.frameCount - position)
    if script.gate != nil, position < script.gatedFrame { count = min(count, script.gatedFrame - position) }
    if let next = script.texts.first(where: { $0.frame > position }) { count = min(count, next.frame - position) }
    if let next = script.growth.first(where: { $0.frame > position }) { count = min(count, next.frame - position) }
    for index in 0..<max(0, count) {
      for channel in 0..<format.channels {
        let frame = position + index
        buffer[index * format.channels + channel] =
          script.wave.map { $0(frame, channel) } ?? Float(script.sample(frame: frame, channel: channel))
          / scale
      }
    }
    position += max(0, count)
    return max(0, count)
  }

  func seek(toFrame frame: Int64) throws(DecodingError) {
    script.seekingGate?.pass()
    guard script.seeks, frame >= firstFrame else {
      // After a failure, a decoder is of no use.
      position = script.frameCount
      throw DecodingError(path: path, kind: .malformed, reason: "does not support seeking")
    }
    position = Int(clamping: min(frame - firstFrame, Int64(script.frameCount)))
    beyond = frame - firstFrame - Int64(position)
  }

  func pcmDecoder() throws(DecodingError) -> (any AudioDecoder)? {
    script.pcm.first.map { ScriptedDecoder(path: path, $0) }
  }

  func continuation() throws(DecodingError) -> (decoder: any AudioDecoder, firstFrame: Int64)? {
    guard position == script.frameCount, var next = script.rest.first else { return nil }
    next.rest = Array(script.rest.dropFirst())
    let format = next.format
    let frames = { (count: Int64) in format.frame(at: self.format.duration(ofFrames: count)) }
    let decoder = ScriptedDecoder(path: path, next, firstFrame: frames(firstFrame + Int64(script.frameCount)))
    try decoder.seek(toFrame: decoder.firstFrame + frames(beyond))
    return (decoder, decoder.firstFrame + Int64(decoder.position))
  }
}
