// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import CSndfile
import SystemPackage

/// A file, or a part of a file, decoded by libsndfile.
final class SndfileSound: OpenFile {
  let library = DecodingLibrary.sndfile
  private let sound: SoundFile
  /// The file that libsndfile reads; must outlive ``sound``.
  private let source: BufferedFile
  private let holdsAnyFloat: Bool
  private var order: ChannelOrder?
  /// libsndfile's error the last time that it returned less than was requested; `nil` if there was none.
  private var lastError: SndfileError?

  /// The number of frames that the file states, if it is too short for them; otherwise `nil`.
  private let statedFrames: Int64?

  /// Opens the file that `source` reads, with libsndfile. If it is too short for the number of frames that it states,
  /// this number is `statedFrames`.
  init(_ source: BufferedFile, statedFrames: Int64? = nil) throws(SndfileError) {
    self.source = source
    self.statedFrames = statedFrames
    sound = try SoundFile(source)
    holdsAnyFloat = sound.holdsAnyFloat
    order = ChannelOrder(sound.info, of: source.file.descriptor, from: source.start)
  }

  var file: RegularFile { source.file }
  var sampleRate: Int { Int(sound.info.samplerate) }
  var channels: Int { Int(sound.info.channels) }
  var coding: SampleCoding { SampleCoding(ofSndfileFormat: sound.info.format) }

  /// The number of frames; `nil` if libsndfile does not know it and returns the largest number.
  var frameCount: Int64? {
    sound.info.frames >= 0 && sound.info.frames < Int64.max ? sound.info.frames : nil
  }

  /// The bit rate. For Opus, it is computed from the size of the file, since libsndfile returns the rate of a single
  /// packet.
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
    if missing > 0, file.hasShrunk { return .shrunk }
    if let lastError, missing > 0 { return .damaged(lastError.message) }
    if let statedFrames, statedFrames - position > Int64(sampleRate) { return .truncated(of: statedFrames) }
    guard frameCount != nil, missing > Int64(sampleRate) else { return nil }
    return sound.isOpus || sound.isVorbis ? .incomplete : .truncated()
  }
}

/// An open libsndfile handle; closed when this value is released.
///
/// Only one thread at a time may read and seek.
@safe
struct SoundFile: ~Copyable {
  private let handle: OpaquePointer
  /// libsndfile's description of the file, from its header.
  let info: SF_INFO

  /// Opens the file that `source` reads; `source` must outlive the handle.
  ///
  /// If that fails, the file is read once more to determine the reason. A file that blocks does not prevent other
  /// threads from opening another one.
  init(_ source: VirtualFile) throws(SndfileError) {
    var info = SF_INFO()
    var callbacks = unsafe VirtualFile.callbacks
    FailedOpen.waitForQueries()
    let opened = unsafe sf_open_virtual(
      &callbacks, Int32(SFM_READ), &info, Unmanaged.passUnretained(source).toOpaque())
    guard let handle = unsafe opened else { throw FailedOpen.error(of: source) }
    unsafe self.handle = unsafe handle
    self.info = info
  }

  deinit { unsafe sf_close(handle) }

  /// Reads interleaved frames into `buffer`; returns their number, 0 at the end or at damage.
  borrowing func read(into buffer: UnsafeMutableBufferPointer<Float>) -> Int {
    guard let samples = buffer.baseAddress, info.channels > 0 else { return 0 }
    let frames = buffer.count / Int(info.channels)
    return unsafe Int(clamping: sf_readf_float(handle, samples, sf_count_t(frames)))
  }

  /// The error of the previous call; `nil` if it succeeded.
  var error: SndfileError? {
    let code = unsafe sf_error(handle)
    guard code != 0 else { return nil }
    let message = unsafe sf_strerror(handle).map { unsafe String(cString: $0) }
    return SndfileError(code: code, message: message ?? "unknown error")
  }

  /// The byte rate of the encoded audio, in bytes per second; `nil` if libsndfile does not know it.
  var byteRate: Int? {
    // libsndfile divides by the number of frames.
    guard info.frames > 0 else { return nil }
    let rate = unsafe sf_current_byterate(handle)
    return rate > 0 ? Int(rate) : nil
  }

  /// Seeks to `frame`. If it returns `false`, libsndfile has failed, and the handle is unusable.
  borrowing func seek(toFrame frame: Int64) -> Bool {
    // In Vorbis, where libsndfile decodes up to the target, it does not count what is left of a block that was read in
    // part. Nothing is left after a seek back.
    if isVorbis, unsafe sf_seek(handle, 0, SEEK_SET) != 0 { return false }
    return unsafe sf_seek(handle, frame, SEEK_SET) == frame
  }
}

extension SampleCoding {
  /// Creates the sample coding of a libsndfile format; formats that are not known to be lossless are lossy.
  init(ofSndfileFormat format: Int32) {
    switch Int(format) & Int(SF_FORMAT_SUBMASK) {
    case Int(SF_FORMAT_PCM_S8), Int(SF_FORMAT_PCM_U8), Int(SF_FORMAT_DPCM_8): self = .integer(bits: 8)
    case Int(SF_FORMAT_DWVW_12): self = .integer(bits: 12)
    case Int(SF_FORMAT_PCM_16), Int(SF_FORMAT_DPCM_16), Int(SF_FORMAT_DWVW_16), Int(SF_FORMAT_ALAC_16):
      self = .integer(bits: 16)
    case Int(SF_FORMAT_ALAC_20): self = .integer(bits: 20)
    // DWVW with any other number of bits has at most 24.
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
  /// Whether decoded samples can be any float. They cannot with codecs that decode to integers.
  var holdsAnyFloat: Bool {
    switch Int(info.format) & Int(SF_FORMAT_SUBMASK) {
    case Int(SF_FORMAT_FLOAT), Int(SF_FORMAT_DOUBLE), Int(SF_FORMAT_VORBIS), Int(SF_FORMAT_OPUS),
      Int(SF_FORMAT_MPEG_LAYER_I)...Int(SF_FORMAT_MPEG_LAYER_III):
      true
    default: false
    }
  }

  var isVorbis: Bool { Int(info.format) & Int(SF_FORMAT_SUBMASK) == Int(SF_FORMAT_VORBIS) }

  var isOpus: Bool { Int(info.format) & Int(SF_FORMAT_SUBMASK) == Int(SF_FORMAT_OPUS) }
}

/// The reordering of the channels in a frame from libsndfile's order to WAVE's: front left and right, centre, LFE, back
/// left and right (or back centre), side left and right.
///
/// libsndfile leaves Vorbis and Opus in the order of the Vorbis I specification (section 4.3.9, and RFC 7845, section
/// 5.1.1.2).
struct ChannelOrder {
  /// For each channel in the order of WAVE, its index in the order of Vorbis; by number of channels.
  private static let fromVorbis: [Int: [Int]] = [
    3: [0, 2, 1], 5: [0, 2, 1, 3, 4], 6: [0, 2, 1, 5, 3, 4], 7: [0, 2, 1, 6, 5, 3, 4],
    8: [0, 2, 1, 7, 5, 6, 3, 4],
  ]

  private let sources: [Int]
  private var frame: [Float]

  /// Creates the reordering for the channels of `info`, read from `descriptor`, in which the audio begins at offset
  /// `start`; returns `nil` if the order is already right.
  init?(_ info: SF_INFO, of descriptor: FileDescriptor, from start: Int64) {
    let channels = Int(info.channels)
    guard let sources = Self.fromVorbis[channels] else { return nil }
    switch Int(info.format) & Int(SF_FORMAT_SUBMASK) {
    case Int(SF_FORMAT_VORBIS): break
    // Only channel mapping family 1 defines the meaning of the channels.
    case Int(SF_FORMAT_OPUS):
      guard Self.opusMappingFamily(of: descriptor, from: start) == 1 else { return nil }
    default: return nil
    }
    self.sources = sources
    frame = [Float](repeating: 0, count: channels)
  }

  /// Reorders the channels of whole frames in place.
  mutating func reorder(_ samples: UnsafeMutableBufferPointer<Float>) {
    for start in stride(from: 0, through: samples.count - sources.count, by: sources.count) {
      for channel in sources.indices { frame[channel] = unsafe samples[start + sources[channel]] }
      for channel in sources.indices { unsafe samples[start + channel] = frame[channel] }
    }
  }

  /// Returns the channel mapping family in the header of the Opus stream that begins at `start` (RFC 7845, section
  /// 5.1); `nil` if there is no such header.
  private static func opusMappingFamily(of descriptor: FileDescriptor, from start: Int64) -> UInt8? {
    var bytes = ByteWindow(descriptor)
    var offset = start
    // Other streams may begin before the Opus stream.
    for _ in 0..<16 {
      guard let page = OggPage(&bytes, at: offset), page.isBeginning else { return nil }
      let packet = Array(bytes.read(at: offset + page.bodyOffset, count: 19))
      if packet.count == 19, packet.starts(with: "OpusHead".utf8) { return packet[18] }
      offset += page.length
    }
    return nil
  }
}
