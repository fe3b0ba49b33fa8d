// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Outputs
import Platform
import Synchronization
import SystemPackage
import TestSupport
import Testing

extension ProgramLane {
  /// A FIFO is a device that runs on its reader's clock.
  @Suite(.serialized) struct FIFOOutputTests {
    private let directory: TemporaryDirectory
    private let path: FilePath
    private let opener: OutputOpener

    init() throws {
      // Segue does this when it starts.
      ProcessSignal.ignoreBrokenPipes()
      directory = try TemporaryDirectory()
      try directory.makeFIFO("fifo")
      path = directory["fifo"]
      opener = OutputOpener(.file(driver: "raw", path), drivers: NoDrivers(), buffer: .milliseconds(50))
    }

    private func format(_ rate: Int = 44_100, channels: Int = 2, _ depth: SampleDepth = .bits16) -> DeviceFormat {
      DeviceFormat(sampleRate: rate, channels: channels, depth: depth)
    }

    private func reader() throws -> FileDescriptor {
      try FileDescriptor.open(path, .readOnly, options: [.nonBlocking, .closeOnExec])
    }

    @Test func `a reader that reads all it can gets everything, but no sooner than it plays`() throws {
      let received = Watched<[UInt8]?>(nil)
      let reader = try reader()
      // With a second descriptor, the FIFO still has a reader when the first one is closed.
      let secondReader = try FileDescriptor.open(path, .readOnly, options: [.closeOnExec, .nonBlocking])
      try reader.close()
      let output = try opener.open(format())
      #expect(output.isRealTime && output.staysOpenInPause && output.bufferFrames == 4096 * 4 / 4)
      #expect(output.periodFrames == 1024)
      let thread = try WorkerThread(name: "reader") {
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 1 << 16)
        while true {
          do {
            let count = try part.withUnsafeMutableBytes { try secondReader.read(into: $0) }
            if count == 0 { break }
            bytes += part[..<count]
          } catch Errno.resourceTemporarilyUnavailable {
            MonotonicInstant.now.advanced(byMilliseconds: 1).sleep()
          } catch {
            break
          }
        }
        received.change { $0 = bytes }
      }
      let written = (0..<44_100 * 4 / 2).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
      let start = MonotonicInstant.now
      for part in stride(from: 0, to: written.count, by: 4096) {
        try SoundWriting.write(Array(written[part..<min(part + 4096, written.count)]), to: output)
      }
      // Half a second, of which the pipe holds 93 ms.
      let elapsed = (MonotonicInstant.now.nanoseconds - start.nanoseconds) / 1_000_000
      #expect(elapsed >= 400, "\(elapsed) ms")
      try output.close()
      #expect(received.wait { $0 != nil })
      let bytes = try #require(received.value)
      #expect(bytes.count == written.count + 44_100 / 20 * 4 && bytes.starts(with: written))
      #expect(bytes.dropFirst(written.count).allSatisfy { $0 == 0 })
      #expect(thread.join(until: .now.advanced(byMilliseconds: 60_000)))
      try secondReader.close()
    }

    @Test func `a reader that closes the FIFO is a lost device, and can come back`() throws {
      let first = try reader()
      let output = try opener.open(format())
      try SoundWriting.write([UInt8](repeating: 1, count: 400), to: output)
      try first.close()
      let lost = #expect(throws: OutputError.self) { try SoundWriting.write([1, 2, 3, 4], to: output) }
      #expect(lost?.kind == .lost && lost?.description == "\(path): the reader has closed it")
      try output.close()
      let absent = #expect(throws: OutputError.self) { try opener.open(format()) }
      #expect(absent?.kind == .cannotOpen && absent?.description == "\(path): no reader")
      let second = try reader()
      let again = try opener.open(format())
      try SoundWriting.write([1, 2, 3, 4], to: again)
      var bytes = [UInt8](repeating: 0, count: 100)
      #expect(try bytes.withUnsafeMutableBytes { try second.read(into: $0) } == 4)
      try second.close()
      try again.close()
    }

    @Test func `a FIFO without a reader opens once, to wait for one`() throws {
      let output = try opener.open(format())
      #expect(output.bufferFrames > 0)
      let error = #expect(throws: OutputError.self) { try SoundWriting.write([0, 0, 0, 0], to: output) }
      #expect(error?.kind == .lost && error?.description == "\(path): no reader")
      try output.close()
      #expect(throws: OutputError.self) { try opener.open(format()) }
    }

    @Test func `a missing FIFO is waited for, and never created`() throws {
      let path = directory["later"]
      let opener = OutputOpener(.fifo(path), drivers: NoDrivers(), buffer: .milliseconds(50))
      let output = try opener.open(format())
      let error = #expect(throws: OutputError.self) { try SoundWriting.write([0, 0, 0, 0], to: output) }
      #expect(error?.kind == .lost && error?.description == "\(path): no such FIFO")
      try output.close()
      #expect(throws: OutputError.self) { try opener.open(format()) }
      #expect((try? FileStatus(of: path)) == nil)
      try directory.makeFIFO("later")
      let reader = try FileDescriptor.open(path, .readOnly, options: [.nonBlocking, .closeOnExec])
      let again = try opener.open(format())
      try SoundWriting.write([1, 2, 3, 4], to: again)
      try reader.close()
      try again.close()
    }

    @Test func `a path that is not a FIFO is not written`() throws {
      let path = try directory.write([1, 2, 3], to: "file")
      let opener = OutputOpener(.fifo(path), drivers: NoDrivers())
      let error = #expect(throws: OutputError.self) { try opener.open(format()) }
      #expect(error?.kind == .cannotOpen && error?.description == "\(path) is not a FIFO")
      #expect(try contents(of: path) == [1, 2, 3])
    }

    @Test func `a FIFO that was removed is not replaced by a file`() throws {
      let first = try reader()
      try opener.open(format()).close()
      try first.close()
      directory.remove("fifo")
      let error = #expect(throws: OutputError.self) { try opener.open(format()) }
      #expect(error?.kind == .cannotOpen)
      #expect((try? FileStatus(of: path)) == nil)
    }

    @Test func `a FIFO stays in its first rate and depth, in stereo`() throws {
      let first = try reader()
      let output = try opener.open(format(96_000, channels: 1, .bits24))
      #expect(output.format == format(96_000, .bits24))
      try output.close()
      let other = try opener.open(format(44_100, channels: 6))
      #expect(other.format == format(96_000, .bits24))
      try other.close()
      try first.close()
    }
  }
}
