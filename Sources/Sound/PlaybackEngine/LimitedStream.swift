// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import DequeModule

/// Limits the peaks of the stream to full scale, from the first source that needs it to the end of the stream, so that
/// the gain never jumps between sources; and stretched frames, whose peaks have become higher. DSD passes unchanged.
/// Used only on the decode thread.
final class LimitedStream {
  /// The number of samples to limit at a time: as many as a block in the ring has room for.
  private static let pieceSamples = 16_384

  /// Whether to limit the frames to come.
  var isOn = false
  private var limiter: PeakLimiter?
  private var format: AudioFormat?
  /// Descriptions of the frames in the limiter, and of those waiting for it.
  private var pendingFrames: Deque<StreamFrames> = []
  private var piece: [Float] = []
  /// The range of samples of ``piece`` that wait for the limiter.
  private var waiting = 0..<0
  /// The result that follows the frames in the limiter; `nil` if it is not known yet.
  private var upcoming: ReadResult?

  /// Fills the beginning of `room` with the frames that `next` returns, limited if necessary.
  func produce(
    into room: UnsafeMutableBufferPointer<Float>,
    from next: (UnsafeMutableBufferPointer<Float>) -> ReadResult
  ) -> ReadResult {
    if !isOn, limiter == nil, upcoming == nil {
      let result = unsafe next(room)
      guard case .frames(let frames) = result, frames.isStretched else { return result }
      makeRoom()
      let sampleCount = frames.count * frames.format.channels
      unsafe piece.replaceSubrange(..<sampleCount, with: room[..<sampleCount])
      begin(frames)
    }
    var filled: StreamFrames?
    while true {
      if let limiter, let frames = unsafe emit(after: filled, from: limiter, into: room) {
        filled = frames
        continue
      }
      if let filled { return .frames(filled) }
      if let result = upcoming {
        // The limiter is empty.
        upcoming = nil
        limiter = nil
        guard case .frames(let frames) = result else { return result }
        if !needsLimiter(frames) { return unsafe pass(frames, into: room) }
        begin(frames)
        continue
      }
      makeRoom()
      let result = unsafe piece.withUnsafeMutableBufferPointer { unsafe next($0) }
      switch result {
      case .nothing, .held:
        return result
      case .ended:
        upcoming = .ended
      case .frames(let frames):
        if limiter == nil, !needsLimiter(frames) { return unsafe pass(frames, into: room) }
        if limiter == nil || format?.shape == frames.format.shape && needsLimiter(frames) {
          begin(frames)
        } else {
          upcoming = .frames(frames)
        }
      }
    }
  }

  private func needsLimiter(_ frames: StreamFrames) -> Bool { (isOn || frames.isStretched) && !frames.format.isDSD }

  private func makeRoom() {
    if piece.count < Self.pieceSamples { piece = [Float](repeating: 0, count: Self.pieceSamples) }
  }

  /// Moves `frames`, whose samples are in `piece`, to `room` unchanged, as far as there is room.
  private func pass(_ frames: StreamFrames, into room: UnsafeMutableBufferPointer<Float>) -> ReadResult {
    var passed = frames
    passed.count = min(frames.count, room.count / frames.format.channels)
    let sampleCount = passed.count * frames.format.channels
    _ = unsafe room.update(fromContentsOf: piece.prefix(sampleCount))
    if passed.count < frames.count {
      piece.removeFirst(sampleCount)
      upcoming = .frames(
        StreamFrames(origin: frames.origin(at: passed.count), format: frames.format, count: frames.count - passed.count)
      )
    }
    return .frames(passed)
  }

  /// Queues `frames`, whose samples are in `piece`, for the limiter.
  private func begin(_ frames: StreamFrames) {
    format = frames.format
    if limiter == nil {
      limiter = PeakLimiter(sampleRate: frames.format.sampleRate, channels: frames.format.channels)
    }
    waiting = 0..<(frames.count * frames.format.channels)
    var pending = frames
    pending.origin.isProcessed = true
    pendingFrames.append(pending)
  }

  /// Adds frames from the limiter to `filled`, the frames in `room` so far; returns `nil` if none can be added now.
  private func emit(
    after filled: StreamFrames?, from limiter: PeakLimiter, into room: UnsafeMutableBufferPointer<Float>
  ) -> StreamFrames? {
    guard let pending = pendingFrames.first, filled.map({ pending.origin.continues($0.origin) }) ?? true else {
      return nil
    }
    let channels = pending.format.channels
    let start = filled?.count ?? 0
    let capacity = min(pending.count, room.count / channels - start)
    guard capacity > 0 else { return nil }
    let target = unsafe UnsafeMutableBufferPointer(
      rebasing: room[(start * channels)..<((start + capacity) * channels)])
    let count: Int
    if waiting.isEmpty {
      guard upcoming != nil else { return nil }
      count = unsafe limiter.finish(into: target)
    } else {
      let (consumed, produced) = unsafe piece.withUnsafeBufferPointer {
        unsafe limiter.process(UnsafeBufferPointer(rebasing: $0[waiting]), into: target)
      }
      waiting = (waiting.lowerBound + consumed * channels)..<waiting.upperBound
      count = produced
    }
    guard count > 0 else { return nil }
    pendingFrames[0].origin = pending.origin(at: count)
    pendingFrames[0].count -= count
    if pendingFrames[0].count == 0 { pendingFrames.removeFirst() }
    var frames = filled ?? pending
    frames.count = start + count
    return frames
  }
}

/// The result of trying to fill a block of the stream.
enum ReadResult {
  case frames(StreamFrames)
  case ended
  /// No frames yet, but there is more work to do immediately.
  case held
  /// No frames for now: the stream waits for its next track, or there is none.
  case nothing
}

extension FrameOrigin {
  /// Whether frames of this origin that follow those of `before` can be described together with them.
  func continues(_ before: FrameOrigin) -> Bool {
    source == before.source && format == before.format && passNumber == before.passNumber
      && frameCount == before.frameCount
  }
}
