import AudioCore
import CMPG123
import SystemPackage

/// An MPEG stream that libmpg123 has open.
///
/// libsndfile reads such streams through libmpg123, too, but gives no frame beyond a length that it has guessed, and
/// ends where libmpg123 would go on: behind damage, or where the stream changes its format.
@safe
final class MPEGSound: OpenSound {
  /// What went wrong with a stream that could be played on.
  private struct Break {
    /// In frames of sound.
    let position: Int64
    let byteCount: Int64
  }

  /// How far libmpg123 looks for the next frame behind damage, in bytes.
  private static let searchLimit = 1 << 24
  /// How many frames are decoded ahead of a seek's place, since frames take their bits from others before them.
  private static let leadIn = 8
  /// How many frames in a row have to be of another rate for the stream to have changed it.
  private static let changeLength = 5
  private static let isReady = mpg123_init() == Int32(MPG123_OK.rawValue)

  private let handle: OpaquePointer
  /// What libmpg123 reads; outlives ``handle``.
  private let source: BufferedFile
  let sampleRate: Int
  let channels: Int
  let coding = SampleCoding.lossy
  let frameCount: Int64?

  /// What is left of the frame that was decoded last, in libmpg123's memory.
  private var decoded = unsafe UnsafeBufferPointer<Float>(start: nil, count: 0)
  /// In frames of sound, since the beginning or the last seek.
  private var position: Int64 = 0
  /// Where in the file the frame behind the last one should begin.
  private var nextFrame: Int64?
  private var damage: Break?
  /// The rate to which the stream changes, and where.
  private var change: (position: Int64, sampleRate: Int)?
  /// The frames before that are of another rate than the stream, all of the same: where the first begins, how many.
  private var strangers: (position: Int64, sampleRate: Int, count: Int, byteCount: Int64)?
  private var error: String?

  /// The stream in `file` that begins with the first of its frames.
  init(_ file: RegularFile, _ start: MPEGStart) throws(SndfileError) {
    let source = BufferedFile(file, from: start.place)
    guard Self.isReady, let handle = unsafe mpg123_new(nil, nil) else {
      throw SndfileError(code: SndfileError.malformed, message: "libmpg123 cannot be used")
    }
    unsafe self.handle = unsafe handle
    self.source = source
    let flags =
      MPG123_QUIET.rawValue | MPG123_FORCE_FLOAT.rawValue | MPG123_GAPLESS.rawValue | MPG123_SKIP_ID3V2.rawValue
    unsafe Self.set(MPG123_ADD_FLAGS, Int(flags), of: handle)
    unsafe Self.set(MPG123_RESYNC_LIMIT, Self.searchLimit, of: handle)
    unsafe Self.set(MPG123_PREFRAMES, Self.leadIn, of: handle)
    var (rate, channels, encoding) = (0, Int32(0), Int32(0))
    let isOpen =
      unsafe MPGReplaceReader(
        handle, { unsafe Int(VirtualFile.from($0)?.read(into: $1, count: Int64(clamping: $2)) ?? 0) },
        { unsafe (VirtualFile.from($0)?.seek(Int64($1), from: $2)).map { Int($0) } ?? -1 }) == Self.fine
      && MPGOpen(handle, Unmanaged.passUnretained(source as VirtualFile).toOpaque()) == Self.fine
      && mpg123_getformat(handle, &rate, &channels, &encoding) == Self.fine
      && encoding == Int32(MPG123_ENC_FLOAT_32.rawValue)
    sampleRate = rate
    self.channels = Int(channels)
    guard isOpen else {
      frameCount = nil
      let message = unsafe Self.message(of: handle)
      if let failure = source.failure {
        throw SndfileError(code: SndfileError.system, message: failure.description)
      }
      throw SndfileError(code: SndfileError.malformed, message: message)
    }
    // What comes in another format is brought to this one.
    unsafe mpg123_format_none(handle)
    unsafe mpg123_format(handle, rate, channels, encoding)
    if !start.statesLength { unsafe mpg123_scan(handle) }
    let length = unsafe MPGLength(handle)
    frameCount = length >= 0 ? length : nil
  }

  deinit { unsafe mpg123_delete(handle) }

  var file: RegularFile { source.file }

  var bitRate: Int? { bitRate(byteCount: source.length) }

  func read(into buffer: UnsafeMutableBufferPointer<Float>) -> Int {
    while unsafe decoded.isEmpty {
      guard decodeFrame() else { return 0 }
    }
    let frames = unsafe min(decoded.count, buffer.count) / channels
    let samples = unsafe UnsafeMutableBufferPointer(rebasing: buffer[..<(frames * channels)])
    _ = unsafe samples.update(fromContentsOf: decoded.prefix(samples.count))
    unsafe decoded = unsafe UnsafeBufferPointer(rebasing: decoded[samples.count...])
    unsafe SampleGuard.clean(samples)
    position += Int64(frames)
    return frames
  }

  /// Has ``decoded`` be the sound of the next frame, of which some have none; `false` at the end.
  private func decodeFrame() -> Bool {
    var audio: UnsafeMutablePointer<UInt8>?
    var count = 0
    let status = unsafe MPGDecodeFrame(handle, &audio, &count)
    switch status {
    case Int32(MPG123_NEW_FORMAT.rawValue): return true
    case Self.fine: break
    default:
      if status != Int32(MPG123_DONE.rawValue) { error = unsafe Self.message(of: handle) }
      return false
    }
    inspectFrame()
    guard let audio = unsafe audio else { return true }
    unsafe decoded = unsafe UnsafeRawBufferPointer(start: audio, count: count).assumingMemoryBound(to: Float.self)
    return true
  }

  /// Looks whether the frame that was decoded last is where it should be, and in the format of the first.
  private func inspectFrame() {
    var (rate, length) = (0, 0)
    guard unsafe MPGLastFrame(handle, &rate, &length) else { return }
    inspectRate(rate, byteCount: Int64(length))
    let place = unsafe MPGFramePosition(handle)
    if damage == nil, let nextFrame, place > nextFrame, !isTag(at: nextFrame, before: place) {
      damage = Break(position: position, byteCount: place - nextFrame)
    }
    nextFrame = place + Int64(length)
  }

  /// A stream has changed its rate where some frames in a row say so: one or two are what damaged bytes look like.
  private func inspectRate(_ rate: Int, byteCount: Int64) {
    guard change == nil else { return }
    if rate != sampleRate {
      var found = strangers ?? (position, rate, 0, 0)
      if found.sampleRate != rate { found = (position, rate, 0, 0) }
      found.count += 1
      found.byteCount += byteCount
      strangers = found
      if found.count == Self.changeLength { change = (found.position, rate) }
    } else if let found = strangers {
      strangers = nil
      if damage == nil { damage = Break(position: found.position, byteCount: found.byteCount) }
    }
  }

  /// Whether what stands between two frames is a tag, or nothing but zeros: what two files have there that were joined.
  private func isTag(at place: Int64, before end: Int64) -> Bool {
    let bytes = source.file.descriptor.bytes(at: source.start + place, count: Int(min(end - place, 1 << 12)))
    return TagsInFront.isTag(bytes) || bytes.allSatisfy { $0 == 0 }
  }

  func seek(toFrame frame: Int64) -> Bool {
    unsafe decoded = unsafe UnsafeBufferPointer(start: nil, count: 0)
    nextFrame = nil
    strangers = nil
    source.failure = nil
    error = nil
    guard unsafe MPGSeek(handle, frame) == frame else { return false }
    position = frame
    return true
  }

  func fault(at position: Int64) -> EndFault? {
    if let code = source.failure { return .system(code.description) }
    let missing = (frameCount ?? .max) - position
    if missing > 0, file.isShorter { return .shrunk }
    if let error, missing > 0 { return .damaged(error) }
    if let change { return .resampled(at: change.position, from: change.sampleRate) }
    if missing > Int64(sampleRate), frameCount != nil { return .truncated }
    return damage.map { .passedOver(at: $0.position, byteCount: $0.byteCount) }
  }

  private static let fine = Int32(MPG123_OK.rawValue)

  private static func set(_ parameter: mpg123_parms, _ value: Int, of handle: OpaquePointer) {
    _ = unsafe MPGSetParameter(handle, Int32(parameter.rawValue), value)
  }

  private static func message(of handle: OpaquePointer) -> String {
    unsafe mpg123_strerror(handle).map { unsafe String(cString: $0) } ?? "unknown error"
  }
}
