// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import DequeModule
import Platform

/// What was written to an output and is not audible yet.
struct TapQueue: Sendable {
  /// Frames that were written at once.
  struct Piece: Sendable {
    let format: DeviceFormat
    var bytes: ArraySlice<UInt8>
    /// The instant at which the first frame is audible.
    var start: MonotonicInstant

    var frameCount: Int { bytes.count / format.frameByteCount }

    /// How long the frames last.
    var nanoseconds: UInt64 { UInt64(Double(frameCount) * 1e9 / Double(max(1, format.sampleRate))) }

    /// Removes and returns the frames that are audible before `instant`.
    mutating func removeFrames(before instant: MonotonicInstant) -> Piece {
      let elapsed = instant > start ? instant.nanoseconds - start.nanoseconds : 0
      let count = min(frameCount, Int(Double(elapsed) * Double(format.sampleRate) / 1e9))
      let head = Piece(format: format, bytes: bytes.prefix(count * format.frameByteCount), start: start)
      bytes = bytes.dropFirst(head.bytes.count)
      start = start.advanced(byFrames: count, at: format.sampleRate)
      return head
    }
  }

  private var pieces: Deque<Piece> = []

  var isEmpty: Bool { pieces.isEmpty }

  /// Adds frames, the last of which has been audible at `end`.
  mutating func append(_ bytes: UnsafeRawBufferPointer, _ format: DeviceFormat, endingAt end: MonotonicInstant) {
    var piece = unsafe Piece(format: format, bytes: ArraySlice(bytes), start: end)
    piece.start = MonotonicInstant(nanoseconds: end.nanoseconds - min(end.nanoseconds, piece.nanoseconds))
    pieces.append(piece)
  }

  /// Moves all frames in time, so that the last has been audible at `end`.
  mutating func move(toEndAt end: MonotonicInstant) {
    guard let last = pieces.last else { return }
    let delay = end.nanoseconds &- (last.start.nanoseconds &+ last.nanoseconds)
    for index in pieces.indices {
      pieces[index].start = MonotonicInstant(nanoseconds: pieces[index].start.nanoseconds &+ delay)
    }
  }

  mutating func removeLast(_ count: Int) {
    var rest = count
    while rest > 0, var last = pieces.popLast() {
      let removed = min(rest, last.frameCount)
      rest -= removed
      last.bytes = last.bytes.dropLast(removed * last.format.frameByteCount)
      if !last.bytes.isEmpty { pieces.append(last) }
    }
  }

  mutating func removeAll() { pieces = [] }

  /// Removes and returns the frames that are audible before `instant`, in pieces.
  mutating func removeFrames(before instant: MonotonicInstant) -> [Piece] {
    var due: [Piece] = []
    while var first = pieces.popFirst() {
      let head = first.removeFrames(before: instant)
      if !head.bytes.isEmpty { due.append(head) }
      guard first.bytes.isEmpty else {
        pieces.prepend(first)
        break
      }
    }
    return due
  }
}

extension MonotonicInstant {
  fileprivate func advanced(byFrames count: Int, at sampleRate: Int) -> MonotonicInstant {
    MonotonicInstant(nanoseconds: nanoseconds &+ UInt64(Double(count) * 1e9 / Double(max(1, sampleRate))))
  }
}
