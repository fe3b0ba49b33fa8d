// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Equalising
import Platform
import Synchronization

/// What the equaliser is to do.
struct EqualiserTarget: Sendable {
  /// The number of the request: 0 for the first, which is to do nothing.
  private(set) var number: UInt64 = 0
  private(set) var filters: [EqualiserFilter] = []
  /// The gain before the filters, as a factor.
  private(set) var preamp = 1.0
  /// The crossfeed of stereo; `nil` for none.
  private(set) var crossfeed: Crossfeed?

  init() {}

  init(_ profile: EqualiserProfile?, _ crossfeed: Crossfeed?) {
    self.crossfeed = crossfeed
    guard let profile, !profile.isFlat else { return }
    filters = profile.filters
    preamp = 10.0.raised(to: profile.effectivePreamp / 20)
  }

  /// Replaces the filters, the preamp and the crossfeed with those of `new`; returns whether they differ.
  mutating func replace(with new: EqualiserTarget) -> Bool {
    guard new.filters != filters || new.preamp != preamp || new.crossfeed != crossfeed else { return false }
    (number, filters, preamp, crossfeed) = (number + 1, new.filters, new.preamp, new.crossfeed)
    return true
  }

  /// Whether samples of any number of channels are changed.
  var isEqualised: Bool { !filters.isEmpty || preamp != 1 }
}

/// The equaliser of the render loop: it fades from the filters before a change to those after it, and returns to
/// earlier positions. Used only by the thread that does the render loop's work; while an output is open, it neither
/// allocates nor counts references, and waits for no lock.
@safe
final class RenderEqualiser {
  /// The length of the fade at a change, in milliseconds.
  private static let fadeMilliseconds = 10

  /// The filters since the last change, and those before it.
  private var incoming: EqualiserChain
  private var outgoing: EqualiserChain
  private var isOn = false
  private var wasOn = false
  /// The number of the request that was carried out last, and of the one before it.
  private(set) var number: UInt64 = 0
  private var numberBefore: UInt64 = 0
  /// The position at which the fade of the last change begins, and its length, in frames; `nil` if it had none.
  private var fade: (start: Int64, frames: Int)?
  private var sampleRate = 1
  private var channels = 1
  /// Room for the result, and for that of ``outgoing``, each with the look-ahead.
  private let result: UnsafeMutableBufferPointer<Float>
  private let other: UnsafeMutableBufferPointer<Float>

  /// Creates an equaliser for blocks of this many samples.
  init(samplesPerBlock: Int) {
    let rate = AudioFormat.sampleRates.upperBound
    incoming = EqualiserChain(maximumFrames: samplesPerBlock, maximumRate: rate)
    outgoing = EqualiserChain(maximumFrames: samplesPerBlock, maximumRate: rate)
    let capacity = samplesPerBlock + incoming.maximumLookAhead * AudioFormat.channelCounts.upperBound
    unsafe result = .allocate(capacity: capacity)
    unsafe other = .allocate(capacity: capacity)
  }

  deinit {
    unsafe result.deallocate()
    unsafe other.deallocate()
  }

  // MARK: Changes

  /// Begins to be used for an output in this format, with no filters yet.
  func begin(_ format: DeviceFormat) {
    end()
    (sampleRate, channels) = (format.sampleRate, format.channels)
  }

  func end() { (isOn, wasOn, fade, number, numberBefore) = (false, false, nil, 0, 0) }

  /// Carries out the request, from `position` on, if it can be read without waiting.
  ///
  /// - Parameter fades: Whether there is sound before, so that a fade is needed.
  /// - Parameter block: The block with the frame at `position`, which is its frame `offset`: the frames before it warm
  ///   the new filters up. `nil` if there are none.
  func change(
    to request: borrowing Mutex<EqualiserTarget>, at position: Int64, fades: Bool,
    _ block: UnsafeBufferPointer<Float>?, offset: Int
  ) {
    let isDone =
      request.withLockIfAvailable { request in
        swap(&incoming, &outgoing)
        (wasOn, numberBefore) = (isOn, number)
        (isOn, number) = (request.isEqualised || request.crossfeed != nil && channels == 2, request.number)
        guard isOn else { return true }
        unsafe request.filters.withUnsafeBufferPointer {
          unsafe incoming.begin(
            $0, preamp: request.preamp, crossfeed: request.crossfeed, sampleRate: sampleRate, channels: channels)
        }
        return true
      } ?? false
    guard isDone else { return }
    let frames = max(1, sampleRate * Self.fadeMilliseconds / 1000)
    fade = fades && (isOn || wasOn) ? (position, frames) : nil
    guard isOn else { return }
    if let block = unsafe block {
      unsafe incoming.restore(to: position, block, offset: offset, scratch: result)
    }
    incoming.record(at: position)
  }

  /// Returns whether all frames up to `position` are independent of the filters before the last change.
  func hasFaded(by position: Int64) -> Bool { fade.map { position >= $0.start + Int64($0.frames) } ?? true }

  // MARK: The hot path

  /// Whether the frame at `position` is changed.
  func isActive(at position: Int64) -> Bool { isOn || wasOn && !hasFaded(by: position) }

  /// The number of frames from `position` to the end of the fade; the largest integer if there is no fade.
  func fadeFramesLeft(at position: Int64) -> Int {
    guard let fade, position < fade.start + Int64(fade.frames) else { return .max }
    return Int(fade.start + Int64(fade.frames) - position)
  }

  /// Stores the state at `position`, so that frames from there on can be taken back.
  func record(at position: Int64) {
    if isOn { incoming.record(at: position) }
    if wasOn, !hasFaded(by: position) { outgoing.record(at: position) }
  }

  /// Returns the frames `range` of `block`, the first of which is at `position`, as they are to be played. They must
  /// not extend beyond the end of the fade.
  func process(
    _ block: UnsafeBufferPointer<Float>, _ range: Range<Int>, following: UnsafeBufferPointer<Float>, at position: Int64
  ) -> UnsafeMutableBufferPointer<Float> {
    let samples = unsafe UnsafeBufferPointer(
      rebasing: block[(range.lowerBound * channels)..<(range.upperBound * channels)])
    let processed = unsafe UnsafeMutableBufferPointer(rebasing: result[..<samples.count])
    if isOn {
      unsafe incoming.process(block, range, following: following, into: result)
    } else {
      _ = unsafe result.update(fromContentsOf: samples)
    }
    guard let fade, !hasFaded(by: position) else { return unsafe processed }
    if wasOn {
      unsafe outgoing.process(block, range, following: following, into: other)
    } else {
      _ = unsafe other.update(fromContentsOf: samples)
    }
    let first = Int(position - fade.start)
    for frame in 0..<range.count {
      let weight = (Float(first &+ frame) + 0.5) / Float(fade.frames)
      for sample in (frame &* channels)..<(frame &* channels &+ channels) {
        unsafe processed[sample] = other[sample] + (processed[sample] - other[sample]) * weight
      }
    }
    return unsafe processed
  }

  // MARK: Interruptions

  /// Forgets the frames so far: others follow that do not continue them.
  func reset() {
    fade = nil
    if isOn { incoming.reset() }
  }

  /// Returns to `position`, at frame `offset` of `block`. What was changed from there on is undone.
  func takeBack(to position: Int64, _ block: UnsafeBufferPointer<Float>, offset: Int) {
    if let fade, position <= fade.start {
      swap(&incoming, &outgoing)
      (isOn, wasOn, number) = (wasOn, false, numberBefore)
      self.fade = nil
    }
    if isOn { unsafe incoming.restore(to: position, block, offset: offset, scratch: result) }
    if wasOn, !hasFaded(by: position) {
      unsafe outgoing.restore(to: position, block, offset: offset, scratch: other)
    }
  }
}
