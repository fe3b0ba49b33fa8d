import AudioCore
import CSndfile
import Platform
import SystemPackage

/// A file that libsndfile has open, in the way that gives all of its frames.
final class OpenedFile {
  private let sound: SoundFile
  /// What libsndfile reads; outlives ``sound``.
  private let source: BufferedFile
  /// In bytes, when it was opened.
  private let size: Int64
  private let holdsAnyFloat: Bool
  private var order: ChannelOrder?
  /// What libsndfile said when it last gave less than it was asked for.
  private var lastError: SndfileError?

  /// Opens the regular file at `path`; with `place`, which is another way to the same file, goes that way.
  init(path: FilePath, place: FilePath? = nil) throws(DecodingError) {
    let place = place ?? path
    do throws(SndfileError) {
      let (descriptor, size) = try Self.descriptor(of: place)
      self.size = size
      let unchanged = BufferedFile(unchanged: descriptor)
      let sound = try SoundFile(unchanged)
      if sound.isMPEG, let patched = BufferedFile(statingLengthOf: try Self.descriptor(of: place).0) {
        self.sound = try SoundFile(patched)
        source = patched
      } else {
        self.sound = sound
        source = unchanged
      }
    } catch {
      throw OpeningFault(path).decodingError(error)
    }
    holdsAnyFloat = sound.holdsAnyFloat
    order = ChannelOrder(sound.info, of: descriptor, from: source.start)
  }

  /// A way to the file that is open, whatever its name is now and even where it has none any more; Linux alone has it.
  ///
  /// What is opened there has a position of its own. Holds as long as this file is open.
  var place: FilePath { FilePath("/proc/self/fd/\(descriptor.rawValue)") }

  /// The number of frames that the file is said to hold, or `nil` where it does not say.
  ///
  /// libsndfile gives the greatest number that there is where it does not know.
  var frameCount: Int64? {
    sound.info.frames >= 0 && sound.info.frames < Int64.max ? sound.info.frames : nil
  }

  /// How many bits a second the sound takes in the file; `nil` where nothing is known of that.
  ///
  /// Where libsndfile does not know it, tells that of one packet (Opus) or an eighth of the kilobits (MP3), it is what
  /// the file takes without an ID3v2 tag at its beginning.
  var bitRate: Int? {
    guard let frameCount, frameCount > 0, sound.info.samplerate > 0 else { return nil }
    if !sound.isOpus, !sound.isMPEG, let bytes = sound.byteRate { return bytes * 8 }
    let bytes = max(0, size - (sound.isMPEG ? ID3v2Header.size(in: descriptor) : source.start))
    return Int(exactly: (Double(bytes) * 8 * Double(sound.info.samplerate) / Double(frameCount)).rounded())
  }

  /// The file, for reading at places of our own.
  private var descriptor: FileDescriptor { source.descriptor }

  /// The format of the frames.
  ///
  /// - Throws: `DecodingError` where it is out of the range of `AudioFormat`.
  func format(of path: FilePath) throws(DecodingError) -> AudioFormat {
    guard
      let format = AudioFormat(
        sampleRate: Int(sound.info.samplerate), channels: Int(sound.info.channels),
        coding: SampleCoding(ofSndfileFormat: sound.info.format))
    else {
      throw DecodingError(
        path: path, kind: .unsupported,
        reason: "has \(sound.info.channels) channels at \(sound.info.samplerate) Hz, which cannot be played")
    }
    return format
  }

  /// Reads frames into `buffer` and gives their number, 0 at the end or at damage.
  func read(into buffer: UnsafeMutableBufferPointer<Float>) -> Int {
    let channels = Int(sound.info.channels)
    let count = unsafe sound.read(into: buffer)
    if count < buffer.count / channels, let error = sound.error { lastError = error }
    guard count > 0, holdsAnyFloat else { return count }
    let samples = unsafe UnsafeMutableBufferPointer(rebasing: buffer[..<(count * channels)])
    unsafe SampleGuard.clean(samples)
    if order != nil { unsafe order?.reorder(samples) }
    return count
  }

  /// Goes to `frame`; `false` where libsndfile cannot.
  func seek(toFrame frame: Int64) -> Bool {
    lastError = nil
    source.failure = nil
    return sound.seek(toFrame: frame)
  }

  /// What is wrong, where reading ended at `position`.
  func fault(at position: Int64) -> EndFault? {
    if let code = source.failure { return .system(code.description) }
    if let lastError, lastError.code == SndfileError.system { return .system(lastError.message) }
    let missing = (frameCount ?? .max) - position
    // A file that has shrunk gives no error: it merely ends.
    if missing > 0, size > 0, !descriptor.hasByte(at: size - 1) { return .shrunk }
    if sound.isOgg, OggChain.isChained(descriptor, from: source.start, size: size) { return .chained }
    if let lastError, missing > 0 { return .damaged(lastError.message) }
    return frameCount != nil && missing > Int64(sound.info.samplerate) ? .truncated : nil
  }

  /// Opens the regular file at `path`, and nothing else: a FIFO or a device could block for ever.
  private static func descriptor(of path: FilePath) throws(SndfileError) -> (FileDescriptor, Int64) {
    do {
      let status = try FileStatus(of: path)
      guard status.kind == .regular else { throw SndfileError.notRegular }
      return (try FileDescriptor.open(path, .readOnly, options: [.nonBlocking, .closeOnExec]), status.size)
    } catch let error as Errno {
      throw SndfileError(code: SndfileError.system, message: error.description)
    } catch {
      throw .notRegular
    }
  }
}
