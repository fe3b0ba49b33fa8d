// SPDX-License-Identifier: GPL-3.0-or-later

public import AudioCore
import CChromaprint
public import SystemPackage

/// Calculates the fingerprints by which AcoustID recognises recordings, with libchromaprint, which is loaded at first
/// use.
public struct AcousticFingerprinter: Sendable {
  /// How much of a file is examined: as much as AcoustID's own tool examines.
  private static let limit = Duration.seconds(120)
  /// The number of frames to decode at a time.
  private static let blockFrames = 16_384

  private let open: DecoderFactory

  /// Creates a value that opens files with the factory `decoders`.
  public init(decoders: @escaping DecoderFactory) { open = decoders }

  /// The version of libchromaprint; `nil` if it is not installed.
  public static var libraryVersion: String? {
    guard let version = unsafe ChromaprintLibraryLoad()?.pointee.get_version() else { return nil }
    return unsafe String(cString: version)
  }

  /// Returns the fingerprint of the file at `path`: text in base 64. Blocks while up to two minutes of it are decoded.
  /// Can be called from any thread.
  public func fingerprint(of path: FilePath) throws(FingerprintError) -> String {
    guard let library = unsafe ChromaprintLibraryLoad() else { throw .noLibrary }
    let decoder: any AudioDecoder
    do throws(DecodingError) { decoder = try open(path) } catch { throw .decoding(error) }
    let format = decoder.format
    guard let context = unsafe library.pointee.make(Int32(CChromaprintDefaultAlgorithm)) else { throw .failed }
    defer { unsafe library.pointee.destroy(context) }
    guard let rate = Int32(exactly: format.sampleRate), let channels = Int32(exactly: format.channels),
      unsafe library.pointee.start(context, rate, channels) != 0
    else { throw .failed }
    let buffer = UnsafeMutableBufferPointer<Float>.allocate(capacity: Self.blockFrames * format.channels)
    defer { unsafe buffer.deallocate() }
    var left = Int(Self.limit.components.seconds) * format.sampleRate
    while left > 0 {
      let count = unsafe min(decoder.read(into: buffer), left)
      guard count > 0 else { break }
      left -= count
      let samples = unsafe buffer.prefix(count * format.channels).map { Self.integer($0) }
      guard unsafe library.pointee.feed(context, samples, Int32(samples.count)) != 0 else { throw .failed }
    }
    if let failure = decoder.failure { throw .decoding(failure) }
    var text: UnsafeMutablePointer<CChar>?
    guard unsafe library.pointee.finish(context) != 0,
      unsafe library.pointee.get_fingerprint(context, &text) != 0, let text = unsafe text
    else { throw .failed }
    defer { unsafe library.pointee.dealloc(text) }
    return unsafe String(cString: text)
  }

  /// Returns a sample with 16 bits; what is no number is silence.
  private static func integer(_ sample: Float) -> Int16 {
    let scaled = (sample * 32_768).rounded()
    return scaled.isNaN ? 0 : Int16(min(max(scaled, -32_768), 32_767))
  }
}

/// The reason why there is no fingerprint of a file.
public enum FingerprintError: Error, Sendable, Hashable, CustomStringConvertible {
  case decoding(DecodingError)
  /// libchromaprint is not installed.
  case noLibrary
  /// libchromaprint has reported an error, for example because memory has run out.
  case failed

  /// The reason in one line; not yet escaped for a terminal.
  public var description: String {
    switch self {
    case .decoding(let error): error.description
    case .noLibrary: "libchromaprint, needed for fingerprints, is not installed"
    case .failed: "libchromaprint cannot calculate the fingerprint of this file"
    }
  }
}
