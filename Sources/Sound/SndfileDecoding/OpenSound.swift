import AudioCore
import SystemPackage

/// A file that a library has open for decoding. Belongs to one thread at a time.
protocol OpenSound: AnyObject {
  /// The file that is read.
  var file: RegularFile { get }
  /// In Hz, as the file says.
  var sampleRate: Int { get }
  /// Samples in a frame, as the file says.
  var channels: Int { get }
  /// How the file keeps its samples.
  var coding: SampleCoding { get }
  /// The number of frames that the file is said to hold, or `nil` where nobody knows.
  var frameCount: Int64? { get }
  /// How many bits a second the sound takes in the file; `nil` where nothing is known of that.
  var bitRate: Int? { get }

  /// Reads frames of interleaved samples into `buffer` and gives their number, 0 at the end or where it cannot go on.
  func read(into buffer: UnsafeMutableBufferPointer<Float>) -> Int
  /// Goes to `frame`; `false` where the library cannot, and then the file has to be reopened.
  func seek(toFrame frame: Int64) -> Bool
  /// What is wrong, where reading ended at the frame `position`; `nil` where all was as it should be.
  func fault(at position: Int64) -> EndFault?
}

extension OpenSound {
  /// The format of the frames of the file at `path`.
  ///
  /// - Throws: `DecodingError` where it is out of the range of `AudioFormat`.
  func format(of path: FilePath) throws(DecodingError) -> AudioFormat {
    guard let format = AudioFormat(sampleRate: sampleRate, channels: channels, coding: coding) else {
      throw DecodingError(
        path: path, kind: .unsupported,
        reason: "has \(channels) channels at \(sampleRate) Hz, which cannot be played")
    }
    return format
  }

  /// How many bits a second the sound takes that `byteCount` bytes hold.
  func bitRate(byteCount: Int64) -> Int? {
    guard let frameCount, frameCount > 0, sampleRate > 0 else { return nil }
    return Int(exactly: (Double(max(0, byteCount)) * 8 * Double(sampleRate) / Double(frameCount)).rounded())
  }
}
