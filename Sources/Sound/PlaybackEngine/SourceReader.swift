// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore

/// Reads a source, applies its gain, and tracks the position in it. Used only on the decode thread.
final class SourceReader {
  /// The duration of the change from the gain of the previous source, in milliseconds, so that no step is audible.
  private static let gainFadeMilliseconds = 8

  let source: PlaybackSource
  private let decoder: any AudioDecoder
  /// The shape of the source if it is DSD that is converted to PCM; otherwise `nil`.
  private let convertedDSD: StreamShape?
  private let watch: BlockingWatch
  private var ramp: GainRamp
  /// Frames that were read ahead, with the gain applied.
  private var lookAhead: ArraySlice<Float> = []
  /// The number of the next frame to be read.
  private(set) var frame: Int64
  var position: Duration { format.duration(ofFrames: frame) }
  /// Whether nothing of the source was read yet.
  var isAtBeginning: Bool { frame == beginning }
  /// The frame with which the source begins, unless it is played from another position.
  private let beginning: Int64
  /// The frame at which the source ends, although the file may not; `nil` if it ends with the file.
  private let end: Int64?
  /// The frames of the passage that is repeated; `nil` if none is.
  private let passage: Range<Int64>?
  /// The number of times that it was repeated.
  private var passNumber = 0

  var format: AudioFormat { decoder.format }

  /// Opens the file of `source` and seeks to `position`, which may block. A wait for more of it ends early if
  /// `isInterrupted` returns `true`. If `previousGain` is not `nil`, the gain changes gradually from there.
  ///
  /// If `source` begins in the same file where `previous` has ended, the new reader continues with the decoder of
  /// `previous`. If one of `readers` reads the same source, the new reader takes over its open file, which may have
  /// been renamed or removed since. Opening the path is the last resort. The readers passed here must not be used any
  /// more. DSD is converted to PCM if `playsDSD` returns `false` for its shape, or if the source has a gain or a speed.
  init(
    _ source: PlaybackSource, at position: Duration, after previous: SourceReader?,
    reusing readers: [SourceReader], previousGain: Float?, open: DecoderFactory,
    playsDSD: (StreamShape) -> Bool, watch: BlockingWatch,
    isInterrupted: @escaping () -> Bool, onText: @escaping (SourceText, Duration) -> Void
  ) throws(DecodingError) {
    self.source = source
    self.watch = watch
    self.onText = onText
    var decoder: any AudioDecoder
    func mustConvertDSD(_ shape: StreamShape) -> Bool {
      source.gain != .unity || source.speed != .normal || !playsDSD(shape)
    }
    // A decoder that converts DSD is of no use where this need not be converted any more.
    func isUsable(_ reader: SourceReader) -> Bool { reader.convertedDSD.map(mustConvertDSD) ?? true }
    if position <= .zero, let previous, isUsable(previous), let successor = previous.successor(source) {
      decoder = successor
    } else if let reused = Self.seekedDecoder(source, position, readers.filter(isUsable)) {
      decoder = reused
    } else {
      decoder = try Self.opened(source, at: position, open)
    }
    var convertedDSD: StreamShape?
    if decoder.format.isDSD, mustConvertDSD(decoder.format.shape), let converted = try decoder.pcmDecoder() {
      convertedDSD = decoder.format.shape
      decoder = converted
      if position > .zero { try decoder.seek(toFrame: Self.frame(position, in: decoder)) }
    }
    self.convertedDSD = convertedDSD
    let format = decoder.format
    var wanted = source.frames
    if format.isDSD || !decoder.isSeekable
      || wanted?.areOfFile(sampleRate: format.sampleRate, statedFrameCount: decoder.frameCount) == false
    {
      wanted = nil
    }
    var beginning = wanted.map { $0.start > 0 && $0.start < decoder.frameCount ?? .max ? $0.start : 0 } ?? 0
    if position <= .zero, beginning > 0, (try? decoder.seek(toFrame: beginning)) == nil {
      // What cannot be sought is played whole.
      decoder = try Self.opened(source, at: .zero, open)
      if convertedDSD != nil, let converted = try decoder.pcmDecoder() { decoder = converted }
      (wanted, beginning) = (nil, 0)
    }
    self.decoder = decoder
    self.beginning = beginning
    let first = position > .zero ? Self.frame(position, in: decoder) : beginning
    passage = source.passage.flatMap { passage in
      let (start, end) = (Self.frame(passage.start, in: decoder), Self.frame(passage.end, in: decoder))
      return start < end && first < end && decoder.isSeekable ? start..<end : nil
    }
    // What was stretched may have been written one frame beyond the end.
    let last = wanted?.end.flatMap { beginning < $0 && first - 1 <= $0 ? $0 : nil }
    end = passage == nil ? last : nil
    frame = end.map { min(first, $0) } ?? first
    ramp = GainRamp(decoder.format.isDSD ? 1 : previousGain ?? source.gain.factor)
    ramp.move(to: source.gain.factor, over: decoder.format.sampleRate * Self.gainFadeMilliseconds / 1000)
    decoder.setInterruption(isInterrupted)
  }

  /// Creates a reader of the rest of the file of `reader`, which is at the end of its format; returns `nil` if the file
  /// or the source has ended. May block on the file.
  init?(after reader: SourceReader) throws(DecodingError) {
    guard reader.end == nil, let (decoder, firstFrame) = try reader.decoder.continuation() else { return nil }
    (source, watch, self.decoder, frame) = (reader.source, reader.watch, decoder, firstFrame)
    // A decoder of the rest cannot seek to before it.
    (passage, end) = (nil, nil)
    beginning = 0
    convertedDSD = reader.convertedDSD
    onText = reader.onText
    ramp = GainRamp(source.gain.factor)
  }

  private static func opened(
    _ source: PlaybackSource, at position: Duration, _ open: DecoderFactory
  ) throws(DecodingError) -> any AudioDecoder {
    var decoder = try open(source.path)
    if let segment = source.segment {
      decoder = try SegmentDecoder(decoder, segment: segment, path: source.path)
    }
    let frame = Self.frame(position, in: decoder)
    if frame > 0 { try decoder.seek(toFrame: frame) }
    return decoder
  }

  private static func frame(_ position: Duration, in decoder: any AudioDecoder) -> Int64 {
    position > .zero ? decoder.format.frame(at: position) : 0
  }

  /// Returns the decoder of one of `readers` after seeking to `position` in `source`; `nil` if none can. A reader of
  /// the rest of a file cannot seek to the formats before it.
  private static func seekedDecoder(
    _ source: PlaybackSource, _ position: Duration, _ readers: [SourceReader]
  ) -> (any AudioDecoder)? {
    for reader in readers.reversed() where reader.source.id == source.id {
      if let decoder = reader.seekedDecoder(source, position) { return decoder }
    }
    return nil
  }

  /// Returns this reader's decoder after seeking to `position`; `nil` if `source` is another part of a file, or the
  /// seek fails.
  private func seekedDecoder(_ source: PlaybackSource, _ position: Duration) -> (any AudioDecoder)? {
    guard source.path == self.source.path, source.segment == self.source.segment,
      (try? decoder.seek(toFrame: Self.frame(position, in: decoder))) != nil
    else { return nil }
    return decoder
  }

  /// Returns a decoder for `next` if the part of the file that it plays begins here; otherwise `nil`.
  private func successor(_ next: PlaybackSource) -> (any AudioDecoder)? {
    guard next.path == source.path, let segment = next.segment, lookAhead.isEmpty else { return nil }
    return (decoder as? SegmentDecoder)?.successor(segment)
  }

  /// Returns the origin of the next frame; `isProcessed` says whether a later step changes the samples.
  func origin(isProcessed: Bool) -> FrameOrigin {
    var origin = FrameOrigin(
      source: source.id, format: format, frame: frame, frameCount: frameCount, beginning: beginning,
      encoding: SourceEncoding(
        bitRate: decoder.bitRate, library: decoder.library, codec: decoder.codec, isSeekable: decoder.isSeekable),
      passNumber: passNumber, isProcessed: isProcessed || !ramp.isUnity)
    origin.speed = source.speed
    return origin
  }

  /// The number of frames that the file states by now; `nil` if it states none.
  var frameCount: Int64? { decoder.frameCount }

  /// Whether the file contains more since the end was reached. May block on the file.
  var hasGrown: Bool { hasEnded && decoder.hasGrown }

  /// The remaining duration; `nil` if the file does not state its length. While a passage is repeated, it has no end.
  var rest: Duration? {
    if passage != nil { return .seconds(Int64.max) }
    return [end, frameCount].compactMap(\.self).min().map { format.duration(ofFrames: max(0, $0 - frame)) }
  }

  /// Called with what a stream says of the frames from a position on.
  private let onText: (SourceText, Duration) -> Void
  private var text: SourceText?

  /// Whether the end was reached, and reported.
  var hasEnded = false

  /// The error that ended the file early; `nil` if there was none.
  var failure: DecodingError? { decoder.failure }

  /// Fills the beginning of `buffer`, up to the end of the source, of a gain change, or of the passage that is
  /// repeated. Returns the number of frames: 0 at the end, or if the thread was abandoned.
  func read(into buffer: UnsafeMutableBufferPointer<Float>) -> Int {
    let channels = format.channels
    let capacity = min(
      buffer.count / channels, ramp.isMoving ? ramp.framesLeft + lookAhead.count / channels : .max,
      (passage?.upperBound ?? end).map { Int(clamping: $0 - frame) } ?? .max)
    var filled = unsafe takeLookAhead(into: buffer, capacity: capacity)
    while filled < capacity {
      let rest = unsafe UnsafeMutableBufferPointer(
        rebasing: buffer[(filled * channels)..<(capacity * channels)])
      let count = unsafe readDecoder(into: rest)
      guard count > 0 else { break }
      filled += count
    }
    frame += Int64(filled)
    return filled
  }

  /// Goes back to the beginning of the passage that is repeated, once its end or that of the file is reached; returns
  /// whether there is one. May block on the file.
  func repeatPassage() -> Bool {
    guard let passage, frame > passage.lowerBound, decoder.failure == nil else { return false }
    watch.begin()
    let result = Result { () throws(DecodingError) in try decoder.seek(toFrame: passage.lowerBound) }
    guard watch.end(), (try? result.get()) != nil else { return false }
    lookAhead = []
    frame = passage.lowerBound
    passNumber += 1
    return true
  }

  /// Returns the next frames, at most `count`, without consuming them.
  func peek(_ count: Int) -> ArraySlice<Float> {
    let channels = format.channels
    while lookAhead.count < count * channels {
      let missing = count * channels - lookAhead.count
      let more = unsafe [Float](unsafeUninitializedCapacity: missing) { buffer, initialized in
        initialized =
          unsafe readDecoder(into: UnsafeMutableBufferPointer(rebasing: buffer[..<missing])) * channels
      }
      guard !more.isEmpty else { break }
      lookAhead += more
    }
    return lookAhead.prefix(count * channels)
  }

  private func takeLookAhead(into buffer: UnsafeMutableBufferPointer<Float>, capacity: Int) -> Int {
    guard !lookAhead.isEmpty else { return 0 }
    let piece = lookAhead.prefix(capacity * format.channels)
    _ = unsafe buffer.update(fromContentsOf: piece)
    lookAhead = lookAhead.dropFirst(piece.count)
    return piece.count / format.channels
  }

  private func readDecoder(into buffer: UnsafeMutableBufferPointer<Float>) -> Int {
    watch.begin()
    // Stop at the end of a gain change: the frames after it are unchanged again.
    let sampleLimit = ramp.isMoving ? min(buffer.count, ramp.framesLeft * format.channels) : buffer.count
    let count = unsafe max(0, decoder.read(into: UnsafeMutableBufferPointer(rebasing: buffer[..<sampleLimit])))
    guard watch.end() else { return 0 }
    if let newText = decoder.text, newText != text {
      text = newText
      onText(newText, format.duration(ofFrames: frame))
    }
    if !ramp.isUnity {
      unsafe ramp.apply(
        to: UnsafeMutableBufferPointer(rebasing: buffer[..<(count * format.channels)]),
        channels: format.channels)
    }
    return count
  }
}
