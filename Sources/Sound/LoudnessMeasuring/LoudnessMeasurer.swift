// SPDX-License-Identifier: GPL-3.0-or-later

public import AudioCore
public import MusicModel
public import SystemPackage

/// Measures the loudness of files by decoding them.
public struct LoudnessMeasurer: Sendable {
  /// The number of frames to decode at a time.
  private static let blockFrames = 16_384

  private let open: DecoderFactory

  /// Creates a measurer that opens files with the factory `decoders`.
  public init(decoders: @escaping DecoderFactory) { open = decoders }

  /// Measures the file at `path` from beginning to end. Blocks while the file is read. Can be called from any thread.
  ///
  /// Samples that are NaN or infinite count as silence. The silence at the ends is not measured if the file is damaged,
  /// or its format changes.
  ///
  /// - Parameter threshold: The level below which everything counts as silence, in dB; one of
  ///   `MeasuredSound.thresholds`.
  /// - Parameter shouldContinue: Called with the duration measured since the last call; returns whether to continue.
  /// - Throws: `LoudnessError`; `cancelled` if `shouldContinue` returned `false`.
  public func measure(
    _ path: FilePath, silenceBelow threshold: Double, shouldContinue: (Duration) -> Bool = { _ in true }
  ) throws(LoudnessError) -> MeasuredTrack {
    var states: [LoudnessState] = []
    var (truePeak, range) = (0.0, Double?.none)
    var duration = Duration.zero
    var failure: DecodingError?
    var sound = SoundEnds(threshold: threshold)
    var rest: (any AudioDecoder)? = try Self.decoding { () throws(DecodingError) in try open(path) }
    while let decoder = rest {
      let state = try LoudnessState(decoder.format, frameCount: decoder.frameCount)
      try Self.measure(decoder, state, &sound) { measured in
        duration += measured
        return shouldContinue(measured)
      }
      truePeak = max(truePeak, state.truePeak)
      range = states.isEmpty ? state.range : nil
      try state.finish()
      states.append(state)
      failure = failure ?? decoder.failure
      rest = try Self.decoding { () throws(DecodingError) in try decoder.continuation()?.decoder }
    }
    let integrated = try LoudnessState.integrated(states)
    let loudness = TrackLoudness(
      integrated: integrated, range: duration < .seconds(3) || integrated == nil ? nil : range, truePeak: truePeak)
    let ends = states.first.flatMap {
      sound.measured(at: $0.sampleRate, isUsable: states.count == 1 && failure == nil)
    }
    return MeasuredTrack(loudness: loudness, sound: ends, failure: failure, states: states)
  }

  private static func decoding<Value>(_ body: () throws(DecodingError) -> Value) throws(LoudnessError) -> Value {
    do throws(DecodingError) { return try body() } catch { throw .decoding(error) }
  }

  private static func measure(
    _ decoder: any AudioDecoder, _ state: LoudnessState, _ sound: inout SoundEnds,
    shouldContinue: (Duration) -> Bool
  ) throws(LoudnessError) {
    let format = decoder.format
    let buffer = UnsafeMutableBufferPointer<Float>.allocate(capacity: blockFrames * format.channels)
    defer { unsafe buffer.deallocate() }
    while true {
      let count = unsafe decoder.read(into: buffer)
      guard count > 0 else { return }
      let samples = unsafe UnsafeMutableBufferPointer(rebasing: buffer[..<(count * format.channels)])
      unsafe silenceNonFinite(in: samples)
      unsafe sound.add(UnsafeBufferPointer(samples), channels: format.channels)
      unsafe try state.add(UnsafeBufferPointer(samples), frames: count)
      guard shouldContinue(format.duration(ofFrames: Int64(count))) else { throw .cancelled }
    }
  }

  /// Replaces NaN and infinities with silence: the filters would retain a single one forever.
  private static func silenceNonFinite(in samples: UnsafeMutableBufferPointer<Float>) {
    for index in samples.indices where unsafe !samples[index].isFinite { unsafe samples[index] = 0 }
  }
}

/// The error that is thrown when a measurement fails.
public enum LoudnessError: Error, Sendable, Hashable, CustomStringConvertible {
  case decoding(DecodingError)
  /// Memory ran out.
  case outOfMemory
  /// libebur128 is not installed.
  case noLibrary
  /// The caller has cancelled the measurement.
  case cancelled

  /// A one-line description of the error for the user; not yet escaped for a terminal.
  public var description: String {
    switch self {
    case .decoding(let error): error.description
    case .outOfMemory: "out of memory; close other programs and try again"
    case .noLibrary: "libebur128, needed to measure loudness, is not installed"
    case .cancelled: "cancelled"
    }
  }
}

/// The loudness of a track (ITU-R BS.1770-4, EBU R 128).
public struct TrackLoudness: Sendable, Hashable {
  /// The integrated loudness in LUFS; `nil` for silence and for less than 400 ms of audio.
  public var integrated: Double?
  /// The loudness range in LU (EBU Tech 3342); `nil` for silence, for less than 3 s of audio, and if the format changes
  /// within the file.
  public var range: Double?
  /// The highest true peak of all channels, after oversampling to at least 176 kHz; 1.0 is full scale, 0 silence.
  public var truePeak: Double

  public init(integrated: Double?, range: Double?, truePeak: Double) {
    self.integrated = integrated
    self.range = range
    self.truePeak = truePeak
  }
}

/// The loudness of an album, measured as if its tracks were one piece; silent passages are gated as specified by EBU R
/// 128.
public struct AlbumLoudness: Sendable, Hashable {
  /// The integrated loudness in LUFS; `nil` if no track has one.
  public var integrated: Double?
  /// The highest true peak of the tracks; 1.0 is full scale.
  public var truePeak: Double

  public init(integrated: Double?, truePeak: Double) {
    self.integrated = integrated
    self.truePeak = truePeak
  }

  /// Computes the loudness of the album that consists of `tracks`, in any order; formats may differ. No other thread
  /// may use the tracks at the same time.
  ///
  /// - Throws: `LoudnessError.outOfMemory` or `noLibrary`.
  public init(of tracks: [MeasuredTrack]) throws(LoudnessError) {
    self.init(
      integrated: try LoudnessState.integrated(tracks.flatMap(\.states)),
      truePeak: tracks.lazy.map(\.loudness.truePeak).max() ?? 0)
  }
}

/// A measured track, with the state that is needed to measure its album. The state takes 1.2 MB per hour of a track of
/// up to 6 h, and 16 kB for a track that is longer or of unknown length.
public final class MeasuredTrack: Sendable {
  public let loudness: TrackLoudness
  /// Where the sound begins and ends; without frames if that could not be measured.
  public let sound: MeasuredSound?
  /// The error that ended the file before its stated end; `nil` if there was none. The part that could be read is
  /// measured.
  public let failure: DecodingError?

  /// The state of each format in the file; hardly ever more than one.
  let states: [LoudnessState]

  init(loudness: TrackLoudness, sound: MeasuredSound?, failure: DecodingError?, states: [LoudnessState]) {
    self.loudness = loudness
    self.sound = sound
    self.failure = failure
    self.states = states
  }
}
