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
    bytes.removeLast(frames * frameSize)
    return frames
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
}
