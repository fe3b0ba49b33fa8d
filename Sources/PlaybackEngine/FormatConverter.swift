import AudioCore

/// Converts the frames of sources of one shape to another: first the channels, then the sample rate. Belongs to the decode thread.
final class FormatConverter {
  /// How many source frames are converted at a time.
  private static let pieceFrames = 2048
  /// What is beyond it, at 96 dB above full scale, is no sound.
  private static let greatestSample: Float = 65_536

  private let from: StreamShape
  private let to: StreamShape
  private let mix: ChannelMix?
  private let resampler: (any Resampler)?
  /// Frames as the source gives them.
  private var raw: [Float]
  /// Frames with the channels of the stream, of which `waiting` wait for the resampler.
  private var mixed: [Float]
  private var waiting = 0..<0
  /// The frames that the sources have given.
  private var taken: Int64 = 0
  /// Frames that come before the first: they are heard already, and only lead in.
  private var leadIn = 0
  private var sink: [Float] = []

  /// A converter between these shapes, or `nil` where there is none.
  init?(from: StreamShape, to: StreamShape, resamplers: ResamplerFactory) {
    self.from = from
    self.to = to
    mix = from.channels == to.channels ? nil : ChannelMix(from: from.channels, to: to.channels)
    if from.channels != to.channels, mix == nil { return nil }
    resampler =
      from.sampleRate == to.sampleRate ? nil : resamplers(from.sampleRate, to.sampleRate, to.channels)
    if from.sampleRate != to.sampleRate, resampler == nil { return nil }
    raw = [Float](repeating: 0, count: Self.pieceFrames * from.channels)
    mixed = [Float](repeating: 0, count: Self.pieceFrames * to.channels)
  }

  /// Whether it changes the sample rate, so that what comes out depends on what stands around it.
  var resamples: Bool { resampler != nil }

  /// How many frames come out of those that the sources have given so far, when the last of them has come out.
  var framesDue: Int64 { Self.frames(taken, from: from.sampleRate, to: to.sampleRate) }

  /// Lets the stream sound as if it went on from `tail`, frames of the stream's own shape that were played just before: so the
  /// filter does not hear a beginning out of silence.
  func leadIn(from tail: ArraySlice<Float>, resamplers: ResamplerFactory) {
    guard let resampler else { return }
    let period = to.sampleRate / Self.greatestDivisor(from.sampleRate, to.sampleRate)
    let frames = tail.count / to.channels / period * period
    guard frames > 0, let back = resamplers(to.sampleRate, from.sampleRate, to.channels) else { return }
    let lead = Self.convert(
      tail.suffix(frames * to.channels), by: back, ratio: (to, from), channels: to.channels)
    leadIn = frames
    var offered = lead[...]
    while !offered.isEmpty, leadIn > 0 {
      let taken = unsafe offered.withUnsafeBufferPointer { input in
        unsafe passLeadIn { unsafe resampler.process(input, into: $0) }.taken
      }
      guard taken > 0 else { break }
      offered = offered.dropFirst(taken * to.channels)
    }
  }

  /// Fills the beginning of `room` from `reader`; gives 0 when the reader has ended.
  func read(from reader: SourceReader, into room: UnsafeMutableBufferPointer<Float>) -> Int {
    let capacity = room.count / to.channels
    var filled = 0
    while filled < capacity {
      if waiting.isEmpty, !refill(from: reader) { break }
      filled += unsafe pass(
        into: UnsafeMutableBufferPointer(rebasing: room[(filled * to.channels)..<(capacity * to.channels)]))
    }
    return filled
  }

  /// No more frames of a source come; what follows sounds like `next`, frames of the source's shape.
  func finish(before next: ArraySlice<Float>) {
    guard !next.isEmpty else { return }
    let frames = next.count / from.channels
    if mixed.count < frames * to.channels {
      mixed = [Float](repeating: 0, count: frames * to.channels)
    }
    unsafe next.withUnsafeBufferPointer { input in
      unsafe mixed.withUnsafeMutableBufferPointer { output in
        if let mix {
          _ = unsafe mix.apply(input, into: output)
        } else {
          _ = unsafe output.update(fromContentsOf: input)
        }
      }
    }
    waiting = 0..<frames
  }

  /// Fills the beginning of `room` with what is still inside, and gives the number of frames, 0 when there is none.
  func drain(into room: UnsafeMutableBufferPointer<Float>) -> Int {
    let capacity = room.count / to.channels
    var filled = 0
    while filled < capacity, let resampler {
      let rest = unsafe UnsafeMutableBufferPointer(
        rebasing: room[(filled * to.channels)..<(capacity * to.channels)])
      if !waiting.isEmpty {
        filled += unsafe pass(into: rest)
      } else if leadIn > 0 {
        guard unsafe passLeadIn({ (0, unsafe resampler.finish(into: $0)) }).put > 0 else { break }
      } else {
        let count = unsafe resampler.finish(into: rest)
        guard count > 0 else { break }
        filled += count
      }
    }
    return filled
  }

  /// All of `frames`, a stream of its own. For a converter that is used for nothing else.
  func convertAll(_ frames: ArraySlice<Float>) -> ArraySlice<Float> {
    finish(before: frames)
    let mixed = waiting.isEmpty ? frames : self.mixed[..<(waiting.count * to.channels)]
    waiting = 0..<0
    guard let resampler else { return mixed }
    return Self.convert(mixed, by: resampler, ratio: (from, to), channels: to.channels)[...]
  }

  /// Reads the next piece and mixes it; `false` where the reader has ended.
  private func refill(from reader: SourceReader) -> Bool {
    let count = unsafe raw.withUnsafeMutableBufferPointer { unsafe reader.read(into: $0) }
    guard count > 0 else { return false }
    taken += Int64(count)
    silenceWhatIsNoSound(count * from.channels)
    if let mix {
      unsafe raw.withUnsafeBufferPointer { input in
        unsafe mixed.withUnsafeMutableBufferPointer { output in
          _ = unsafe mix.apply(UnsafeBufferPointer(rebasing: input[..<(count * from.channels)]), into: output)
        }
      }
    } else {
      swap(&raw, &mixed)
    }
    waiting = 0..<count
    return true
  }

  /// Makes silence of raw samples that are no number, or so large that a filter would make no number of them.
  private func silenceWhatIsNoSound(_ count: Int) {
    for index in 0..<count where !(raw[index].magnitude < Self.greatestSample) { raw[index] = 0 }
  }

  /// Passes frames that wait on into `room`; gives how many came out.
  private func pass(into room: UnsafeMutableBufferPointer<Float>) -> Int {
    let channels = to.channels
    let (taken, put) = unsafe mixed.withUnsafeBufferPointer { buffer -> (Int, Int) in
      let input = unsafe UnsafeBufferPointer(
        rebasing: buffer[(waiting.lowerBound * channels)..<(waiting.upperBound * channels)])
      if let resampler {
        if leadIn > 0 { return (unsafe passLeadIn { unsafe resampler.process(input, into: $0) }.taken, 0) }
        return unsafe resampler.process(input, into: room)
      }
      let count = min(waiting.count, room.count / channels)
      _ = unsafe room.update(fromContentsOf: input.prefix(count * channels))
      return (count, count)
    }
    waiting = (waiting.lowerBound + taken)..<waiting.upperBound
    return put
  }

  /// Throws away what `step` puts out, as far as that is the lead-in; gives the numbers of frames.
  private func passLeadIn(
    _ step: (UnsafeMutableBufferPointer<Float>) -> (taken: Int, put: Int)
  ) -> (taken: Int, put: Int) {
    if sink.isEmpty { sink = [Float](repeating: 0, count: Self.pieceFrames * to.channels) }
    let room = min(leadIn, Self.pieceFrames) * to.channels
    let numbers = unsafe sink.withUnsafeMutableBufferPointer { sink in
      unsafe step(UnsafeMutableBufferPointer(rebasing: sink[..<room]))
    }
    leadIn -= numbers.put
    return numbers
  }

  // MARK: Arithmetic

  /// How many frames at the rate `to` last as long as `frames` at the rate `from`, rounded.
  static func frames(_ frames: Int64, from: Int, to: Int) -> Int64 {
    let (whole, rest) = frames.quotientAndRemainder(dividingBy: Int64(from))
    return whole * Int64(to) + (2 * rest * Int64(to) + Int64(from)) / (2 * Int64(from))
  }

  private static func greatestDivisor(_ left: Int, _ right: Int) -> Int {
    right == 0 ? left : greatestDivisor(right, left % right)
  }

  /// All of `frames`, resampled.
  static func convert(
    _ frames: ArraySlice<Float>, by resampler: any Resampler, ratio: (from: StreamShape, to: StreamShape),
    channels: Int
  ) -> [Float] {
    let due = Int(
      Self.frames(Int64(frames.count / channels), from: ratio.from.sampleRate, to: ratio.to.sampleRate))
    return unsafe [Float](unsafeUninitializedCapacity: due * channels) { buffer, initialized in
      var offered = frames
      var filled = 0
      while filled < due {
        let rest = unsafe UnsafeMutableBufferPointer(rebasing: buffer[(filled * channels)..<(due * channels)])
        let (taken, put) =
          unsafe offered.isEmpty
          ? (0, resampler.finish(into: rest))
          : offered.withUnsafeBufferPointer { unsafe resampler.process($0, into: rest) }
        if taken == 0, put == 0 { break }
        offered = offered.dropFirst(taken * channels)
        filled += put
      }
      initialized = filled * channels
    }
  }
}
