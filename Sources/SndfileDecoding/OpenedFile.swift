import AudioCore
import CSndfile
import Platform
import SystemPackage

/// A file that libsndfile has open, in the way that gives all of its frames.
final class OpenedFile {
  private let sound: SoundFile
  /// What libsndfile reads instead of the file, where it does not read the file itself; outlives ``sound``.
  private let patched: PatchedFile?

  /// Opens the regular file at `path`.
  init(path: FilePath) throws(DecodingError) {
    do throws(SndfileError) {
      let direct = try SoundFile(try Self.descriptor(of: path))
      if direct.isMPEG, let patched = PatchedFile(statingLengthOf: try Self.descriptor(of: path)) {
        sound = try SoundFile(patched)
        self.patched = patched
      } else {
        sound = direct
        patched = nil
      }
    } catch {
      throw DecodingError(
        path: path, kind: error.kind,
        reason: error.kind == .malformed ? "is no sound file that can be played" : error.message)
    }
  }

  /// The number of frames that the file is said to hold, or `nil` where it does not say.
  ///
  /// libsndfile gives the greatest number that there is where it does not know.
  var frameCount: Int64? {
    sound.info.frames >= 0 && sound.info.frames < Int64.max ? sound.info.frames : nil
  }

  /// The format of the frames.
  ///
  /// - Throws: `DecodingError` where it is out of the range of `AudioFormat`.
  func format(of path: FilePath) throws(DecodingError) -> AudioFormat {
    guard
      let format = AudioFormat(
        sampleRate: Int(sound.info.samplerate), channels: Int(sound.info.channels),
        sourceDepth: SampleDepth(ofSndfileFormat: sound.info.format))
    else {
      throw DecodingError(
        path: path, kind: .unsupported,
        reason: "has \(sound.info.channels) channels at \(sound.info.samplerate) Hz, which cannot be played")
    }
    return format
  }

  /// Reads frames into `buffer` and gives their number, 0 at the end or at damage.
  func read(into buffer: UnsafeMutableBufferPointer<Float>) -> Int { unsafe sound.read(into: buffer) }

  /// Goes to `frame`; `false` where libsndfile cannot.
  func seek(toFrame frame: Int64) -> Bool { sound.seek(toFrame: frame) }

  /// Opens the regular file at `path`, and nothing else: a FIFO or a device could block for ever.
  private static func descriptor(of path: FilePath) throws(SndfileError) -> FileDescriptor {
    do {
      guard try FileStatus(of: path).kind == .regular else { throw SndfileError.notRegular }
      return try FileDescriptor.open(path, .readOnly, options: [.nonBlocking, .closeOnExec])
    } catch let error as Errno {
      throw SndfileError(code: SndfileError.system, message: error.description)
    } catch {
      throw .notRegular
    }
  }
}
