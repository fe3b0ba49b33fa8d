import AudioCore
import CSndfile
import SystemPackage

/// A file, or a part of one, that libsndfile has open.
final class SndfileSound: OpenSound {
  private let sound: SoundFile
  /// What libsndfile reads; outlives ``sound``.
  private let source: BufferedFile
  private let holdsAnyFloat: Bool
  private var order: ChannelOrder?
  /// What libsndfile said when it last gave less than it was asked for.
  private var lastError: SndfileError?

  /// Opens what `source` reads.
  init(_ source: BufferedFile) throws(SndfileError) {
    self.source = source
    sound = try SoundFile(source)
    holdsAnyFloat = sound.holdsAnyFloat
    order = ChannelOrder(sound.info, of: source.file.descriptor, from: source.start)
  }

  var file: RegularFile { source.file }
  var sampleRate: Int { Int(sound.info.samplerate) }
  var channels: Int { Int(sound.info.channels) }
  var coding: SampleCoding { SampleCoding(ofSndfileFormat: sound.info.format) }

  /// libsndfile gives the greatest number that there is where it does not know.
  var frameCount: Int64? {
    sound.info.frames >= 0 && sound.info.frames < Int64.max ? sound.info.frames : nil
  }

  /// Where libsndfile tells that of one packet (Opus), it is what the file takes.
  var bitRate: Int? {
    guard let frameCount, frameCount > 0 else { return nil }
    if !sound.isOpus, let bytes = sound.byteRate { return bytes * 8 }
    return bitRate(byteCount: source.length)
  }

  func read(into buffer: UnsafeMutableBufferPointer<Float>) -> Int {
    let count = unsafe sound.read(into: buffer)
    if count < buffer.count / channels, let error = sound.error { lastError = error }
    guard count > 0, holdsAnyFloat else { return count }
    let samples = unsafe UnsafeMutableBufferPointer(rebasing: buffer[..<(count * channels)])
    unsafe SampleGuard.clean(samples)
    if order != nil { unsafe order?.reorder(samples) }
    return count
  }

  func seek(toFrame frame: Int64) -> Bool {
    lastError = nil
    source.failure = nil
    return sound.seek(toFrame: frame)
  }

  func problem(at position: Int64) -> StreamProblem? {
    if let code = source.failure { return .system(code.description) }
    if let lastError, lastError.code == SndfileError.system { return .system(lastError.message) }
    let missing = (frameCount ?? .max) - position
    // A file that has shrunk gives no error: it merely ends.
    if missing > 0, file.isShorter { return .shrunk }
    if let lastError, missing > 0 { return .damaged(lastError.message) }
    return frameCount != nil && missing > Int64(sampleRate) ? .truncated : nil
  }
}

/// An open libsndfile handle; closed when it goes.
///
/// A read or seek belongs to one thread at a time.
@safe
struct SoundFile: ~Copyable {
  private let handle: OpaquePointer
  /// What the header says.
  let info: SF_INFO

  /// Opens what `source` reads; `source` outlives the handle.
  ///
  /// Where it does not open, it is read once more, so that the reason can be found. A file that blocks keeps no other
  /// thread from opening another one.
  init(_ source: VirtualFile) throws(SndfileError) {
    var info = SF_INFO()
    var callbacks = unsafe VirtualFile.callbacks
    FailedOpen.letFinish()
    let opened = unsafe sf_open_virtual(
      &callbacks, Int32(SFM_READ), &info, Unmanaged.passUnretained(source).toOpaque())
    guard let handle = unsafe opened else { throw FailedOpen.error(of: source) }
    unsafe self.handle = unsafe handle
    self.info = info
  }

  deinit { unsafe sf_close(handle) }

  /// Reads frames of interleaved samples into `buffer` and gives their number, 0 at the end or at damage.
  borrowing func read(into buffer: UnsafeMutableBufferPointer<Float>) -> Int {
    guard let samples = buffer.baseAddress, info.channels > 0 else { return 0 }
    let frames = buffer.count / Int(info.channels)
    return unsafe Int(clamping: sf_readf_float(handle, samples, sf_count_t(frames)))
  }

  /// What went wrong in the call before this one; `nil` where nothing did.
  var error: SndfileError? {
    let code = unsafe sf_error(handle)
    guard code != 0 else { return nil }
    let message = unsafe sf_strerror(handle).map { unsafe String(cString: $0) }
    return SndfileError(code: code, message: message ?? "unknown error")
  }

  /// How many bytes a second the sound takes in the file; `nil` where libsndfile does not know.
  var byteRate: Int? {
    // libsndfile divides by their number.
    guard info.frames > 0 else { return nil }
    let rate = unsafe sf_current_byterate(handle)
    return rate > 0 ? Int(rate) : nil
  }

  /// Goes to `frame`; `false` where libsndfile cannot, and then the handle is of no more use.
  borrowing func seek(toFrame frame: Int64) -> Bool {
    unsafe sf_seek(handle, frame, SEEK_SET) == frame
  }
}

extension SampleCoding {
  /// How a libsndfile format keeps samples; what is not known to keep them is lossy.
  init(ofSndfileFormat format: Int32) {
    switch Int(format) & Int(SF_FORMAT_SUBMASK) {
    case Int(SF_FORMAT_PCM_S8), Int(SF_FORMAT_PCM_U8), Int(SF_FORMAT_DPCM_8): self = .integer(bits: 8)
    case Int(SF_FORMAT_DWVW_12): self = .integer(bits: 12)
    case Int(SF_FORMAT_PCM_16), Int(SF_FORMAT_DPCM_16), Int(SF_FORMAT_DWVW_16), Int(SF_FORMAT_ALAC_16):
      self = .integer(bits: 16)
    case Int(SF_FORMAT_ALAC_20): self = .integer(bits: 20)
    // DWVW of any other number of bits has 24 at most.
    case Int(SF_FORMAT_PCM_24), Int(SF_FORMAT_DWVW_24), Int(SF_FORMAT_DWVW_N), Int(SF_FORMAT_ALAC_24):
      self = .integer(bits: 24)
    case Int(SF_FORMAT_PCM_32), Int(SF_FORMAT_ALAC_32): self = .integer(bits: 32)
    case Int(SF_FORMAT_FLOAT): self = .float(bits: 32)
    case Int(SF_FORMAT_DOUBLE): self = .float(bits: 64)
    default: self = .lossy
    }
  }
}

extension SoundFile {
  /// Whether its samples can be any float: not those of codings that become integers.
  var holdsAnyFloat: Bool {
    switch Int(info.format) & Int(SF_FORMAT_SUBMASK) {
    case Int(SF_FORMAT_FLOAT), Int(SF_FORMAT_DOUBLE), Int(SF_FORMAT_VORBIS), Int(SF_FORMAT_OPUS),
      Int(SF_FORMAT_MPEG_LAYER_I)...Int(SF_FORMAT_MPEG_LAYER_III):
      true
    default: false
    }
  }

  /// Whether it is coded as Opus.
  var isOpus: Bool { Int(info.format) & Int(SF_FORMAT_SUBMASK) == Int(SF_FORMAT_OPUS) }
}

/// The order of the channels in a frame, from libsndfile's to that of WAVE: front left and right, centre, LFE, back
/// left and right (or back centre), side left and right.
///
/// libsndfile leaves Vorbis and Opus in the order of the Vorbis I specification (section 4.3.9, and RFC 7845, section
/// 5.1.1.2).
struct ChannelOrder {
  /// For each channel in the order of WAVE, where it stands in the order of Vorbis.
  private static let fromVorbis: [Int: [Int]] = [
    3: [0, 2, 1], 5: [0, 2, 1, 3, 4], 6: [0, 2, 1, 5, 3, 4], 7: [0, 2, 1, 6, 5, 3, 4],
    8: [0, 2, 1, 7, 5, 6, 3, 4],
  ]

  private let sources: [Int]
  private var frame: [Float]

  /// The order of the channels of `info`, read from `descriptor`, where the sound begins at `start`; `nil` where they
  /// are in order.
  init?(_ info: SF_INFO, of descriptor: FileDescriptor, from start: Int64) {
    let channels = Int(info.channels)
    guard let sources = Self.fromVorbis[channels] else { return nil }
    switch Int(info.format) & Int(SF_FORMAT_SUBMASK) {
    case Int(SF_FORMAT_VORBIS): break
    // Only the channel mapping family 1 says what the channels are for.
    case Int(SF_FORMAT_OPUS):
      guard Self.opusMappingFamily(of: descriptor, from: start) == 1 else { return nil }
    default: return nil
    }
    self.sources = sources
    frame = [Float](repeating: 0, count: channels)
  }

  /// Puts the channels of whole frames in order.
  mutating func reorder(_ samples: UnsafeMutableBufferPointer<Float>) {
    for start in stride(from: 0, through: samples.count - sources.count, by: sources.count) {
      for channel in sources.indices { frame[channel] = unsafe samples[start + sources[channel]] }
      for channel in sources.indices { unsafe samples[start + channel] = frame[channel] }
    }
  }

  /// The family in the header of the Opus stream that begins at `start` (RFC 7845, section 5.1).
  private static func opusMappingFamily(of descriptor: FileDescriptor, from start: Int64) -> UInt8? {
    var bytes = ByteWindow(descriptor)
    var place = start
    // Other streams may begin before it.
    for _ in 0..<16 {
      guard let page = OggPage(&bytes, at: place), page.isBeginning else { return nil }
      let packet = Array(bytes.read(at: place + page.bodyOffset, count: 19))
      if packet.count == 19, packet.starts(with: "OpusHead".utf8) { return packet[18] }
      place += page.length
    }
    return nil
  }
}
