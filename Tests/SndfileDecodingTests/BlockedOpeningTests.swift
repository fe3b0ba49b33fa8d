// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Dispatch
import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import SndfileDecoding

/// A file whose bytes become available only when a gate is opened.
private final class GatedFile: VirtualFile {
  private let bytes: [UInt8]
  private let gate: Gate

  init(_ bytes: [UInt8], behind gate: Gate) {
    self.bytes = bytes
    self.gate = gate
    super.init(length: Int64(bytes.count))
  }

  override func fill(_ buffer: UnsafeMutableRawBufferPointer, at offset: Int64) -> Int {
    gate.pass()
    let piece = bytes.dropFirst(Int(offset)).prefix(buffer.count)
    buffer.copyBytes(from: piece)
    return piece.count
  }
}

/// A file that counts how often it is read.
private final class CountedFile: VirtualFile {
  private(set) var count = 0

  override func fill(_ buffer: UnsafeMutableRawBufferPointer, at offset: Int64) -> Int {
    count += 1
    for index in buffer.indices { buffer[index] = UInt8(truncatingIfNeeded: Int(offset) + index) }
    return max(0, min(buffer.count, Int(length - offset)))
  }
}

/// A file that blocks while it is opened, and files that do not open, must not affect others.
@Suite struct BlockedOpeningTests {
  /// Returns the result of opening a file, as text.
  private static func outcome(_ path: FilePath) -> String {
    do throws(DecodingError) {
      let decoder = try SndfileDecoder(path: path)
      return "\(decoder.frameCount ?? -1) frames"
    } catch {
      return "\(error.kind): \(error.reason)"
    }
  }

  private static func opens(_ file: VirtualFile) -> Bool {
    do throws(SndfileError) {
      let sound = try SoundFile(file)
      return sound.error == nil
    } catch {
      return false
    }
  }

  /// Returns files that do not open, each for a different error of libsndfile, and files that do.
  private static func files(in directory: TemporaryDirectory) throws -> [FilePath] {
    var caf = [UInt8]("caff".utf8) + [0, 1, 0, 0] + Array("desc".utf8) + [0, 0, 0, 0, 0, 0, 0, 32]
    caf += [0x40, 0xE5, 0x88, 0x80, 0, 0, 0, 0] + Array("aac ".utf8) + [UInt8](repeating: 0, count: 20)
    caf += Array("data".utf8) + [0, 0, 0, 0, 0, 0, 1, 0] + [UInt8](repeating: 0, count: 256)
    return [
      try directory.write(caf, to: "a.caf"), Fixture.broken("no-channels.wav"), Fixture.broken("text.mp3"),
      Fixture.broken("infinite-rate.caf"), Fixture.broken("loud.wav"), Fixture.broken("tags-hostile.flac"),
    ]
  }

  @Test(arguments: [1, 5])
  func `files that block while opening prevent no other from being opened or refused`(
    count: Int
  ) throws {
    let directory = try TemporaryDirectory()
    let files = try Self.files(in: directory)
    let expected = files.map(Self.outcome)
    #expect(expected[0] == "otherDecoder: is CAF with a codec that libsndfile does not decode")
    #expect(expected[4].hasSuffix(" frames"))
    let bytes = try contents(of: Fixture.broken("loud.wav"))
    let gates = (0..<count).map { _ in Gate() }
    defer { for gate in gates { gate.open() } }
    let opened = Watched(0)
    for gate in gates {
      Thread.detachNewThread {
        let file = GatedFile(bytes, behind: gate)
        if Self.opens(file) { opened.change { $0 += 1 } }
      }
      #expect(gate.awaitArrival())
    }
    let outcomes = Watched<[String]>([])
    Thread.detachNewThread {
      for file in files {
        let outcome = Self.outcome(file)
        outcomes.change { $0.append(outcome) }
      }
    }
    #expect(outcomes.wait { $0.count == files.count })
    #expect(outcomes.value == expected)
    #expect(opened.value == 0)
    for gate in gates { gate.open() }
    #expect(opened.wait { $0 == count })
  }

  @Test func `a file that does not open gets its own error, however many open at once`() throws {
    let directory = try TemporaryDirectory()
    let files = try Self.files(in: directory)
    let expected = files.map(Self.outcome)
    let wrong = Watched<[String]>([])
    DispatchQueue.concurrentPerform(iterations: 4) { thread in
      for round in 0..<200 {
        let index = (round + thread) % files.count
        let outcome = Self.outcome(files[index])
        if outcome != expected[index] { wrong.change { $0.append("\(files[index]): \(outcome)") } }
      }
    }
    #expect(wrong.value == [])
  }

  @Test func `a recorded file is read again without accessing the original`() {
    let file = CountedFile(length: 100_000)
    let record = RecordedFile(file)
    let reads: [(Int64, Int)] = [(0, 12), (10, 40_000), (99_000, 4000), (16_000, 1000)]
    let recorded = reads.map { Self.bytes(of: record, at: $0.0, count: $0.1) }
    #expect(recorded.map(\.count) == [12, 40_000, 1000, 1000])
    #expect(recorded[1].elementsEqual((10..<40_010).map { UInt8(truncatingIfNeeded: $0) }))
    let count = file.count
    record.isReplayed = true
    #expect(reads.map { Self.bytes(of: record, at: $0.0, count: $0.1) } == recorded)
    #expect(Self.bytes(of: record, at: 60_000, count: 10).isEmpty)
    #expect(file.count == count)
  }

  private static func bytes(of file: RecordedFile, at offset: Int64, count: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      filled = file.fill(UnsafeMutableRawBufferPointer(buffer), at: offset)
    }
  }
}
