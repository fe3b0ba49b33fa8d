import AudioCore
import Foundation
import SndfileDecoding
import SystemPackage
import TestSupport
import Testing

/// A file is held once it is open, whatever becomes of its name.
@Suite(.enabled(if: FileManager.default.fileExists(atPath: "/proc/self/fd"))) struct MovedFileTests {
  /// What becomes of the name.
  enum Change: CaseIterable { case renamed, removed, replaced }

  /// A FLAC and a WAV, an MP3 that is patched, and an Ogg file in which every seek reads from the beginning.
  @Test(
    arguments: ["tags-hostile.flac", "truncated.wav", "vbr-no-xing.mp3", "junk-tail.ogg"], Change.allCases)
  func `a file that was renamed, removed or replaced is sought in as one that was not`(
    name: String, change: Change
  ) throws {
    let original = Fixture.broken(name)
    let directory = try TemporaryDirectory()
    let path = try directory.write(contents(of: original), to: "a")
    let decoder = try SndfileDecoder(path: path)
    let control = try SndfileDecoder(path: original)
    #expect(Self.read(1000, of: decoder) == Self.read(1000, of: control))
    switch change {
    case .renamed: try path.rename(to: directory.file("b"))
    case .removed: try path.delete()
    case .replaced:
      try path.delete()
      try directory.write(contents(of: Fixture.broken("loud.wav")), to: "a")
    }
    for place: Int64 in [3000, 0, 12_000] {
      try decoder.seek(toFrame: place)
      try control.seek(toFrame: place)
      #expect(Self.read(1000, of: decoder) == Self.read(1000, of: control))
    }
    // Behind the end, going back means opening the file once more.
    for place: Int64 in [500, 7000, 0] {
      _ = try Decoded.rest(of: decoder)
      _ = try Decoded.rest(of: control)
      try decoder.seek(toFrame: place)
      try control.seek(toFrame: place)
      let heard = try Decoded.rest(of: decoder)
      #expect(heard.count > 5000)
      #expect(
        PCM.firstDifference(heard, try Decoded.rest(of: control), channels: control.format.channels) == nil)
    }
    #expect(decoder.failure == nil)
  }

  private static func read(_ frames: Int, of decoder: SndfileDecoder) -> [Float] {
    var buffer = [Float](repeating: 0, count: frames * decoder.format.channels)
    let count = buffer.withUnsafeMutableBufferPointer { decoder.read(into: $0) }
    return Array(buffer.prefix(max(0, count) * decoder.format.channels))
  }
}
