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
      guard hasRoom(pipeline, frames, in: output) else { return }
      unsafe announce(frames, generation: block.header.generation)
      if rewindable == nil {
        updateRamp(sampleRate: frames.format.sampleRate)
      } else if isGainOutdated {
        return
      }
      if isEqualiserOutdated || context.mustReopen.load(ordering: .relaxed) { return }
      guard unsafe write(block, frames, pieceCount(frames, output), pipeline, to: output) else { return }
    }
  }

  /// Returns the number of frames to write at once, which ends at the end of a fade: the frames after it are unchanged
  /// again.
  private func pieceCount(_ frames: StreamFrames, _ output: any AudioOutput) -> Int {
    min(
      frames.count - offset, ramp.isMoving ? ramp.framesLeft : .max, equaliser.fadeFramesLeft(at: rewinding.total),
      max(1, output.periodFrames))
  }

  /// Fades the next frames to silence, so that whatever follows starts without a click.
  func fadeOut() {
    // If this fails, the output is closed.
    if !isSilent { takeBack() }
    guard !isSilent, !isAbandoned, let output else { return }
    let pipeline = pipeline
    var isBegun = false
    while !isAbandoned, case let gate = context.nextTrackGate.state, let block = unsafe pipeline.ring.firstBlock(),
      let frames = unsafe block.header.frames, accepts(frames.format, output),
      unsafe block.header.generation == announced?.generation,
      unsafe !mustDrop(block), unsafe !mustWait(block.header, at: gate)
    {
      if !isBegun {
        gainBeforeFade = isFadingIn && ramp.isMoving ? ramp.target : ramp.gain
        moveRamp(to: 0, over: fadeFrames(frames.format.sampleRate, GainTarget.fadeMilliseconds))
      }
      isBegun = true
      guard ramp.isMoving else { break }
      unsafe announce(frames, generation: block.header.generation)
      guard unsafe write(block, frames, pieceCount(frames, output), pipeline, to: output) else { break }
    }
    guard !isAbandoned else { return }
    isSilent = true
    // What comes next does not continue what was faded out.
    rewinding.end()
    // Not what ALSA puts behind the end, which is silence only in PCM.
    rewinding.isComplete = playsDSD
    releasePassed()
    guard let block = unsafe pipeline.ring.firstBlock(), let frames = unsafe block.header.frames,
      unsafe block.header.generation == announced?.generation
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
    let isEqualised = !format.isDSD && equaliser.isActive(at: rewinding.total)
    let piece =
      unsafe isEqualised
      ? equalised(block, frames, count, pipeline)
      : UnsafeMutableBufferPointer(
        rebasing: block.samples[(offset * format.channels)..<((offset + count) * format.channels)])
    let depth = output.format.depth
    let needsDither =
      !format.isDSD
      && (isEqualised || frames.origin.isProcessed || format.sourceDepth ?? depth > depth || isVolumeChanged(format))
    // Applying a constant gain during the conversion costs nothing.
    let isRamped = ramp.isMoving || format.isDSD && !ramp.isUnity
    let gain = isRamped ? 1 : ramp.gain
    let samples = unsafe isRamped ? ramped(piece, format, isCopy: isEqualised) : UnsafeBufferPointer(piece)
    let byteCount =
      needsDither
      ? unsafe depth.convert(samples, gain: gain, to: bytes, dither: &dither)
      : unsafe depth.convert(samples, gain: gain, to: bytes)
    if history.isOn, !format.isDSD {
      unsafe history.record(
        samples, channels: format.channels, gain: gain, sampleRate: format.sampleRate, frame: rewinding.total,
        due: nextDue)
    }
    let start = clock.now
    let hasRunOut = hasRunOut
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
    if rewindable == nil ? deviceClock.hasRunDry : hasRunOut, !isSilent {
      context.underrunCount.add(1, ordering: .relaxed)
    }
    isSilent = false
    offset += count
    rewinding.recordWrite(of: count)
    unsafe publishPosition(frames, generation: block.header.generation)
    if offset == frames.count { pass(pipeline, usedFrames: frames.count) }
    return true
  }

  /// Ends the stream if it is DSD to which a volume or the equaliser has to be applied, so that it is decoded again as
  /// PCM from here.
  func endDSDWithVolume() {
    guard playsDSD, let channels = output?.format.channels else { return }
    guard !context.leavesSamples(channels: channels) else { return rewinding.hasHandledVolume = false }
    if !rewinding.hasHandledVolume { takeBack() }
    rewinding.hasHandledVolume = true
    guard !isAbandoned, let frames = nextDSD else { return }
    fadeOut()
    guard !isAbandoned, let rest = nextDSD, rest.generation == frames.generation else { return }
    endGeneration(rest.generation, toConvert: rest.origin)
  }

  /// The next frame in the ring that is DSD and can be written; `nil` if there is none.
  private var nextDSD: (generation: UInt64, origin: FrameOrigin)? {
    let gate = context.nextTrackGate.state
    guard let block = unsafe pipeline.ring.firstBlock(), let frames = unsafe block.header.frames,
      frames.format.isDSD, unsafe !mustDrop(block), unsafe !mustWait(block.header, at: gate)
    else { return nil }
    return (unsafe block.header.generation, frames.origin(at: offset))
  }

  /// Reports the first frames of a source, of another format in its file, of what has been added to the file, or of a
  /// passage that is repeated, and sets the gain with which they start.
  private func announce(_ frames: StreamFrames, generation: UInt64) {
    let (source, sourceFormat) = (frames.origin.source, frames.origin.format)
    let wasSilent = isSilent
    // After a command, the older generation may have had no frames left to fade out.
    if announced?.generation != generation { equaliser.reset() }
    if isSilent || announced?.generation != generation {
      let wanted = wantedGain
      // A long fade continues from its earlier gain.
      let gain = wanted.isFade ? gainBeforeFade : wanted.gain
      isFadingIn = true
      let isBeginning = frames.origin.frame == frames.origin.beginning && offset == 0
      // The output was only reopened in another format.
      let continues = announced?.generation == generation && announced?.format != sourceFormat
      ramp = GainRamp(isBeginning || continues ? gain : 0)
      moveRamp(to: gain, over: fadeFrames(frames.format.sampleRate, GainTarget.fadeMilliseconds))
    }
    let origin = frames.origin(at: offset)
    let announcement = Announcement(
      generation: generation, source: source, format: sourceFormat, firstFrame: origin.frame,
      frameCount: origin.frameCount, passNumber: origin.passNumber)
    guard announced.map({ !$0.covers(announcement) }) ?? true else {
      // The write that follows ends the silence.
      if wasSilent { post(.resumed, origin, generation: generation, due: nextDue) }
      return
    }
    rewinding.recordAnnouncement(after: announced)
    announced = announcement
    let due = nextDue
    positionPublisher.publishTransition(at: due, generation: generation)
    post(.started(stream: frames.format), origin, generation: generation, due: due)
  }

  /// The instant at which the next frame to be written will be audible.
  var nextDue: MonotonicInstant {
    let now = clock.now
    return MonotonicInstant(nanoseconds: now.nanoseconds + lag(at: now))
  }

  func publishPosition(_ frames: StreamFrames, generation: UInt64) {
    let now = clock.now
    let frame = frames.origin(at: offset).frame
    let firstFrame = announced?.generation == generation ? announced?.firstFrame : nil
    positionPublisher.publish(
      generation: generation, source: frames.origin.source, firstFrame: firstFrame ?? frame,
      frame: frame, sampleRate: frames.origin.format.sampleRate, speed: frames.speed.factor,
      lag: lag(at: now), now: now)
  }

  /// The gain with which to write frames: the volume, unless the output applies that, or converting DSD will.
  var wantedGain: GainTarget {
    let target = context.gain.load(ordering: .relaxed)
    guard playsDSD || rewindable?.appliesVolume == true, !target.isFade else { return target }
    return GainTarget(gain: 1, milliseconds: target.milliseconds)
  }

  /// Whether the gain has to change, now that no fade-in is under way.
  var isGainOutdated: Bool {
    wantedGain.gain != ramp.target && !isSilent && !(isFadingIn && ramp.isMoving)
  }

  /// Begins to change the gain with the next frame, if it is outdated.
  func updateRamp(sampleRate: Int) {
    let wanted = wantedGain
    if isFadingIn, ramp.isMoving { return }
    isFadingIn = false
    guard ramp.target != wanted.gain else { return }
    moveRamp(to: wanted.gain, over: fadeFrames(sampleRate, wanted.milliseconds))
  }

  /// Whether the volume changes the coming samples, for longer than a fade lasts.
  private func isVolumeChanged(_ format: AudioFormat) -> Bool {
    ramp.target != 0 && ramp.target != 1 || ramp.framesLeft > fadeFrames(format.sampleRate, GainTarget.fadeMilliseconds)
  }

  private func fadeFrames(_ sampleRate: Int, _ milliseconds: UInt32) -> Int {
    Int(clamping: (Int64(sampleRate) * Int64(milliseconds) + 500) / 1000)
  }
}
