// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import MusicModel

/// The user's settings for skipping the silence at the beginning and the end of tracks.
public struct SilenceSkipping: Sendable, Hashable {
  /// The level below which everything counts as silence, in dB. A measurement with another threshold is not used.
  public var threshold: Double
  /// The length of the shortest silence that is skipped.
  public var shortest: Duration
  /// The length of the silence that is left where some is skipped.
  public var gap: Duration

  public init(threshold: Double = -60, shortest: Duration = .seconds(2), gap: Duration = .milliseconds(500)) {
    self.threshold = threshold
    self.shortest = shortest
    self.gap = gap
  }

  /// Returns the frames to play of a whole file with this measurement: all but the silence at the ends that are to be
  /// shortened. Returns `nil` if nothing is skipped.
  func frames(of sound: MeasuredSound, shortensStart: Bool, shortensEnd: Bool) -> SourceFrames? {
    guard sound.threshold == threshold, !sound.frames.isEmpty else { return nil }
    let silences = (start: sound.frames.lowerBound, end: sound.frameCount - sound.frames.upperBound)
    let start = shortensStart ? skipped(of: silences.start, at: sound.sampleRate) : 0
    let end = shortensEnd ? skipped(of: silences.end, at: sound.sampleRate) : 0
    guard start > 0 || end > 0 else { return nil }
    return SourceFrames(
      sampleRate: sound.sampleRate, frameCount: sound.frameCount, start: start,
      end: end > 0 ? sound.frameCount - end : nil)
  }

  /// Returns how many frames of a silence of `length` frames are skipped.
  private func skipped(of length: Int64, at sampleRate: Int) -> Int64 {
    guard length > 0, length >= Self.frames(in: shortest, at: sampleRate) else { return 0 }
    return max(0, length - Self.frames(in: gap, at: sampleRate))
  }

  /// Returns the number of frames in `duration`, which is limited to an hour.
  private static func frames(in duration: Duration, at sampleRate: Int) -> Int64 {
    Int64((min(max(.zero, duration), .seconds(3600)) / .seconds(1) * Double(sampleRate)).rounded())
  }
}

/// The part of an item that is played without its silent ends.
public struct PlayedPart: Sendable, Hashable {
  /// The position at which the item begins.
  public var start = Duration.zero
  /// The position at which the item ends; `nil` if it ends with its file.
  public var end: Duration?

  public init(start: Duration = .zero, end: Duration? = nil) {
    self.start = start
    self.end = end
  }

  /// Creates the part that consists of `frames` in a file with this format and stated duration, or of all of it if they
  /// cannot be its frames.
  init(_ frames: SourceFrames, in format: AudioFormat, lasting duration: Duration?) {
    guard frames.areOfFile(sampleRate: format.sampleRate, statedFrameCount: duration.map { format.frame(at: $0) })
    else { return }
    start = format.duration(ofFrames: frames.start)
    end = frames.end.map { format.duration(ofFrames: $0) }
  }
}

/// Skipping silence.
extension PlayerReducer {
  /// Returns the frames of `item` that are to be played after `previous`, if that is known; `nil` for all of them.
  ///
  /// Nothing is skipped where two tracks of an album follow each other, since the music may continue there.
  func playedFrames(of item: PlayQueue.Item, after previous: PlayQueue.Item?) -> SourceFrames? {
    guard let skipping = state.silenceSkipping, let sound = state.plan.measurements[item.id]?.sound,
      SourceSegment(item.track) == nil
    else { return nil }
    let next = state.queue.successor(of: item.id)
    return skipping.frames(
      of: sound, shortensStart: previous?.track.isContinued(by: item.track) != true,
      shortensEnd: next.map { !item.track.isContinued(by: $0.track) } ?? true)
  }

  /// Plays the current item to the end of its file if that was to be skipped, but now an item follows that continues
  /// its album.
  mutating func restoreEnd() {
    guard let link = state.plan.chain.links.first, var frames = link.frames, frames.end != nil,
      let item = state.queue.item(link.item), let next = state.queue.successor(of: item.id),
      item.track.isContinued(by: next.track)
    else { return }
    frames.end = nil
    state.plan.chain.setFrames(frames)
    effects.append(.setFrames(frames, of: link.source))
  }
}
