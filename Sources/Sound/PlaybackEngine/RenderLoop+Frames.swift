// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Platform
import Synchronization

/// The hot path of the render loop. Everything that it uses is a constant of the loop or is retained by its caller, so
/// there is no reference counting.
extension RenderLoop {
  /// Writes frames from the ring of `pipeline` to `output`, until the next block is missing, unsuitable or held back,
  /// or the target changes.
  func play(_ pipeline: DecoderPipeline, to output: any AudioOutput) {
    while context.target.load(ordering: .acquiring) == .run, !isAbandoned {
      let gate = context.nextTrackGate.state
      guard context.pipelineNumber.load(ordering: .relaxed) == pipeline.number,
        let block = unsafe pipeline.ring.firstBlock(),
        let frames = unsafe block.header.frames, unsafe !isStale(block.header), accepts(frames.format, output),
        unsafe !mustDrop(block), unsafe !mustWait(block.header, at: gate)
      else { return }
      unsafe announce(frames, generation: block.header.generation)
      updateRamp(frames.format)
      // Stops at the end of a fade: the frames after it are unchanged again.
      let frameLimit = ramp.isMoving ? ramp.framesLeft : .max
      let count = min(frames.count - offset, frameLimit, max(1, output.periodFrames))
      guard unsafe write(block, frames, count, pipeline, to: output) else { return }
    }
  }

  /// Fades the next frames to silence, so that whatever follows starts without a click.
  func fadeOut() {
    guard !isSilent, let output else { return }
    let pipeline = pipeline
    var isBegun = false
    while !isAbandoned, case let gate = context.nextTrackGate.state, let block = unsafe pipeline.ring.firstBlock(),
      let frames = unsafe block.header.frames, accepts(frames.format, output),
      unsafe block.header.generation == announcedGeneration,
      unsafe !mustDrop(block), unsafe !mustWait(block.header, at: gate)
    {
      if !isBegun {
        gainBeforeFade = ramp.gain
        ramp.move(to: 0, over: fadeFrames(frames.format, GainTarget.fadeMilliseconds))
      }
      isBegun = true
      guard ramp.isMoving else { break }
      unsafe announce(frames, generation: block.header.generation)
      let count = min(frames.count - offset, ramp.framesLeft, max(1, output.periodFrames))
      guard unsafe write(block, frames, count, pipeline, to: output) else { break }
    }
    isSilent = true
    guard !isAbandoned, let block = unsafe pipeline.ring.firstBlock(), let frames = unsafe block.header.frames
    else { return }
    unsafe post(.held, frames.origin(at: offset), generation: block.header.generation, due: nextDue)
  }

  /// Writes the next `count` frames of `block`, the first block of `pipeline`, and releases the block after its last
  /// frame; returns `false` if the output accepts no more.
  private func write(
    _ block: FrameRing.Block, _ frames: StreamFrames, _ count: Int, _ pipeline: DecoderPipeline,
    to output: any AudioOutput
  ) -> Bool {
    let format = frames.format
    let piece = unsafe UnsafeMutableBufferPointer(
      rebasing: block.samples[(offset * format.channels)..<((offset + count) * format.channels)])
    let depth = output.format.depth
    let needsDither =
      frames.origin.isProcessed || format.sourceDepth ?? depth > depth || isVolumeChanged(format)
    // Applying a constant gain during the conversion costs nothing.
    let gain = ramp.isMoving ? 1 : ramp.gain
    if ramp.isMoving { unsafe ramp.apply(to: piece, channels: format.channels) }
    let samples = UnsafeBufferPointer(piece)
    let byteCount =
      needsDither
      ? unsafe depth.convert(samples, gain: gain, to: bytes, dither: &dither)
      : unsafe depth.convert(samples, gain: gain, to: bytes)
    if levels.isOn.load(ordering: .relaxed) {
      unsafe levels.publish(
        samples, channels: format.channels, gain: gain, sampleRate: format.sampleRate, due: nextDue)
    }
    let start = clock.now
    if deviceClock.bufferFrames > 0 { watch.begin(at: start) }
    do throws(OutputError) {
      try unsafe output.write(UnsafeRawBufferPointer(rebasing: bytes[..<byteCount]))
    } catch {
      isAbandoned = !watch.end()
      if !isAbandoned { unsafe handleWriteError(error, generation: block.header.generation) }
      return false
    }
    isAbandoned = !watch.end()
    guard !isAbandoned else { return false }
    deviceClock.recordWrite(of: count, from: start, to: clock.now)
    if deviceClock.hasRunDry, !isSilent { context.underrunCount.add(1, ordering: .relaxed) }
    isSilent = false
    offset += count
    unsafe publishPosition(frames, generation: block.header.generation)
    if offset == frames.count { release(pipeline) }
    return true
  }

  /// Reports the first frames of a source, or of another format in its file, and sets the gain with which they start.
  private func announce(_ frames: StreamFrames, generation: UInt64) {
    let (source, sourceFormat) = (frames.origin.source, frames.origin.format)
    // After a command, the older generation may have had no frames left to fade out.
    if isSilent || announcedGeneration != generation {
      let wanted = context.gain.load(ordering: .relaxed)
      // A long fade continues from its earlier gain.
      let gain = wanted.milliseconds > GainTarget.fadeMilliseconds ? gainBeforeFade : wanted.gain
      isFadingIn = true
      let isBeginning = frames.origin.frame == 0 && offset == 0
      // The output was only reopened in another format.
      let continues = announcedGeneration == generation && announcedFormat != sourceFormat
      ramp = GainRamp(isBeginning || continues ? gain : 0)
      ramp.move(to: gain, over: fadeFrames(frames.format, GainTarget.fadeMilliseconds))
    }
    guard announcedGeneration != generation || announcedSource != source || announcedFormat != sourceFormat else {
      return
    }
    (announcedGeneration, announcedSource, announcedFormat) = (generation, source, sourceFormat)
    let origin = frames.origin(at: offset)
    firstFrame = origin.frame
    let due = nextDue
    positionPublisher.publishTransition(at: due, generation: generation)
    post(.started(stream: frames.format), origin, generation: generation, due: due)
  }

  /// The instant at which the next frame to be written will be audible.
  private var nextDue: MonotonicInstant {
    let now = clock.now
    return MonotonicInstant(nanoseconds: now.nanoseconds + deviceClock.lag(at: now))
  }

  private func publishPosition(_ frames: StreamFrames, generation: UInt64) {
    let now = clock.now
    positionPublisher.publish(
      generation: generation, source: frames.origin.source, firstFrame: firstFrame,
      frame: frames.origin(at: offset).frame, sampleRate: frames.origin.format.sampleRate,
      lag: deviceClock.lag(at: now), now: now)
  }

  private func updateRamp(_ format: AudioFormat) {
    let wanted = context.gain.load(ordering: .relaxed)
    if isFadingIn, ramp.isMoving { return }
    isFadingIn = false
    guard ramp.target != wanted.gain else { return }
    ramp.move(to: wanted.gain, over: fadeFrames(format, wanted.milliseconds))
  }

  /// Whether the volume changes the coming samples, for longer than a fade lasts.
  private func isVolumeChanged(_ format: AudioFormat) -> Bool {
    ramp.target != 0 && ramp.target != 1 || ramp.framesLeft > fadeFrames(format, GainTarget.fadeMilliseconds)
  }

  private func fadeFrames(_ format: AudioFormat, _ milliseconds: UInt32) -> Int {
    Int(clamping: (Int64(format.sampleRate) * Int64(milliseconds) + 500) / 1000)
  }
}
