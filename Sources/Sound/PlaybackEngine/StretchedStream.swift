// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import DequeModule

/// Changes the speed of the stream to that of its sources. One stretcher continues from source to source as long as
/// the speed and the shape stay the same, so that nothing is heard of the joins. At the normal speed, and if there is
/// no stretcher, frames pass unchanged. Used only on the decode thread.
final class StretchedStream {
  /// Consecutive frames of one source that are passed to the stretcher.
  private struct Segment {
    /// Their description; the count is that of the frames so far.
    var frames: StreamFrames
    /// The number of frames that the stretcher gets before them.
    let start: Int64
  }

  /// The stretcher for frames of one shape and speed.
  private final class Stretch {
    let stretcher: any Resampler
    let shape: StreamShape
    let speed: PlaybackSpeed
    /// The frames that have not come out yet.
    var segments: Deque<Segment> = []
    /// The number of frames for the stretcher, those in `waiting` included.
    var offered: Int64 = 0
    /// The number of frames that have come out of it.
    var produced: Int64 = 0

    init(_ stretcher: any Resampler, _ shape: StreamShape, _ speed: PlaybackSpeed) {
      (self.stretcher, self.shape, self.speed) = (stretcher, shape, speed)
    }

    /// Returns the number of output frames before the input frame with this number.
    func outputFrame(_ frame: Int64) -> Int64 { Int64((Double(frame) / speed.factor).rounded()) }
  }

  /// The number of samples to stretch at a time: as many as a block in the ring has room for.
  private static let pieceSamples = 16_384

  private let stretchers: StretcherFactory
  private var stretch: Stretch?
  private var piece: [Float] = []
  /// The range of samples of ``piece`` that wait for the stretcher.
  private var waiting = 0..<0
  /// The result that follows the frames in the stretcher; `nil` if it is not known yet. Its samples are in ``piece``.
  private var upcoming: ReadResult?

  init(_ stretchers: @escaping StretcherFactory) { self.stretchers = stretchers }

  /// Fills the beginning of `room` with the frames that `next` returns, at the speed of their source.
  func produce(
    into room: UnsafeMutableBufferPointer<Float>, from next: (UnsafeMutableBufferPointer<Float>) -> ReadResult
  ) -> ReadResult {
    var filled: StreamFrames?
    while stretch != nil {
      if let frames = unsafe emit(after: filled, into: room) {
        filled = frames
        continue
      }
      if let filled, unsafe isFull(filled, room) { return .frames(filled) }
      if upcoming != nil {
        stretch = nil
        break
      }
      let result = unsafe piece.withUnsafeMutableBufferPointer { unsafe next($0) }
      switch result {
      case .frames(let frames): if !add(frames) { upcoming = result }
      case .ended: upcoming = result
      case .held, .nothing: return filled.map { .frames($0) } ?? result
      }
    }
    if let filled { return .frames(filled) }
    if let result = upcoming.take() { return unsafe pass(result, into: room) }
    let result = unsafe next(room)
    guard case .frames(let frames) = result, begin(frames) else { return result }
    let sampleCount = frames.count * frames.format.channels
    unsafe piece.replaceSubrange(..<sampleCount, with: room[..<sampleCount])
    _ = add(frames)
    return .held
  }

  /// Whether nothing can be added to `filled`: the room is full, or the frames of another source come next.
  private func isFull(_ filled: StreamFrames, _ room: UnsafeMutableBufferPointer<Float>) -> Bool {
    guard let stretch, let first = stretch.segments.first else { return false }
    return filled.count == room.count / filled.format.channels || !first.frames.origin.continues(filled.origin)
  }

  /// Adds frames from the stretcher to `filled`, the frames in `room` so far; returns `nil` if none can be added now.
  private func emit(after filled: StreamFrames?, into room: UnsafeMutableBufferPointer<Float>) -> StreamFrames? {
    guard let stretch else { return nil }
    while stretch.segments.count > 1, stretch.outputFrame(stretch.segments[1].start) <= stretch.produced {
      stretch.segments.removeFirst()
    }
    guard let segment = stretch.segments.first,
      filled.map({ segment.frames.origin.continues($0.origin) }) ?? true
    else { return nil }
    let channels = segment.frames.format.channels
    let start = filled?.count ?? 0
    let limit = stretch.segments.count > 1 ? stretch.outputFrame(stretch.segments[1].start) - stretch.produced : .max
    let capacity = min(room.count / channels - start, Int(clamping: limit))
    guard capacity > 0 else { return nil }
    let target = unsafe UnsafeMutableBufferPointer(
      rebasing: room[(start * channels)..<((start + capacity) * channels)])
    let count: Int
    if waiting.isEmpty {
      guard upcoming != nil else { return nil }
      count = unsafe stretch.stretcher.finish(into: target)
    } else {
      let (consumed, produced) = unsafe piece.withUnsafeBufferPointer {
        unsafe stretch.stretcher.process(UnsafeBufferPointer(rebasing: $0[waiting]), into: target)
      }
      waiting = (waiting.lowerBound + consumed * channels)..<waiting.upperBound
      count = produced
    }
    guard count > 0 else { return nil }
    var frames = filled ?? segment.frames
    if filled == nil {
      let passed = stretch.produced - stretch.outputFrame(segment.start)
      frames.origin = frames.origin.advanced(
        by: Int(Double(passed) * stretch.speed.factor), at: frames.format.sampleRate)
      frames.origin.isProcessed = true
      frames.isStretched = true
    }
    frames.count = start + count
    stretch.produced += Int64(count)
    return frames
  }

  /// Creates a stretcher for `frames` if they need one; returns whether there is one.
  private func begin(_ frames: StreamFrames) -> Bool {
    let speed = frames.origin.speed
    guard speed != .normal, !frames.format.isDSD,
      let stretcher = stretchers(speed, frames.format.sampleRate, frames.format.channels)
    else { return false }
    stretch = Stretch(stretcher, frames.format.shape, speed)
    if piece.isEmpty { piece = [Float](repeating: 0, count: Self.pieceSamples) }
    return true
  }

  /// Queues `frames`, whose samples are in `piece`, for the stretcher; returns `false` if they need another one.
  private func add(_ frames: StreamFrames) -> Bool {
    guard let stretch, stretch.shape == frames.format.shape, stretch.speed == frames.origin.speed else { return false }
    waiting = 0..<(frames.count * frames.format.channels)
    // These would destroy everything after them.
    for index in waiting where !piece[index].isValidSample { piece[index] = 0 }
    if let last = stretch.segments.indices.last, frames.origin.continues(stretch.segments[last].frames.origin) {
      stretch.segments[last].frames.origin.encoding = frames.origin.encoding
    } else {
      stretch.segments.append(Segment(frames: frames, start: stretch.offered))
    }
    stretch.offered += Int64(frames.count)
    return true
  }

  /// Passes on `result`, whose samples are in `piece`, after the stretcher has been emptied.
  private func pass(_ result: ReadResult, into room: UnsafeMutableBufferPointer<Float>) -> ReadResult {
    guard case .frames(let frames) = result else { return result }
    if begin(frames) {
      _ = add(frames)
      return .held
    }
    let channels = frames.format.channels
    var passed = frames
    passed.count = min(frames.count, room.count / channels)
    _ = unsafe room.update(fromContentsOf: piece.prefix(passed.count * channels))
    if passed.count < frames.count {
      piece.replaceSubrange(
        ..<((frames.count - passed.count) * channels),
        with: Array(piece[(passed.count * channels)..<(frames.count * channels)]))
      var rest = frames
      (rest.origin, rest.count) = (frames.origin(at: passed.count), frames.count - passed.count)
      upcoming = .frames(rest)
    }
    return .frames(passed)
  }
}
