// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import SndfileDecoding
import SystemPackage
import TestSupport
import Testing

/// Broken files end early or are refused, with a reason.
@Suite struct SndfileDecoderFaultTests {
  @Test(
    arguments: [
      ("empty.flac", .empty), ("empty.mp3", .empty), ("tag-only.mp3", .malformed),
      ("text.mp3", .malformed), ("png.ogg", .malformed), ("noise.flac", .malformed),
      ("zero-rate.wav", nil), ("255-channels.wav", nil), ("unsupported.m4a", nil), ("alac.m4a", nil),
      ("wavpack.wv", nil),
    ] as [(String, DecodingError.Kind?)])
  func `a file that is not audio, or not playable, is refused`(name: String, kind: DecodingError.Kind?)
    throws
  {
    let path = Fixture.broken(name)
    let error = #expect(throws: DecodingError.self) { try SndfileDecoder(path: path) }
    #expect(error?.path == path)
    if let kind { #expect(error?.kind == kind) }
    #expect(error?.reason.isEmpty == false && error?.reason.contains("\n") == false)
  }

  /// The arguments are files and their numbers of frames; a range if the number depends on the decoder.
  @Test(arguments: [
    ("truncated.flac", 30_000...45_000), ("truncated.mp3", 30_000...45_000),
    ("truncated.ogg", 80_000...110_000),
    ("truncated.wav", 13_230...13_230), ("corrupt-middle.flac", 66_150...66_150), ("header-only.flac", 0...0),
    ("header-only.wav", 0...0), ("actually-mp3.flac", 66_150...66_150),
    ("actually-flac.mp3", 66_150...66_150),
    ("huge-promise.wav", 13_230...13_230), ("huge-promise.au", 13_230...13_230), ("nan.wav", 1...66_150),
    ("loud.wav", 1...66_150), ("vbr-no-xing.mp3", 266_112...266_112), ("chained.ogg", 110_250...110_250),
    ("junk-tail.ogg", 66_150...66_150), ("tags-hostile.flac", 66_150...66_150),
    ("tags-hostile.mp3", 66_150...66_150),
  ])
  func `a broken file returns the frames that it contains, also after a seek back`(
    name: String, frames: ClosedRange<Int>
  ) throws {
    let decoder = try SndfileDecoder(path: Fixture.broken(name))
    let channels = decoder.format.channels
    let all = try Decoded.rest(of: decoder)
    #expect(frames.contains(all.count / channels), "\(all.count / channels) frames")
    #expect(try Decoded.rest(of: decoder).isEmpty)
    try decoder.seek(toFrame: 0)
    let again = try Decoded.rest(of: decoder)
    #expect(again.count == all.count)
    try decoder.seek(toFrame: Int64(all.count / channels / 2))
    #expect(try Decoded.rest(of: decoder).count <= all.count)
    try decoder.seek(toFrame: .max)
    #expect(try Decoded.rest(of: decoder).isEmpty)
  }

  @Test func `A recording that grows while it is read is read to its new end, as often as it grows`() throws {
    let directory = try TemporaryDirectory()
    var samples = (0..<9_000).map { Int32($0 % 3_001) }
    let path = directory["growing.wav"]
    /// Writes the beginning into the same file, as a recorder does.
    func write(_ count: Int) throws {
      let file = try FileDescriptor.open(
        path, .writeOnly, options: .create, permissions: [.ownerReadWrite])
      try file.closeAfter {
        _ = try file.writeAll(WaveFile.bytes(Array(samples[..<count]), rate: 44_100, channels: 1, depth: .bits16))
      }
    }
    try write(2_000)
    let decoder = try SndfileDecoder(path: path)
    var read: [Float] = []
    for count in [5_000, 9_000] {
      var piece = [Float](repeating: 0, count: 700)
      let length = piece.withUnsafeMutableBufferPointer { decoder.read(into: $0) }
      read += piece[..<length]
      #expect(decoder.frameCount == 2_000)
      try write(count)
    }
    read += try Decoded.rest(of: decoder)
    #expect(Decoded.integers(read, .bits16) == samples && decoder.failure == nil)
    #expect(decoder.frameCount == 9_000 && !decoder.hasGrown)
    samples += samples[..<500]
    try write(9_500)
    #expect(decoder.hasGrown)
    try decoder.seek(toFrame: 0)
    #expect(!decoder.hasGrown)
    #expect(Decoded.integers(try Decoded.rest(of: decoder), .bits16) == samples)
    #expect(decoder.frameCount == 9_500)
    try decoder.seek(toFrame: 1_500)
    #expect(Decoded.integers(try Decoded.rest(of: decoder), .bits16) == Array(samples[1_500...]))
  }

  @Test func `What is appended to a file without changing its length is not audio`() throws {
    let directory = try TemporaryDirectory()
    let bytes = WaveFile.bytes([Int32](repeating: 7, count: 1_000), rate: 44_100, channels: 1, depth: .bits16)
    let path = try directory.write(bytes, to: "a.wav")
    let decoder = try SndfileDecoder(path: path)
    let file = try FileDescriptor.open(path, .writeOnly, options: .append)
    try file.closeAfter { _ = try file.writeAll([UInt8](repeating: 9, count: 1_000)) }
    #expect(try Decoded.rest(of: decoder).count == 1_000 && decoder.failure == nil)
  }

  @Test(arguments: ["junk-tail.ogg", "truncated.ogg"])
  func `an unknown length is not stated, and seeks are still exact`(name: String) throws {
    let decoder = try SndfileDecoder(path: Fixture.broken(name))
    #expect(decoder.frameCount == nil)
    let all = try Decoded.rest(of: decoder)
    try decoder.seek(toFrame: 20_000)
    let rest = try Decoded.rest(of: decoder)
    #expect(
      PCM.firstDifference(rest, Array(all.dropFirst(20_000 * decoder.format.channels)), channels: 1) == nil)
  }

  @Test(arguments: ["none", "directory", "fifo", "link", "dangling", "self", "null", "none/under"])
  func `a path that is not a regular file is refused at once`(name: String) throws {
    let directory = try TemporaryDirectory()
    try directory.makeDirectory("directory")
    try directory.makeFIFO("fifo")
    try directory.link("link", to: "/dev/zero")
    try directory.link("null", to: "/dev/null")
    try directory.link("dangling", to: "nowhere")
    try directory.link("self", to: "self")
    let error = #expect(throws: DecodingError.self) { try SndfileDecoder(path: directory[name]) }
    #expect(error?.kind == .unreadable)
    #expect(error?.reason.isEmpty == false && error?.reason.contains("\n") == false)
  }

  @Test func `a socket is refused at once`() throws {
    let directory = try TemporaryDirectory()
    let path = directory.file("socket")
    try directory.makeSocket("socket")
    let error = #expect(throws: DecodingError.self) { try SndfileDecoder(path: path) }
    #expect(error?.kind == .unreadable)
  }

  @Test(.enabled(if: TemporaryDirectory.permissionsApply, "root may access any file"))
  func `a file without read permission is refused with the reason`() throws {
    let directory = try TemporaryDirectory()
    let path = try directory.write(SoundBytes.wav(), to: "a.wav")
    try directory.setPermissions(0, of: "a.wav")
    let error = #expect(throws: DecodingError.self) { try SndfileDecoder(path: path) }
    #expect(error == DecodingError(path: path, kind: .unreadable, reason: "Permission denied"))
  }

  @Test func `a name with a line break is opened, and its error stays on one line`() throws {
    let directory = try TemporaryDirectory()
    let path = try directory.write(SoundBytes.wav(), to: "a\nb.wav")
    #expect(try Decoded.all(path).count == 8000)
    let text = try directory.write(Array("text".utf8), to: "c\nd.wav")
    let error = #expect(throws: DecodingError.self) { try SndfileDecoder(path: text) }
    #expect(error?.reason == "is not an audio file, but text")
  }

  @Test(arguments: ["flac", "mp3", "wav", "ogg"])
  func `a file that is removed or replaced during playback is played to its end`(suffix: String) throws {
    let name = [
      "flac": "tags-hostile.flac", "mp3": "vbr-no-xing.mp3", "wav": "truncated.wav", "ogg": "junk-tail.ogg",
    ]
    let original = Fixture.broken(try #require(name[suffix]))
    let expected = try Decoded.all(original)
    for isReplaced in [false, true] {
      let directory = try TemporaryDirectory()
      let path = try directory.write(contents(of: original), to: "a.\(suffix)")
      let decoder = try SndfileDecoder(path: path)
      var first = [Float](repeating: 0, count: 1000)
      let count = first.withUnsafeMutableBufferPointer { decoder.read(into: $0) } * decoder.format.channels
      try path.delete()
      if isReplaced { try directory.write(contents(of: Fixture.broken("loud.wav")), to: "a.\(suffix)") }
      let decoded = try Array(first.prefix(count)) + Decoded.rest(of: decoder)
      #expect(PCM.firstDifference(decoded, expected, channels: decoder.format.channels) == nil)
      #expect(decoder.failure == nil)
    }
  }

  @Test func `the three parts of the canon together are as long as their recording`() throws {
    let frames = try Fixture.canon.map {
      try Decoded.all($0).count / SndfileDecoder(path: $0).format.channels
    }
    #expect(frames == [373_917, 741_203 - 373_917, 1_148_604 - 741_203])
  }

  @Test func `a name that is not valid text is opened`() throws {
    let directory = try TemporaryDirectory()
    let path = FilePath(platformString: Array("\(directory.path)/".utf8CString.dropLast()) + [-1, -2, 0])
    let source = Fixture.broken("loud.wav")
    let bytes = try contents(of: source)
    let file = try FileDescriptor.open(path, .writeOnly, options: .create, permissions: .ownerReadWrite)
    _ = try file.closeAfter { try file.writeAll(bytes) }
    #expect(try Decoded.all(path).count == Decoded.all(source).count)
  }

  @Test func `a file that shrinks during playback ends early`() throws {
    let directory = try TemporaryDirectory()
    let path = try directory.write(
      WaveFile.bytes(testSignal(60_000, channels: 2, .bits16), rate: 44_100, channels: 2, depth: .bits16),
      to: "a.wav")
    let decoder = try SndfileDecoder(path: path)
    try path.truncate(to: 40_044)
    #expect(try Decoded.rest(of: decoder).count <= 30_000)
    try path.delete()
    #expect(throws: DecodingError.self) { try decoder.seek(toFrame: 10) }
  }
}

/// Headers with impossible values are refused, or the available audio is played.
@Suite struct HeaderPromiseTests {
  @Test(arguments: [
    "mega-rate.wav", "top-rate.wav", "no-channels.wav", "zero-rate.wav", "255-channels.wav",
    "infinite-rate.caf",
    "nan-rate.caf", "negative-rate.aiff", "endless-rate.aiff",
  ])
  func `an impossible rate or number of channels is refused with a reason`(name: String) throws {
    let error = #expect(throws: DecodingError.self) { try SndfileDecoder(path: Fixture.broken(name)) }
    #expect(error?.kind == .malformed || error?.kind == .unsupported)
    #expect(error?.reason.isEmpty == false)
  }

  @Test(arguments: ["huge-promise.caf", "negative-size.caf", "huge-promise.rf64", "bad-offset.au"])
  func `a length that libsndfile does not believe is refused with the name of the format`(name: String) throws {
    let suffix = name.split(separator: ".").last.map { $0.uppercased() } ?? ""
    do {
      #expect(try Decoded.all(Fixture.broken(name)).count == 13_230)
    } catch let error as DecodingError {
      #expect(error.kind == .malformed)
      #expect(error.reason.hasPrefix("is \(suffix), but damaged ("))
    }
  }

  @Test(arguments: [
    ("huge-promise.aiff", 13_230), ("huge-promise.w64", 13_230), ("negative-size.w64", 13_230),
    ("huge-promise.flac", 66_150),
  ])
  func `audio stated beyond the end of the file is not waited for`(name: String, frames: Int) throws {
    let decoder = try SndfileDecoder(path: Fixture.broken(name))
    let all = try Decoded.rest(of: decoder)
    #expect(all.count == frames)
    for frame in [10_000, (decoder.frameCount ?? 0) / 2, (decoder.frameCount ?? 0) - 1, .max] {
      try decoder.seek(toFrame: frame)
      let rest = try Decoded.rest(of: decoder)
      let expected = all.dropFirst(Int(min(frame, Int64(frames))))
      #expect(PCM.firstDifference(rest, Array(expected), channels: 1) == nil, "after a seek to \(frame)")
    }
  }

  @Test func `a stated length beyond the end of the file is reported`() throws {
    let decoder = try SndfileDecoder(path: Fixture.broken("huge-promise.flac"))
    _ = try Decoded.rest(of: decoder)
    #expect(decoder.failure?.kind == .malformed)
    #expect(decoder.failure?.reason.hasPrefix("ends at 0:01 of 432:51:") == true)
  }
}
