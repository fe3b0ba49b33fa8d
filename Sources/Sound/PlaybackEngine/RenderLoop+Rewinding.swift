// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Platform
import Synchronization

/// The frames that were reported as the first ones of a source, or of another format in its file.
struct Announcement: Sendable, Hashable, BitwiseCopyable {
  let generation: UInt64
  let source: PlaybackSource.ID
  let format: AudioFormat
  /// The first frame of the source that was written.
  let firstFrame: Int64
  /// The number of frames that the source states, which changes if its file grows.
  let frameCount: Int64?
  /// The number of times that a passage of the source was repeated.
  let passNumber: Int

  /// Whether frames that would be reported like `other` need no report of their own.
  func covers(_ other: Announcement) -> Bool {
    generation == other.generation && source == other.source && format == other.format
      && frameCount == other.frameCount && passNumber == other.passNumber
  }
}

/// What has been written to an output since playback was last interrupted, as far as it may be taken back.
struct RewindState {
  /// An announcement that another one replaced.
  private struct Replaced {
    let announcement: Announcement?
    /// The number of frames that had been written before.
    let count: Int64
  }

  /// The maximum number of replaced announcements: more than an output buffers.
  private static let announcementLimit = 64

  /// The number of frames that were written since playback was interrupted.
  private(set) var count: Int64 = 0
  /// The number of frames that were ever written, but not taken back.
  private(set) var total: Int64 = 0
  /// The number of frames that were written of the blocks that were passed but not released.
  private(set) var keptFrames = 0
  /// Whether no more frames follow for now.
  var isComplete = false
  /// The gain ramp that was begun last, and the number of frames that had been written before.
  private var ramp: (start: GainRamp, count: Int64)?
  private var replaced: [Replaced] = []
  /// How often the next track had been changed when frames were last taken back for that.
  var handledClosings: UInt64 = 0
  /// Whether DSD was taken back because a volume or the equaliser has to be applied.
  var hasHandledVolume = false
  /// The gain for which frames were last taken back.
  var handledGain: GainTarget?
  /// The number of the equaliser's change for which frames were last taken back.
  var handledEqualiser: UInt64 = 0
  /// Whether what had been written when the history was switched on was taken back, so that it is recorded.
  var hasHandledHistory = false

  init() { replaced.reserveCapacity(Self.announcementLimit) }

  /// Records that playback is interrupted: what was written before cannot be taken back any more.
  mutating func end() {
    (count, ramp) = (0, nil)
    forgetKept()
    replaced.removeAll(keepingCapacity: true)
  }

  mutating func recordWrite(of frames: Int) {
    count += Int64(frames)
    total += Int64(frames)
    isComplete = false
  }

  /// Records that a block was passed of which `frames` frames were written.
  mutating func keep(_ frames: Int) { keptFrames += frames }

  /// Records that such a block was released, or returned to.
  mutating func forget(_ frames: Int) { keptFrames -= frames }

  /// Records that all blocks that were passed are released.
  mutating func forgetKept() { keptFrames = 0 }

  /// Records that `ramp` begins at the next frame.
  mutating func recordRamp(_ ramp: GainRamp) { self.ramp = (ramp, count) }

  /// Records that the next frame is announced, after `announcement`.
  mutating func recordAnnouncement(after announcement: Announcement?) {
    if replaced.count == Self.announcementLimit { replaced.removeFirst() }
    replaced.append(Replaced(announcement: announcement, count: count))
  }

  /// Records that the last `frames` frames were taken back. Returns the gain ramp for the next frame, if it is known;
  /// how many announcements were taken back; and, if any were, the one that was valid before.
  mutating func takeBack(_ frames: Int) -> (ramp: GainRamp?, announcementCount: Int, announcement: Announcement?) {
    count -= Int64(frames)
    total -= Int64(frames)
    var takenBack: (count: Int, previous: Announcement?) = (0, nil)
    while let last = replaced.last, last.count >= count {
      takenBack = (takenBack.count + 1, last.announcement)
      replaced.removeLast()
    }
    let gain = ramp.map { start, begin in
      count >= begin ? start.advanced(by: Int(clamping: count - begin)) : GainRamp(start.gain)
    }
    return (gain, takenBack.count, takenBack.previous)
  }
}

/// Playback on an output with a deep buffer: what it has not played yet is taken back when a command changes it.
///
/// Blocks stay in the ring until their frames are audible. To take frames back means to return to them in the ring, so
/// that they are written again with another gain, or replaced by others.
extension RenderLoop {
  /// How long before it is audible a frame can be taken back at the latest, with the fade that follows, in nanoseconds.
  static let commitmentNanoseconds: UInt64 = 40_000_000
  /// The maximum number of blocks in the ring that are kept for the output: the others are for decoding ahead.
  private static let keptLimit = 28

  /// Returns how long it takes until the next frame to be written is audible, in nanoseconds.
  func lag(at now: MonotonicInstant) -> UInt64 {
    guard let rewindable else { return deviceClock.lag(at: now) }
    return UInt64(rewindable.unplayedFrames) * 1_000_000_000 / UInt64(max(1, rewindable.format.sampleRate))
  }

  /// Whether the output has played everything that was written during playback.
  var hasRunOut: Bool { rewinding.count > 0 && rewindable?.unplayedFrames == 0 }

  /// Whether the output has room for the next frames. If not, the loop wakes up when it has.
  func hasRoom(_ pipeline: DecoderPipeline, _ frames: StreamFrames, in output: any AudioOutput) -> Bool {
    guard let rewindable else { return true }
    releasePlayed(pipeline)
    let unplayed = rewindable.unplayedFrames
    let wanted = min(frames.count - offset, max(1, output.periodFrames))
    if offset == 0, pipeline.ring.passedCount >= Self.keptLimit {
      // The oldest block has to be played first; several at a time.
      wakeUp(whenUnplayed: rewinding.keptFrames / 2, at: output.format.sampleRate)
      return false
    }
    guard unplayed + wanted > output.bufferFrames else { return true }
    wakeUp(whenUnplayed: output.bufferFrames - max(wanted, output.periodFrames), at: output.format.sampleRate)
    return false
  }

  /// Lets the loop look for work again when the output has played all but `frames` frames, although nothing changes.
  func wakeUp(whenUnplayed frames: Int, at sampleRate: Int) {
    let excess = max(1, (rewindable?.unplayedFrames ?? 0) - frames)
    let nanoseconds = UInt64(excess) * 1_000_000_000 / UInt64(max(1, sampleRate))
    wakeUp = clock.now.advanced(byMilliseconds: nanoseconds / 1_000_000 + 1)
  }

  /// Returns `true` if the output has played everything that was written. If not, the loop wakes up when it has.
  func isPlayedOut() -> Bool {
    guard let rewindable, rewindable.unplayedFrames > 0 else { return true }
    rewinding.isComplete = true
    // A suspended device wakes the loop itself when it continues.
    if !rewindable.isSuspended { wakeUp(whenUnplayed: 0, at: rewindable.format.sampleRate) }
    return false
  }

  /// Stops the device once the end of the fade is audible, and until then lets the loop wake up again.
  func pauseOnceSilent() {
    guard rewindable != nil, !isDevicePaused, isPlayedOut() else { return }
    setDevicePaused(true)
  }

  /// Sends what was written to the device, with the volume, and adapts the position to what the device says.
  func synchronize() {
    guard !isAbandoned, let rewindable else { return }
    let volume = Float(bitPattern: context.volume.load(ordering: .relaxed))
    watch.begin()
    let result = Result { () throws(OutputError) in
      try rewindable.setVolume(volume)
      return isDevicePaused ? nil : try rewindable.synchronize(isComplete: rewinding.isComplete)
    }
    isAbandoned = !watch.end()
    guard !isAbandoned else { return }
    do throws(OutputError) {
      guard let interval = try result.get() else { return }
      let milliseconds = UInt64(max(1, interval / .milliseconds(1)))
      let now = clock.now
      synchronizationDeadline = now.advanced(byMilliseconds: milliseconds)
      context.isOutputSuspended.store(rewindable.isSuspended, ordering: .relaxed)
      if rewindable.hasDropped { writeDroppedAgain() }
      guard rewinding.count > 0 else { return }
      positionPublisher.publishCorrection(lag: lag(at: now), now: now)
      history.align(frame: rewinding.total, due: nextDue)
    } catch {
      handleWriteError(error, generation: announced?.generation ?? 0)
    }
  }

  /// Returns to the frames that the device has dropped, and fades in there.
  private func writeDroppedAgain() {
    takeBack()
    isSilent = true
    wakeUp = clock.now
  }

  /// Stops the device, or lets it continue.
  func setDevicePaused(_ isPaused: Bool) {
    isDevicePaused = isPaused
    synchronizationDeadline = nil
    watch.begin()
    let result = Result { () throws(OutputError) in try rewindable?.setPaused(isPaused) }
    isAbandoned = !watch.end()
    if case .failure(let error) = result, !isAbandoned {
      handleWriteError(error, generation: announced?.generation ?? 0)
    }
  }

  /// Whether what was written last belongs to a command that another one has replaced.
  var isAnnouncedStale: Bool {
    guard rewindable != nil, rewinding.count > 0, let announced else { return false }
    return announced.generation < context.oldestGeneration.load(ordering: .acquiring)
  }

  /// Takes back what is not audible yet if the volume, the equaliser or the next track has changed, or if it is to be
  /// recorded.
  func takeBackWhatHasChanged() {
    let closings = context.nextTrackGate.closingCount
    let gain = wantedGain
    let isGainOutdated = isGainOutdated
    let equaliserNumber = isEqualiserOutdated ? context.equaliserNumber.load(ordering: .acquiring) : nil
    // Once for each change: a fade-in that is taken back ends again before the gain can change. What was decoded of the
    // earlier next track is revoked before the gate opens.
    let isRecorded = history.isOn
    if isGainOutdated && gain != rewinding.handledGain || closings != rewinding.handledClosings
      || isRecorded && !rewinding.hasHandledHistory
      || equaliserNumber.map({ $0 != rewinding.handledEqualiser }) ?? false
    {
      takeBack()
    }
    if let equaliserNumber { rewinding.handledEqualiser = equaliserNumber }
    rewinding.handledClosings = closings
    rewinding.hasHandledHistory = isRecorded
    guard isGainOutdated, let rewindable else { return }
    rewinding.handledGain = gain
    updateRamp(sampleRate: rewindable.format.sampleRate)
  }

  /// Takes back what is not audible yet, and returns to it in the ring.
  func takeBack() {
    guard let rewindable, rewinding.count > 0 else { return }
    let pipeline = pipeline
    let limit = min(Int(clamping: rewinding.count), rewinding.keptFrames + offset)
    watch.begin()
    let result = Result { () throws(OutputError) in try rewindable.takeBack(atMost: limit) }
    isAbandoned = !watch.end()
    guard !isAbandoned else { return }
    let count: Int
    do throws(OutputError) {
      count = try result.get()
    } catch {
      return handleWriteError(error, generation: announced?.generation ?? 0)
    }
    guard count > 0 else { return }
    var left = count
    while left > offset {
      left -= offset
      guard let used = pipeline.ring.stepBack() else { break }
      rewinding.forget(used)
      offset = used
    }
    offset = max(0, offset - left)
    let before = rewinding.takeBack(count)
    if let ramp = before.ramp { self.ramp = ramp }
    if before.announcementCount > 0 {
      announced = before.announcement
      positionPublisher.publishTakeBack(ofSources: before.announcementCount)
    }
    let due = nextDue
    history.withdraw(from: rewinding.total)
    guard let block = unsafe pipeline.ring.firstBlock(), let frames = unsafe block.header.frames else { return }
    if !frames.format.isDSD {
      unsafe equaliser.takeBack(to: rewinding.total, UnsafeBufferPointer(block.samples), offset: offset)
    }
    let generation = unsafe block.header.generation
    // At a join, before the first frame of the next source, the position is the end of the previous one.
    if announced?.generation != generation || announced?.source == frames.origin.source {
      publishPosition(frames, generation: generation)
    }
    post(.takenBack, generation: generation, due: due)
  }

  /// Starts to move the gain from the next frame on.
  func moveRamp(to gain: Float, over frames: Int) {
    ramp.move(to: gain, over: frames)
    rewinding.recordRamp(ramp)
  }

  /// Returns the samples of `piece` with the gain ramp applied. They are copied unless they are a copy, since they may
  /// be written again.
  func ramped(
    _ piece: UnsafeMutableBufferPointer<Float>, _ format: AudioFormat, isCopy: Bool
  ) -> UnsafeBufferPointer<Float> {
    var samples = unsafe piece
    if rewindable != nil, !isCopy {
      unsafe samples = UnsafeMutableBufferPointer(rebasing: rampedSamples[..<min(piece.count, rampedSamples.count)])
      _ = unsafe samples.update(fromContentsOf: piece[..<samples.count])
    }
    if format.isDSD {
      unsafe ramp.silence(samples, channels: format.channels)
    } else {
      unsafe ramp.apply(to: samples, channels: format.channels)
    }
    return UnsafeBufferPointer(samples)
  }

  // MARK: Blocks in the ring

  /// Passes the first block in the ring of `pipeline`, of which `usedFrames` frames were written, and releases it,
  /// unless these may still be taken back.
  func pass(_ pipeline: DecoderPipeline, usedFrames: Int) {
    pipeline.ring.advance(usedFrames: usedFrames)
    offset = 0
    if rewindable == nil {
      pipeline.ring.release()
      wakeDecoder(of: pipeline)
    } else {
      rewinding.keep(usedFrames)
      releasePlayed(pipeline)
    }
  }

  /// Drops the first block in the ring of `pipeline`.
  func drop(_ pipeline: DecoderPipeline) {
    pipeline.ring.drop()
    offset = 0
    wakeDecoder(of: pipeline)
  }

  /// Releases the blocks that were passed whose frames are audible by now.
  func releasePlayed(_ pipeline: DecoderPipeline) {
    let unplayed = rewindable?.unplayedFrames ?? 0
    while let oldest = pipeline.ring.oldestUsedFrames, rewinding.keptFrames + offset - oldest >= unplayed {
      pipeline.ring.release()
      rewinding.forget(oldest)
    }
    wakeDecoder(of: pipeline)
  }

  /// Releases all blocks that were passed: their frames cannot be taken back any more.
  func releasePassed() {
    guard pipeline.ring.passedCount > 0 else { return }
    while pipeline.ring.passedCount > 0 { pipeline.ring.release() }
    rewinding.forgetKept()
    wakeDecoder(of: pipeline)
  }

  /// Wakes the decode thread if at least half of the ring is free, but for the blocks that are kept.
  func wakeDecoder(of pipeline: DecoderPipeline) {
    let ring = pipeline.ring
    if ring.waitingCount <= (ring.blockCount - ring.passedCount) / 2 { pipeline.signal.wake() }
  }
}
