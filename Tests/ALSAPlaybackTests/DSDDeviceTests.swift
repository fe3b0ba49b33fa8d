// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import TestSupport
import Testing

@testable import ALSAPlayback

/// A device that records what it receives, and from which everything can be taken back.
private final class RecordingDevice: PCMDevice {
  let bufferFrames = 1_000
  let periodFrames = 100
  let readAheadFrames = 0
  let frameSize: Int
  var bytes: [UInt8] = []
  var failsOnce = false
  /// The maximum number of frames that are taken back at once.
  var rewindLimit = Int.max

  init(frameSize: Int) { self.frameSize = frameSize }

  var frameCount: Int { bytes.count / frameSize }
  func state() -> PCMState {
    PCMState(room: bufferFrames - frameCount, replaceable: frameCount, unplayed: frameCount)
  }
  func write(_ bytes: UnsafeRawBufferPointer) throws(PCMError) {
    if failsOnce {
      failsOnce = false
      throw .underrun
    }
    self.bytes += Array(bytes)
  }
  func rewind(_ frames: Int) -> Int {
    let count = min(frames, rewindLimit)
    bytes.removeLast(count * frameSize)
    return count
  }
  func start() {}
  func reset() { bytes = [] }
  func close() {}
}

@Suite struct DSDDeviceTests {
  /// Writes frames of two channels, each of which is given by its first and its second byte.
  private func write(_ frames: [[UInt8]], to device: DSDDevice) throws(PCMError) {
    let bytes = frames.flatMap { [$0[1], $0[0], $0[3], $0[2]] }
    let result = bytes.withUnsafeBytes { bytes in Result { () throws(PCMError) in try device.write(bytes) } }
    try result.get()
  }

  private static let frames: [[UInt8]] = [[1, 2, 11, 12], [3, 4, 13, 14], [5, 6, 15, 16], [7, 8, 17, 18]]

  @Test(
    arguments: [
      (.overPCM(.bits24), 6, [2, 1, 5, 12, 11, 5, 4, 3, 0xFA, 14, 13, 0xFA]),
      (.overPCM(.bits32), 8, [0, 2, 1, 5, 0, 12, 11, 5, 0, 4, 3, 0xFA, 0, 14, 13, 0xFA]),
      (.bytes, 2, [1, 11, 2, 12, 3, 13, 4, 14]),
      (.words(isBigEndian: true), 4, [1, 2, 11, 12, 3, 4, 13, 14]),
      (.words(isBigEndian: false), 4, [2, 1, 12, 11, 4, 3, 14, 13]),
      (.doubleWords(isBigEndian: true), 8, [1, 2, 3, 4, 11, 12, 13, 14]),
      (.doubleWords(isBigEndian: false), 8, [4, 3, 2, 1, 14, 13, 12, 11]),
    ] as [(DSDPacking, Int, [UInt8])])
  func `every packing has the bits in the order that ALSA defines`(
    packing: DSDPacking, frameSize: Int, expected: [UInt8]
  ) throws {
    let recorder = RecordingDevice(frameSize: frameSize)
    let device = DSDDevice(recorder, packing, channels: 2)
    try write(Array(Self.frames.prefix(2)), to: device)
    #expect(recorder.bytes == expected)
    #expect(try device.state().unplayed == 2)
  }

  @Test func `a frame that fills half of a device's frame waits for the next one`() throws {
    let recorder = RecordingDevice(frameSize: 8)
    let device = DSDDevice(recorder, .doubleWords(isBigEndian: true), channels: 2)
    try write([Self.frames[0]], to: device)
    #expect(recorder.bytes.isEmpty)
    #expect(try device.state() == PCMState(room: 1_999, replaceable: 1, unplayed: 1))
    try write(Array(Self.frames[1...2]), to: device)
    #expect(recorder.bytes == [1, 2, 3, 4, 11, 12, 13, 14])
    // The waiting frame is the first to be taken back, and then only whole frames of the device are.
    #expect(try device.rewind(2) == 1)
    #expect(try device.state().unplayed == 2)
    #expect(try device.rewind(2) == 2)
    #expect(recorder.bytes.isEmpty)
  }

  @Test func `the markers alternate, whatever is taken back`() throws {
    let recorder = RecordingDevice(frameSize: 6)
    let device = DSDDevice(recorder, .overPCM(.bits24), channels: 2)
    try write(Array(Self.frames.prefix(3)), to: device)
    #expect(try device.rewind(1) == 1)
    try write(Array(Self.frames), to: device)
    let markers = stride(from: 2, to: recorder.bytes.count, by: 6).map { recorder.bytes[$0] }
    #expect(markers == [5, 0xFA, 5, 0xFA, 5, 0xFA])
  }

  @Test func `what fails is written once when it is written again`() throws {
    let recorder = RecordingDevice(frameSize: 8)
    let device = DSDDevice(recorder, .doubleWords(isBigEndian: true), channels: 2)
    try write([Self.frames[0]], to: device)
    recorder.failsOnce = true
    #expect(throws: PCMError.underrun) { try write([Self.frames[1]], to: device) }
    try write([Self.frames[1]], to: device)
    #expect(recorder.bytes == [1, 2, 3, 4, 11, 12, 13, 14])
  }

  @Test func `of bytes, only whole frames are taken back`() throws {
    let recorder = RecordingDevice(frameSize: 2)
    let device = DSDDevice(recorder, .bytes, channels: 2)
    try write(Self.frames, to: device)
    recorder.rewindLimit = 3
    #expect(try device.rewind(4) == 2)
    #expect(recorder.bytes == [1, 11, 2, 12, 3, 13, 4, 14])
  }

  @Test func `behind an odd number of frames is silence, which what follows replaces`() throws {
    let recorder = RecordingDevice(frameSize: 8)
    let format = DeviceFormat(sampleRate: 1_000, channels: 2, depth: .bits16, isDSD: true)
    let output = ALSAOutput(
      DSDDevice(recorder, .doubleWords(isBigEndian: true), channels: 2), format, name: "card", clock: ManualClock())
    let write = { (frames: [[UInt8]]) in
      let bytes = frames.flatMap { [$0[1], $0[0], $0[3], $0[2]] }
      try bytes.withUnsafeBytes { bytes in Result { () throws(OutputError) in try output.write(bytes) } }.get()
    }
    try write(Array(Self.frames.prefix(3)))
    #expect(output.unplayedFrames == 3)
    _ = try output.synchronize(isComplete: true)
    #expect(output.unplayedFrames == 3)
    #expect(recorder.bytes.starts(with: [1, 2, 3, 4, 11, 12, 13, 14, 5, 6, 0x69, 0x69, 15, 16, 0x69, 0x69]))
    #expect(recorder.bytes.count > 160 && recorder.bytes.dropFirst(16).allSatisfy { $0 == 0x69 })
    try write([Self.frames[3], Self.frames[0], Self.frames[1]])
    // All but the silence that shares a frame of the card with the last frame, and what is audible within 20 ms.
    #expect(recorder.bytes.suffix(8) == [7, 8, 1, 2, 17, 18, 11, 12])
  }
}
