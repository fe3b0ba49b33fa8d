// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore

/// Consecutive streams of an Ogg file, called links, that have one format and are read as one. At a link of another
/// format, reading ends; ``rest()`` continues there.
///
/// Frames are counted from the beginning of the file, at the sample rate of these links.
final class ChainedSound: OpenFile {
  private let chain: OggChain
  let sampleRate: Int
  let channels: Int
  let coding: SampleCoding

  var library: DecodingLibrary { current.library }

  private var current: any OpenFile
  /// Whether the current link has been read to its end, after which libraries may fail to seek.
  private var hasEnded = false
  /// The number of the link that is read.
  private var index: Int
  /// The number of the next frame.
  private var position: Int64
  /// The number of the first frame of the current link.
  private var linkStart: Int64
  /// The link of another format at which reading has ended, and the frame in it, at the sample rate of this one; `nil`
  /// if it has not.
  private var entry: (link: Int, frame: Int64)?
  /// The reason why reading cannot continue; `nil` if it can.
  private var problem: StreamProblem?
  /// The first problem of the links that have ended; `nil` if there was none.
  private var firstProblem: StreamProblem?

  /// Opens the links of `file` that begin at the offsets in `starts`, which must not be empty.
  convenience init(_ file: RegularFile, _ starts: [Int64]) throws(SndfileError) {
    let first = try SoundOpening.openLink(file, from: starts[0], to: starts.dropFirst().first)
    self.init(OggChain(file, starts, first: first), first, number: 0, at: 0)
  }

  /// Creates the reader of the link with this number and those after it; `position` is the number of its first frame.
  private init(_ chain: OggChain, _ link: any OpenFile, number: Int, at position: Int64) {
    self.chain = chain
    sampleRate = link.sampleRate
    channels = link.channels
    coding = link.coding
    current = link
    index = number
    self.position = position
    linkStart = position
  }

  var file: RegularFile { chain.file }

  var frameCount: Int64? {
    chain.links.count == chain.starts.count ? chain.links.reduce(0) { Self.sum($0, $1.frames(at: sampleRate)) } : nil
  }

  var bitRate: Int? { bitRate(byteCount: file.size - (chain.starts.first ?? 0)) }

  var seeksAtEnd: Bool { true }

  /// Whether reading has ended at a link of another format.
  var hasRest: Bool { entry != nil }

  func read(into buffer: UnsafeMutableBufferPointer<Float>) -> Int {
    while problem == nil, entry == nil {
      let count = unsafe current.read(into: buffer)
      if count > 0 {
        position = Self.sum(position, Int64(count))
        return count
      }
      hasEnded = true
      guard index + 1 < chain.starts.count else { break }
      startNextLink()
    }
    return 0
  }

  /// Continues with the next link; sets ``entry`` if it has another format, and ``problem`` if it cannot be played.
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
    let link = try chain.open(number)
    guard link.sampleRate == sampleRate, link.channels == channels else {
      entry = (number, 0)
      return
    }
    index = number
    current = link
    hasEnded = false
    linkStart = position
  }

  /// Returns the links from the one on at which reading has ended, and the number of their first frame, at their own
  /// sample rate; `nil` if the file has no more.
  func rest() throws(SndfileError) -> (sound: ChainedSound, firstFrame: Int64)? {
    guard let entry else { return nil }
    let link = try chain.open(entry.link)
    let scale = Double(link.sampleRate) / Double(max(1, sampleRate))
    let first = Int64(exactly: (Double(position) * scale).rounded()) ?? .max
    let frame = Int64(exactly: (Double(entry.frame) * scale).rounded()) ?? .max
    if frame > 0, link.seek(toFrame: frame) {
      let sound = ChainedSound(chain, link, number: entry.link, at: first - frame)
      sound.position = first
      return (sound, first)
    }
    // A library that has failed to seek must open the link again.
    let sound = ChainedSound(
      chain, frame > 0 ? try chain.open(entry.link) : link, number: entry.link, at: first - frame)
    sound.readForward(to: first)
    return (sound, sound.position)
  }

  /// Reads and drops the frames before `frame`, or to the end of the format if that is earlier.
  private func readForward(to frame: Int64) {
    var dropped = [Float](repeating: 0, count: 4096 * channels)
    while position < frame {
      let count = Int(clamping: min(4096, frame - position)) * channels
      let read = unsafe dropped.withUnsafeMutableBufferPointer {
        unsafe self.read(into: UnsafeMutableBufferPointer(rebasing: $0[..<count]))
      }
      guard read > 0 else { return }
    }
  }

  /// Skips this many frames of the rest, at the sample rate of these links.
  func skipInRest(_ frames: Int64) {
    guard let entry else { return }
    self.entry = (entry.link, Self.sum(entry.frame, frames))
    position = Self.sum(position, frames)
  }

  func seek(toFrame frame: Int64) -> Bool {
    problem = nil
    entry = nil
    var start: Int64 = 0
    var isOtherFormat = false
    for (number, link) in chain.links.enumerated() {
      let end = Self.sum(start, link.frames(at: sampleRate))
      if number >= index, (link.sampleRate, link.channels) != (sampleRate, channels) { isOtherFormat = true }
      guard frame < end || number == chain.links.count - 1 && frameCount != nil else {
        start = end
        continue
      }
      position = frame
      if isOtherFormat {
        entry = (number, frame - start)
        return true
      }
      if number != index || hasEnded, (try? begin(number)) == nil { return false }
      linkStart = start
      return entry == nil && current.seek(toFrame: frame - start)
    }
    return false
  }

  func problem(at position: Int64) -> StreamProblem? {
    problem ?? firstProblem ?? (hasRest ? nil : current.problem(at: position - linkStart))
  }

  private static func sum(_ first: Int64, _ second: Int64) -> Int64 {
    let (sum, overflow) = first.addingReportingOverflow(second)
    return overflow ? .max : sum
  }
}

private struct OggChain {
  /// What is known about a link before it is played.
  struct Link {
    let sampleRate: Int
    let channels: Int
    let frameCount: Int64

    /// Its length in frames of another sample rate.
    func frames(at rate: Int) -> Int64 {
      guard rate != sampleRate else { return frameCount }
      return Int64(exactly: (Double(frameCount) * Double(rate) / Double(max(1, sampleRate))).rounded()) ?? .max
    }
  }

  /// The maximum number of links whose lengths are determined at the beginning; each must be opened for that.
  private static let countedLimit = 256

  let file: RegularFile
  /// The offsets at which the links begin.
  let starts: [Int64]
  /// The first links, as far as their lengths are known.
  private(set) var links: [Link] = []

  init(_ file: RegularFile, _ starts: [Int64], first: any OpenFile) {
    self.file = file
    self.starts = starts
    while links.count < min(starts.count, Self.countedLimit) {
      guard let link = links.isEmpty ? first : try? open(links.count), let frameCount = link.frameCount else { break }
      links.append(Link(sampleRate: link.sampleRate, channels: link.channels, frameCount: frameCount))
    }
  }

  /// Opens the link with this number, which must exist.
  func open(_ number: Int) throws(SndfileError) -> any OpenFile {
    let end = number + 1 < starts.count ? starts[number + 1] : nil
    return try SoundOpening.openLink(file, from: starts[number], to: end)
  }
}
