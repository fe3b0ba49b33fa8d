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

  func fault(at position: Int64) -> EndFault? {
    if let code = source.failure { return .system(code.description) }
    if let lastError, lastError.code == SndfileError.system { return .system(lastError.message) }
    let missing = (frameCount ?? .max) - position
    // A file that has shrunk gives no error: it merely ends.
    if missing > 0, file.isShorter { return .shrunk }
    if let lastError, missing > 0 { return .damaged(lastError.message) }
    return frameCount != nil && missing > Int64(sampleRate) ? .truncated : nil
  }
}
