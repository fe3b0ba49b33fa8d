// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import SystemPackage
import TestSupport
import Testing

@Suite struct SegmentDecoderTests {
  /// Returns a decoder for a file of `frames` frames at `rate`.
  private func file(
    _ frames: Int, rate: Int = 44_100, stated: Int64?? = nil, seeks: Bool = true
  ) throws -> any AudioDecoder {
    var script = DecodingScript(tag: 1, frameCount: frames, format: .of(rate, channels: 2, .bits24))
    if let stated { script.statedFrameCount = stated }
    script.seeks = seeks
    return try ScriptedDecoders([script]).open("1")
  }

  /// Returns all remaining samples of `decoder`, in reads of `size` frames.
  private func rest(of decoder: any AudioDecoder, reading size: Int = 1_000) -> [Float] {
    var samples: [Float] = []
    var buffer = [Float](repeating: 0, count: size * decoder.format.channels)
    while true {
      let count = buffer.withUnsafeMutableBufferPointer { decoder.read(into: $0) }
      guard count > 0 else { return samples }
      samples += buffer[..<(count * decoder.format.channels)]
    }
  }

  private func segment(_ start: Int, _ end: Int?, of file: any AudioDecoder) throws -> SegmentDecoder {
    try SegmentDecoder(file, segment: SourceSegment(start: start, end: end), path: "1")
  }

  @Test(arguments: [44_100, 48_000, 96_000, 22_050, 8_000, 44_101], [1_000, 7])
  func `adjacent parts together are exactly the file`(rate: Int, size: Int) throws {
    let frames = rate / 2 + 311
    let whole = rest(of: try file(frames, rate: rate))
    let bounds: [Int?] = [0, 1, 3, 10, 11, 29, 36, nil]
    var joined: [Float] = []
    for (start, end) in zip(bounds, bounds.dropFirst()) {
      let part = try segment(start ?? 0, end, of: file(frames, rate: rate))
      let samples = rest(of: part, reading: size)
      #expect(part.frameCount == Int64(samples.count / 2))
      #expect(part.failure == nil)
      joined += samples
    }
    #expect(PCM.firstDifference(joined, whole, channels: 2) == nil)
  }

  @Test func `The last part of a file that grows grows with it`() throws {
    var script = DecodingScript(tag: 1, frameCount: 10_000)
    script.statedFrameCount = 5_000
    script.growth = [(5_000, 10_000)]
    script.hasGrown = true
    for (end, stated, hasGrown) in [(nil, 9_412, true), (12, 6_468, false)] as [(Int?, Int64, Bool)] {
      let part = try segment(1, end, of: ScriptedDecoders([script]).open("1"))
      #expect(part.frameCount == 4_412 && !part.hasGrown)
      #expect(rest(of: part).count / 2 == stated)
      #expect(part.frameCount == stated && part.hasGrown == hasGrown)
    }
  }

  @Test func `a part of a file that is converted to PCM begins and ends where it did`() throws {
    var script = DecodingScript(tag: 1, frameCount: 176_400, format: .of(176_400, channels: 2, coding: .dsd))
    script.pcm = [DecodingScript(tag: 2, frameCount: 88_200, format: .of(88_200, channels: 2, .bits24))]
    let decoder = try segment(15, 30, of: ScriptedDecoders([script]).open("1"))
    #expect(decoder.frameCount == 35_280)
    let converted = try #require(try decoder.pcmDecoder())
    let samples = rest(of: converted).map { Int32($0 * Float(1 << 23)) }
    #expect(samples == script.pcm[0].samples(17_640..<35_280))
    #expect(try segment(0, 1, of: file(1_000)).pcmDecoder() == nil)
  }

  @Test func `a successor continues in the same file without opening or seeking`() throws {
    let frames = 44_100
    let whole = rest(of: try file(frames))
    // The file cannot seek.
    var part = try segment(0, 20, of: file(frames, seeks: false))
    var joined = rest(of: part)
    for bounds in [(20, 21), (21, 60), (60, nil)] as [(Int, Int?)] {
      let next = try #require(part.successor(SourceSegment(start: bounds.0, end: bounds.1)))
      part = next
      joined += rest(of: part)
    }
    #expect(PCM.firstDifference(joined, whole, channels: 2) == nil)
  }

  @Test func `only an adjacent part has a successor, and not before the end or after a seek past it`() throws {
    let part = try segment(5, 10, of: file(44_100))
    let next = SourceSegment(start: 10, end: 20)
    #expect(part.successor(next) == nil)
    _ = rest(of: part)
    #expect(part.successor(SourceSegment(start: 11, end: 20)) == nil)
    try part.seek(toFrame: 1_000_000)
    #expect(rest(of: part).isEmpty && part.successor(next) == nil)
    try part.seek(toFrame: 100)
    _ = rest(of: part)
    let successor = try #require(part.successor(next))
    #expect(rest(of: successor).count == 10 * 588 * 2)
  }

  @Test func `seeking counts from the beginning of the part and stays within it`() throws {
    let part = try segment(10, 20, of: file(44_100))
    let samples = rest(of: part)
    #expect(part.frameCount == 5_880 && samples.count == 5_880 * 2)
    for frame in [0, 1, 588, 5_879] {
      try part.seek(toFrame: Int64(frame))
      #expect(PCM.firstDifference(rest(of: part), Array(samples[(frame * 2)...]), channels: 2) == nil)
    }
    for frame in [5_880, 5_881, Int64.max] {
      try part.seek(toFrame: frame)
      #expect(rest(of: part).isEmpty && part.failure == nil)
    }
    try part.seek(toFrame: -5)
    #expect(rest(of: part) == samples)
  }

  @Test func `a file that ends before the part fails only if more than a second is missing`() throws {
    let short = try segment(0, 150, of: file(44_100))
    #expect(short.frameCount == 44_100)
    #expect(rest(of: short).count == 44_100 * 2 && short.failure == nil)
    let shorter = try segment(0, 151, of: file(44_100))
    #expect(rest(of: shorter).count == 44_100 * 2 && shorter.failure?.kind == .malformed)
    let beyond = try segment(200, 300, of: file(44_100))
    #expect(beyond.frameCount == 0 && rest(of: beyond).isEmpty)
  }

  @Test func `the length is known if the part or the file states it`() throws {
    #expect(try segment(75, 150, of: file(99_000, stated: .some(nil))).frameCount == 44_100)
    #expect(try segment(75, nil, of: file(99_000, stated: .some(nil))).frameCount == nil)
    #expect(try segment(75, nil, of: file(99_000)).frameCount == 99_000 - 44_100)
  }

  @Test func `a file whose part cannot be reached does not open`() throws {
    let file = try file(44_100, seeks: false)
    #expect(throws: DecodingError.self) { try segment(1, 2, of: file) }
  }
}

@Suite struct SourceSegmentTests {
  @Test(arguments: [8_000, 11_025, 22_050, 44_100, 48_000, 88_200, 96_000, 192_000, 44_101])
  func `the frame of every CD frame is exact, rounded down, up to three hours`(rate: Int) {
    for cdFrame in stride(from: 0, through: 3 * 3600 * 75, by: 997) {
      let segment = SourceSegment(start: cdFrame, end: cdFrame + 1)
      #expect(segment.startFrame(at: rate) == Int64(cdFrame * rate / 75))
      #expect(segment.endFrame(at: rate) == Int64((cdFrame + 1) * rate / 75))
    }
  }

  @Test func `at the rate of a CD a CD frame has 588 audio frames`() {
    #expect(SourceSegment(start: 4_500 * 60, end: nil).startFrame(at: 44_100) == 4_500 * 60 * 588)
    #expect(SourceSegment(start: 0, end: nil).endFrame(at: 44_100) == nil)
  }

  @Test func `bounds out of range give the greatest number`() {
    let segment = SourceSegment(start: .max, end: .max)
    #expect(segment.startFrame(at: 768_000) == .max && segment.endFrame(at: 768_000) == .max)
    #expect(SourceSegment(start: .max, end: .max).startFrame(at: 1) == Int64.max / 75)
  }

  @Test func `invalid bounds give an empty part`() {
    let segment = SourceSegment(start: 10, end: 3)
    #expect(segment.start == 10 && segment.end == 10)
    #expect(SourceSegment(start: -4, end: -2) == SourceSegment(start: 0, end: 0))
  }
}
