// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import DequeModule

/// A queue of frames for the ring, with their origins. Used only on the decode thread.
struct FrameQueue {
  private struct Chunk {
    var samples: ArraySlice<Float>
    var frames: StreamFrames
  }

  private var chunks: Deque<Chunk> = []
  /// The number of frames in the queue.
  private(set) var frameCount = 0

  /// The number of frames at the end that may still be mixed in a crossfade.
  private(set) var mixableCount = 0

  /// Adds `frames`; `samples` begins with the samples of these frames.
  mutating func add(_ frames: StreamFrames, _ samples: UnsafeBufferPointer<Float>) {
    guard frames.count > 0 else { return }
    let samples = unsafe Array(samples.prefix(frames.count * frames.format.channels))
    frameCount += frames.count
    mixableCount += frames.count
    chunks.append(Chunk(samples: samples[...], frames: frames))
  }

  /// Moves the oldest frames to the beginning of `room`, but leaves the last `heldCount` frames in the queue; returns
  /// `nil` if there are no more than these.
  mutating func take(into room: UnsafeMutableBufferPointer<Float>, keeping heldCount: Int) -> StreamFrames? {
    guard frameCount > heldCount, let first = chunks.first else { return nil }
    var frames = first.frames
    let channels = frames.format.channels
    frames.count = min(frames.count, room.count / channels, frameCount - heldCount)
    _ = unsafe room.update(fromContentsOf: first.samples.prefix(frames.count * channels))
    drop(frames.count)
    return frames
  }

  /// Removes and returns the samples of the last `count` frames, which must be of one format.
  mutating func takeLast(_ count: Int) -> [Float] {
    var pieces: [ArraySlice<Float>] = []
    var missing = count
    while missing > 0, var last = chunks.popLast() {
      let taken = min(missing, last.frames.count)
      let sampleCount = taken * last.frames.format.channels
      pieces.append(last.samples.suffix(sampleCount))
      missing -= taken
      frameCount -= taken
      last.samples = last.samples.dropLast(sampleCount)
      last.frames.count -= taken
      if last.frames.count > 0 { chunks.append(last) }
    }
    return pieces.reversed().flatMap(\.self)
  }

  /// Excludes all frames in the queue from further crossfades.
  mutating func excludeFromCrossfades() { mixableCount = 0 }

  private mutating func drop(_ count: Int) {
    frameCount -= count
    mixableCount = min(mixableCount, frameCount)
    guard var first = chunks.popFirst() else { return }
    first.samples = first.samples.dropFirst(count * first.frames.format.channels)
    first.frames.origin = first.frames.origin(at: count)
    first.frames.count -= count
    if first.frames.count > 0 { chunks.prepend(first) }
  }
}

extension FrameQueue {
  /// Mixes the last frames of the queue with the first of `part`, over `length` or as many frames as both have. The
  /// part fades in over its first half at most, so that it becomes audible.
  mutating func crossfade(into part: StreamPart, over length: Duration) {
    let format = part.format
    let wanted = min(Int64(mixableCount), format.frame(at: length))
    let half = part.reader.rest.map { format.frame(at: $0 / 2) } ?? wanted
    let room = UnsafeMutableBufferPointer<Float>.allocate(
      capacity: Int(clamping: min(wanted, half)) * format.channels)
    defer { unsafe room.deallocate() }
    var frames: StreamFrames?
    var filled = 0
    while filled < room.count,
      case .frames(let piece) = unsafe part.read(into: .init(rebasing: room[filled...]))
    {
      frames = frames ?? piece
      filled += piece.count * format.channels
    }
    guard var frames else { return }
    frames.count = filled / format.channels
    frames.origin.isProcessed = true
    let outgoing = takeLast(frames.count)
    unsafe outgoing.withUnsafeBufferPointer { outgoing in
      _ = unsafe CrossfadeCurve(frames: frames.count).mix(
        outgoing, into: UnsafeMutableBufferPointer(rebasing: room[..<filled]), from: 0,
        channels: format.channels)
    }
    unsafe add(frames, UnsafeBufferPointer(room))
    excludeFromCrossfades()
  }
}
