import Platform

/// How much silence has to follow the last sound through PulseAudio for that to be heard to its end.
///
/// A stream begins to be heard when its buffer is full, after it ran dry, too; libao closes it without asking for what it
/// holds. And libao closes it early, by the delay that the sink had when it was opened; what the sink holds of a stream that
/// ends is taken back from it (`PA_SINK_MESSAGE_REMOVE_INPUT` in PulseAudio 16's sink.c), which is half of the buffer at most.
struct PulseTail {
  private let bufferFrames: Int
  private let sampleRate: Int
  /// When all that was written will have been heard, if it began at once.
  private var end = MonotonicInstant(nanoseconds: 0)
  /// The frames written since the buffer was dry, as far as they matter.
  private var frameCount = 0

  /// Of a stream with a buffer of `bufferFrames` frames, `sampleRate` a second.
  init(bufferFrames: Int, sampleRate: Int) {
    self.bufferFrames = bufferFrames
    self.sampleRate = max(1, sampleRate)
  }

  /// Notes that `count` frames are about to be written at `now`.
  mutating func write(_ count: Int, at now: MonotonicInstant) {
    if now >= end { frameCount = 0 }
    let length = UInt64(clamping: count) * 1_000_000_000 / UInt64(clamping: sampleRate)
    end = MonotonicInstant(nanoseconds: max(end, now).nanoseconds + length)
    frameCount = min(frameCount + count, bufferFrames)
  }

  /// How many frames of silence to write before closing.
  var silence: Int { frameCount == 0 ? 0 : max(bufferFrames - frameCount, bufferFrames / 2) }
}
