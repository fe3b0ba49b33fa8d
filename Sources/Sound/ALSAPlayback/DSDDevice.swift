// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore

/// A device that receives DSD, packed as it understands it. Its own frames are those of the engine: 16 bits of each
/// channel.
///
/// Where two of these make up a frame of the device, silence that completes the last one cannot be taken back: if more
/// follows after it, 6 microseconds of silence stay between.
final class DSDDevice: PCMDevice {
  /// The markers of DSD over PCM, which alternate from frame to frame.
  private static let markers: [UInt8] = [0x05, 0xFA]

  private let device: any PCMDevice
  private let packing: DSDPacking
  private let channels: Int
  /// The number of frames that make up two frames of the device.
  private let framesPerTwo: Int
  /// The number of frames that were passed on, without those that were taken back; it decides about the markers.
  private var passedCount = 0
  /// The bytes that were not passed on yet: at most one frame, since the device's frames have room for two.
  private var waiting: [UInt8] = []
  /// The bytes for the device, in memory that is reused.
  private var packed: [UInt8] = []

  init(_ device: any PCMDevice, _ packing: DSDPacking, channels: Int) {
    self.device = device
    self.packing = packing
    self.channels = channels
    framesPerTwo = packing.framesPerTwo
    let capacity = (frames(device.bufferFrames) + 2) * frameSize
    waiting.reserveCapacity(capacity)
    packed.reserveCapacity(2 * capacity)
  }

  var bufferFrames: Int { frames(device.bufferFrames) }
  var periodFrames: Int { max(1, frames(device.periodFrames)) }
  var readAheadFrames: Int { frames(device.readAheadFrames + 1) }

  private func frames(_ count: Int) -> Int { count * framesPerTwo / 2 }
  private var waitingCount: Int { waiting.isEmpty ? 0 : 1 }
  private var frameSize: Int { 2 * channels }

  func state() throws(PCMError) -> PCMState {
    let state = try device.state()
    return PCMState(
      room: max(0, frames(state.room) - waitingCount), replaceable: frames(state.replaceable) + waitingCount,
      unplayed: frames(state.unplayed) + waitingCount)
  }

  func write(_ bytes: UnsafeRawBufferPointer) throws(PCMError) {
    unsafe waiting.append(contentsOf: bytes)
    let count = waiting.count / frameSize
    let wholeCount = framesPerTwo == 4 ? count / 2 * 2 : count
    pack(wholeCount)
    if !packed.isEmpty {
      let result = unsafe packed.withUnsafeBytes { packed in
        Result { () throws(PCMError) in try unsafe device.write(packed) }
      }
      if case .failure(let error) = result {
        // The caller may write them again.
        waiting.removeLast(bytes.count)
        throw error
      }
    }
    passedCount += wholeCount
    waiting.removeFirst(wholeCount * frameSize)
  }

  /// Packs the first `count` waiting frames, whose samples are little-endian, for the device.
  private func pack(_ count: Int) {
    packed.removeAll(keepingCapacity: true)
    let end = count * frameSize
    switch packing {
    case .overPCM(let depth):
      for low in stride(from: 0, to: end, by: 2) {
        if depth == .bits32 { packed.append(0) }
        packed.append(waiting[low])
        packed.append(waiting[low + 1])
        packed.append(Self.markers[(passedCount + low / frameSize) & 1])
      }
    case .words(let isBigEndian):
      for low in stride(from: 0, to: end, by: 2) {
        packed.append(waiting[isBigEndian ? low + 1 : low])
        packed.append(waiting[isBigEndian ? low : low + 1])
      }
    case .bytes:
      for frame in stride(from: 0, to: end, by: frameSize) {
        for high in stride(from: frame + 1, to: frame + frameSize, by: 2) { packed.append(waiting[high]) }
        for low in stride(from: frame, to: frame + frameSize, by: 2) { packed.append(waiting[low]) }
      }
    case .doubleWords(let isBigEndian):
      for pair in stride(from: 0, to: end, by: 2 * frameSize) {
        for first in stride(from: pair, to: pair + frameSize, by: 2) {
          let second = first + frameSize
          packed.append(waiting[isBigEndian ? first + 1 : second])
          packed.append(waiting[isBigEndian ? first : second + 1])
          packed.append(waiting[isBigEndian ? second + 1 : first])
          packed.append(waiting[isBigEndian ? second : first + 1])
        }
      }
    }
  }

  func rewind(_ frames: Int) throws(PCMError) -> Int {
    guard frames > 0 else { return 0 }
    let dropped = waitingCount
    var rewound = try device.rewind((frames - dropped) * 2 / framesPerTwo)
    // Two frames of the device are one of these.
    if framesPerTwo == 1, !rewound.isMultiple(of: 2) { rewound += try device.rewind(1) }
    let count = self.frames(rewound)
    waiting.removeAll(keepingCapacity: true)
    passedCount -= count
    return dropped + count
  }

  func start() throws(PCMError) { try device.start() }

  func reset() throws(PCMError) {
    waiting.removeAll(keepingCapacity: true)
    try device.reset()
  }

  func close() { device.close() }
}
