// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import CMPG123
import SystemPackage

/// An MPEG stream decoded by libmpg123.
///
/// libsndfile also uses libmpg123, but returns no frame beyond a length that it has estimated. It also ends where
/// libmpg123 could continue: after damage, or at a change of the stream's format.
@safe
final class MPEGSound: OpenFile {
  let library = DecodingLibrary.mpg123
  /// How far libmpg123 looks for the next frame after damage, in bytes.
  private static let searchLimit = 1 << 24
  /// The number of frames that are decoded before the target of a seek, since frames take bits from earlier ones.
  private static let warmUpFrames = 8
  private static let isReady = mpg123_init() == Int32(MPG123_OK.rawValue)

  private let handle: OpaquePointer
  /// The file that libmpg123 reads; must outlive ``handle``.
  private let source: VirtualFile
  /// The file that libmpg123 reads, if its frames state their lengths; otherwise `nil`.
  private let frames: MPEGFile?
  let file: RegularFile
  let sampleRate: Int
  let channels: Int
  let coding = SampleCoding.lossy
  private let byteCount: Int64
  let frameCount: Int64?
  /// The number of audio frames in an MPEG frame.
  let frameLength: Int64

  /// The remaining samples of the last decoded frame, in libmpg123's memory.
  private var decoded = unsafe UnsafeMutableBufferPointer<Float>(start: nil, count: 0)
  /// The length of silence before ``decoded``, in audio frames.
  private var silence: Int64 = 0
  /// The current position, in audio frames.
  private var position: Int64 = 0
  /// The target of a seek, until the first frame after it is decoded; otherwise `nil`.
  private var start: Int64?
  /// How much of libmpg123's first frame is skipped at the beginning, in audio frames; `nil` until something is
  /// decoded.
  private var delay: Int64?
  private var error: String?

  /// Opens the MPEG stream in `file` that begins at `start`. If it is to be `isWhole`, libmpg123 leaves out nothing at
  /// its ends: of a Xing header without a delay, it takes the delay to be 0, and leaves out its own.
  init(_ file: RegularFile, _ start: MPEGStart, isWhole: Bool = false) throws(SndfileError) {
    let frames = start.header.map { MPEGFile(file, start, $0) }
    let source = frames ?? BufferedFile(file, from: start.offset)
    guard Self.isReady, let handle = unsafe mpg123_new(nil, nil) else {
      throw SndfileError(code: SndfileError.malformed, message: "libmpg123 is not available")
    }
    unsafe self.handle = unsafe handle
    self.source = source
    self.frames = frames
    self.file = file
    byteCount = file.size - start.offset
    let flags =
      MPG123_QUIET.rawValue | MPG123_FORCE_FLOAT.rawValue | MPG123_GAPLESS.rawValue | MPG123_SKIP_ID3V2.rawValue
    unsafe Self.set(MPG123_ADD_FLAGS, Int(flags), of: handle)
    if isWhole { unsafe Self.set(MPG123_REMOVE_FLAGS, Int(MPG123_GAPLESS.rawValue), of: handle) }
    unsafe Self.set(MPG123_RESYNC_LIMIT, Self.searchLimit, of: handle)
    unsafe Self.set(MPG123_PREFRAMES, Self.warmUpFrames, of: handle)
    var (rate, channels, encoding) = (0, Int32(0), Int32(0))
    let isOpen =
      unsafe MPGReplaceReader(
        handle, { unsafe Int(VirtualFile.from($0)?.read(into: $1, count: Int64(clamping: $2)) ?? 0) },
        { unsafe (VirtualFile.from($0)?.seek(Int64($1), from: $2)).map { Int($0) } ?? -1 }) == Self.ok
      && MPGOpen(handle, Unmanaged.passUnretained(source as VirtualFile).toOpaque()) == Self.ok
      && mpg123_getformat(handle, &rate, &channels, &encoding) == Self.ok
      && encoding == Int32(MPG123_ENC_FLOAT_32.rawValue)
    sampleRate = rate
    self.channels = Int(channels)
    frameLength = max(0, Int64(unsafe mpg123_spf(handle)))
    guard isOpen else {
      frameCount = nil
      let message = unsafe Self.message(of: handle)
      if let failure = source.failure {
        throw SndfileError(code: SndfileError.system, message: failure.description)
      }
      throw SndfileError(code: SndfileError.malformed, message: message)
    }
    // Audio in other formats is converted to this one.
    unsafe mpg123_format_none(handle)
    unsafe mpg123_format(handle, rate, channels, encoding)
    if start.statedFrames == nil { unsafe mpg123_scan(handle) }
    guard let stated = start.statedFrames, !start.isDescribed else {
      let length = unsafe MPGLength(handle)
      let lost = start.statedFrames == nil ? frames?.lostFrames ?? 0 : 0
      frameCount = length >= 0 ? length + lost * frameLength : nil
      return
    }
    // libmpg123 does not know the length.
    frameCount = stated * frameLength
  }

  deinit { unsafe mpg123_delete(handle) }

  var bitRate: Int? { bitRate(byteCount: byteCount) }

  func read(into buffer: UnsafeMutableBufferPointer<Float>) -> Int {
    while silence == 0, unsafe decoded.isEmpty {
      guard decodeFrame() else { return 0 }
    }
    // After silence, libmpg123 does not know where the encoder's padding at the end begins.
    let room = hasInsertedSilence ? Int(clamping: max(0, (frameCount ?? .max) - position)) : .max
    let count = min(buffer.count / channels, room, silence > 0 ? Int(silence) : unsafe decoded.count / channels)
    let samples = unsafe UnsafeMutableBufferPointer(rebasing: buffer[..<(count * channels)])
    if silence > 0 {
      unsafe samples.update(repeating: 0)
      silence -= Int64(count)
    } else {
      _ = unsafe samples.update(fromContentsOf: decoded.prefix(samples.count))
      unsafe decoded = unsafe UnsafeMutableBufferPointer(rebasing: decoded[samples.count...])
      unsafe SampleGuard.clean(samples)
    }
    position += Int64(count)
    return count
  }

  /// Decodes the next frame into ``decoded``, which may stay empty; returns `false` at the end.
  private func decodeFrame() -> Bool {
    var audio: UnsafeMutablePointer<UInt8>?
    var (number, count) = (Int64(0), 0)
    let status = unsafe MPGDecodeFrame(handle, &number, &audio, &count)
    switch status {
    case Int32(MPG123_NEW_FORMAT.rawValue): return true
    case Self.ok: break
    default:
      if status != Int32(MPG123_DONE.rawValue) { error = unsafe Self.message(of: handle) }
      return false
    }
    let gap = frames?.lastGap(upToFrame: number)
    if let gap, gap.frame == number, start == nil { silence = gap.lostFrames * frameLength }
    guard let audio = unsafe audio else { return true }
    unsafe decoded = unsafe UnsafeMutableRawBufferPointer(start: audio, count: count).assumingMemoryBound(
      to: Float.self)
    if count > 0 {
      if delay == nil {
        delay = (number + 1) * frameLength - (start ?? position) - Int64(unsafe decoded.count / max(1, channels))
      }
      start = nil
    }
    if let gap, number < gap.frame + gap.undecodableFrames { unsafe decoded.update(repeating: 0) }
    return true
  }

  /// Whether lost frames were replaced with silence.
  private var hasInsertedSilence: Bool { (frames?.lostFrames ?? 0) > 0 }

  /// Returns the positions and lengths of inserted silence, which libmpg123 does not know, in audio frames.
  private func silences() -> [(position: Int64, length: Int64)] {
    var sum: Int64 = 0
    return (frames?.gaps ?? []).filter { $0.lostFrames > 0 }.map { gap in
      defer { sum += gap.lostFrames * frameLength }
      return (max(0, gap.frame * frameLength - (delay ?? 0)) + sum, gap.lostFrames * frameLength)
    }
  }

  func seek(toFrame frame: Int64) -> Bool {
    source.failure = nil
    error = nil
    // On its way to the target, libmpg123 may find new gaps.
    var count: Int?
    while count != frames?.gaps.count ?? 0 {
      count = frames?.gaps.count ?? 0
      if hasInsertedSilence, delay == nil {
        // The delay is found by decoding from the beginning.
        guard seek(toDecoded: 0) else { return false }
        while delay == nil, decodeFrame() {}
      }
      var target = frame
      var rest: Int64 = 0
      for silence in silences() where silence.position <= frame {
        rest = max(0, silence.position + silence.length - frame)
        target -= silence.length - rest
      }
      guard seek(toDecoded: target) else { return false }
      // libmpg123 reads up to the target only when it decodes.
      while unsafe decoded.isEmpty, decodeFrame() {}
      silence = rest
    }
    position = frame
    return true
  }

  /// Seeks to an audio frame, counted as libmpg123 does; returns whether it succeeded.
  private func seek(toDecoded frame: Int64) -> Bool {
    unsafe decoded = unsafe UnsafeMutableBufferPointer(start: nil, count: 0)
    silence = 0
    start = frame
    return unsafe MPGSeek(handle, frame) == frame
  }

  func problem(at position: Int64) -> StreamProblem? {
    if let code = source.failure { return .system(code.description) }
    let missing = (frameCount ?? .max) - position
    if missing > 0, file.hasShrunk { return .shrunk }
    if let error, missing > 0 { return .damaged(error) }
    if let change = frames?.change {
      return .resampled(at: change.frame * frameLength, from: change.sampleRate)
    }
    if missing > Int64(sampleRate), frameCount != nil { return .truncated() }
    return frames?.gaps.first(where: \.isDamage).map { gap in
      let position = gap.frame * frameLength
      return gap.lostFrames > 0 ? .silenced(at: position) : .skipped(at: position, byteCount: gap.byteCount)
    }
  }

  private static let ok = Int32(MPG123_OK.rawValue)

  private static func set(_ parameter: mpg123_parms, _ value: Int, of handle: OpaquePointer) {
    _ = unsafe MPGSetParameter(handle, Int32(parameter.rawValue), value)
  }

  private static func message(of handle: OpaquePointer) -> String {
    unsafe mpg123_strerror(handle).map { unsafe String(cString: $0) } ?? "unknown error"
  }
}
