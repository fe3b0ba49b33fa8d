// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore

/// An Ogg file of several consecutive streams, called links, which are played as if they were one.
///
/// Streams whose number of channels differs from that of the first are mixed. Those whose sample rate differs are
/// converted if there is a resampler; without one, they end the audio.
final class ChainedSound: OpenFile {
  /// The maximum number of streams whose lengths are determined at the beginning; each must be opened for that.
  private static let countedLimit = 256

  let file: RegularFile
  private let starts: [Int64]
  private let resamplers: ResamplerFactory?
  /// The lengths of the streams in frames, as far as they are known.
  private let counts: [Int64]
  let frameCount: Int64?
  let sampleRate: Int
  let channels: Int
  let coding: SampleCoding

  private var current: any OpenFile
  private var index = 0
  /// The number of the next frame, counted through all streams.
  private var position: Int64 = 0
  /// The number of the first frame of the current stream, counted through all streams.
  private var linkStart: Int64 = 0
  private var mixing: (mix: ChannelMix, input: [Float])?
  /// The reason why reading cannot continue; `nil` if it can.
  private var problem: StreamProblem?
  /// The first problem of the streams that have ended; `nil` if there was none.
  private var firstProblem: StreamProblem?

  /// Opens the streams of `file` that begin at the offsets in `starts`, which must not be empty.
  init(_ file: RegularFile, _ starts: [Int64], resamplers: ResamplerFactory?) throws(SndfileError) {
    self.file = file
    self.starts = starts
    self.resamplers = resamplers
    let first = try SoundOpening.openLink(file, from: starts[0], to: starts.dropFirst().first)
    current = first
    sampleRate = first.sampleRate
    channels = first.channels
    coding = first.coding
    var counts: [Int64] = []
    while counts.count < min(starts.count, Self.countedLimit) {
      guard let link = counts.isEmpty ? first : try? Self.open(file, starts, counts.count, like: first, resamplers),
        link.sampleRate == first.sampleRate, let count = link.frameCount
      else { break }
      counts.append(count)
    }
    self.counts = counts
    frameCount = counts.count == starts.count ? counts.reduce(0) { Self.sum($0, $1) } : nil
  }

  var bitRate: Int? { bitRate(byteCount: file.size - (starts.first ?? 0)) }

  func read(into buffer: UnsafeMutableBufferPointer<Float>) -> Int {
    while problem == nil {
      let count = unsafe readCurrent(into: buffer)
      if count > 0 {
        position = Self.sum(position, Int64(count))
        return count
      }
      guard index + 1 < starts.count else { break }
      startNextLink()
    }
    return 0
  }

  private func readCurrent(into buffer: UnsafeMutableBufferPointer<Float>) -> Int {
    guard let mix = mixing?.mix, var input = mixing?.input else { return unsafe current.read(into: buffer) }
    let room = min(buffer.count / channels, 4096) * mix.from
    if input.count < room { input = [Float](repeating: 0, count: room) }
    mixing = nil
    let count = unsafe input.withUnsafeMutableBufferPointer { input in
      let count = unsafe current.read(into: UnsafeMutableBufferPointer(rebasing: input[..<room]))
      guard count > 0 else { return 0 }
      return unsafe mix.apply(UnsafeBufferPointer(rebasing: input[..<(count * mix.from)]), into: buffer)
    }
    mixing = (mix, input)
    return count
  }

  /// Continues with the next stream; sets ``problem`` if it cannot be played.
  private func startNextLink() {
    switch current.problem(at: position - linkStart) {
    case .system(let text): problem = .system(text)
    case .shrunk: problem = .shrunk
    case let found:
      if firstProblem == nil { firstProblem = found }
      do throws(SndfileError) {
        try begin(index + 1)
      } catch {
        problem = error.code == SndfileError.system ? .system(error.message) : .damaged(error.message)
      }
    }
  }

  private func begin(_ number: Int) throws(SndfileError) {
    let link = try Self.open(file, starts, number, like: current, resamplers)
    index = number
    current = link
    linkStart = position
    guard link.sampleRate == sampleRate, let mix = ChannelMix(from: link.channels, to: channels) else {
      problem = .changed(at: position)
      return
    }
    mixing = mix.from == mix.to ? nil : (mix, [])
  }

  func seek(toFrame frame: Int64) -> Bool {
    problem = nil
    var start: Int64 = 0
    for (number, count) in counts.enumerated() {
      let end = Self.sum(start, count)
      guard frame < end || number == counts.count - 1 && frameCount != nil else {
        start = end
        continue
      }
      if number != index, (try? begin(number)) == nil { return false }
      position = frame
      linkStart = start
      return problem == nil && current.seek(toFrame: frame - start)
    }
    return false
  }

  func problem(at position: Int64) -> StreamProblem? {
    problem ?? firstProblem ?? current.problem(at: position - linkStart)
  }

  /// Opens the stream with this number, converted to the sample rate of `model` if possible.
  private static func open(
    _ file: RegularFile, _ starts: [Int64], _ number: Int, like model: any OpenFile, _ resamplers: ResamplerFactory?
  ) throws(SndfileError) -> any OpenFile {
    let end = number + 1 < starts.count ? starts[number + 1] : nil
    let link = try SoundOpening.openLink(file, from: starts[number], to: end)
    guard link.sampleRate != model.sampleRate, let resamplers else { return link }
    return ResampledSound(link, sampleRate: model.sampleRate, resamplers: resamplers) ?? link
  }

  private static func sum(_ first: Int64, _ second: Int64) -> Int64 {
    let (sum, overflow) = first.addingReportingOverflow(second)
    return overflow ? .max : sum
  }
}

/// A stream that is converted to another sample rate while it is read.
final class ResampledSound: OpenFile {
  /// The number of frames that go through the resampler before the target of a seek: more than the length of its
  /// filter.
  private static let leadIn: Int64 = 8192
  /// The maximum number of frames to read from the stream at once.
  private static let blockFrames = 4096

  let sampleRate: Int
  let frameCount: Int64?
  private let original: any OpenFile
  private let resamplers: ResamplerFactory
  private var resampler: any Resampler
  private var input: [Float] = []
  private var pending: Range<Int> = 0..<0
  private var isAtEnd = false

  /// Creates a conversion of `original` to `sampleRate`, in Hz; returns `nil` if there is no resampler between the two
  /// rates.
  init?(_ original: any OpenFile, sampleRate: Int, resamplers: @escaping ResamplerFactory) {
    guard original.sampleRate > 0, let resampler = resamplers(original.sampleRate, sampleRate, original.channels)
    else { return nil }
    self.original = original
    self.sampleRate = sampleRate
    self.resamplers = resamplers
    self.resampler = resampler
    frameCount = original.frameCount.flatMap {
      Int64(exactly: (Double($0) * Double(sampleRate) / Double(original.sampleRate)).rounded())
    }
  }

  var file: RegularFile { original.file }
  var channels: Int { original.channels }
  var coding: SampleCoding { original.coding }
  var bitRate: Int? { original.bitRate }

  func read(into buffer: UnsafeMutableBufferPointer<Float>) -> Int {
    while true {
      if pending.isEmpty, !isAtEnd { readBlock() }
      if isAtEnd, pending.isEmpty { return unsafe resampler.finish(into: buffer) }
      let (consumed, produced) = unsafe input.withUnsafeBufferPointer {
        unsafe resampler.process(UnsafeBufferPointer(rebasing: $0[pending]), into: buffer)
      }
      pending = (pending.lowerBound + consumed * channels)..<pending.upperBound
      if produced > 0 { return produced }
      if consumed == 0 { return 0 }
    }
  }

  private func readBlock() {
    let capacity = Self.blockFrames * channels
    if input.count < capacity { input = [Float](repeating: 0, count: capacity) }
    let count = unsafe input.withUnsafeMutableBufferPointer { unsafe original.read(into: $0) }
    isAtEnd = count <= 0
    pending = 0..<max(0, count * channels)
  }

  func seek(toFrame frame: Int64) -> Bool {
    let (from, to) = (Int64(original.sampleRate), Int64(sampleRate))
    // A position at which frames of both rates coincide: a whole number of seconds.
    let second = frame / to
    let (originalFrame, overflow) = second.multipliedReportingOverflow(by: from)
    guard frame >= 0, !overflow else { return false }
    let offsetInSecond = (frame - second * to) * from / to
    let leadInFrames = min(originalFrame, offsetInSecond >= Self.leadIn ? 0 : from)
    guard original.seek(toFrame: originalFrame - leadInFrames),
      let resampler = resamplers(original.sampleRate, sampleRate, channels)
    else { return false }
    self.resampler = resampler
    pending = 0..<0
    isAtEnd = false
    return skip(frame - second * to + (leadInFrames > 0 ? to : 0))
  }

  /// Reads and discards this many frames; returns `false` if the stream ends earlier.
  private func skip(_ frames: Int64) -> Bool {
    var rest = frames
    var dropped = [Float](repeating: 0, count: Self.blockFrames * channels)
    while rest > 0 {
      let samples = Int(min(rest, Int64(Self.blockFrames))) * channels
      let count = unsafe dropped.withUnsafeMutableBufferPointer {
        unsafe read(into: UnsafeMutableBufferPointer(rebasing: $0[..<samples]))
      }
      guard count > 0 else { return false }
      rest -= Int64(count)
    }
    return true
  }

  func problem(at position: Int64) -> StreamProblem? {
    let originalFrame = (Double(position) * Double(original.sampleRate) / Double(sampleRate)).rounded()
    return original.problem(at: Int64(exactly: originalFrame) ?? .max)
  }
}
