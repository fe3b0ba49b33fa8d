// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import CALSA
import CStandard

/// A format of frames as a sound card knows it.
struct CardFormat: Hashable {
  /// The number of frames in a second.
  var sampleRate: Int
  /// The number of samples in a frame.
  var channels: Int
  /// The number of bytes in a sample.
  var sampleSize: Int
  /// The number of the format in ALSA.
  var code: Int
  /// The name of the samples for a message, such as "16 bits".
  var samples: String

  var frameByteCount: Int { channels * sampleSize }

  private init(_ sampleRate: Int, _ channels: Int, size: Int, code: Int, samples: String) {
    self.sampleRate = sampleRate
    self.channels = channels
    sampleSize = size
    self.code = code
    self.samples = samples
  }

  init(pcm format: DeviceFormat) {
    let code =
      switch format.depth {
      case .bits16: ALSAFormatS16LE
      case .bits24: ALSAFormatS24LE3Bytes
      case .bits32: ALSAFormatS32LE
      }
    self.init(
      format.sampleRate, format.channels, size: format.depth.byteCount, code: Int(code),
      samples: "\(format.depth.rawValue) bits")
  }

  init(dsd format: DeviceFormat, _ packing: DSDPacking) {
    let bitRate = format.sampleRate * DirectStreamDigital.bitsPerSample
    let (size, code) =
      switch packing {
      case .overPCM(let depth): (depth.byteCount, depth == .bits32 ? ALSAFormatS32LE : ALSAFormatS24LE3Bytes)
      case .bytes: (1, ALSAFormatDSDU8)
      case .words(let isBigEndian): (2, isBigEndian ? ALSAFormatDSDU16BE : ALSAFormatDSDU16LE)
      case .doubleWords(let isBigEndian): (4, isBigEndian ? ALSAFormatDSDU32BE : ALSAFormatDSDU32LE)
      }
    let rate = format.sampleRate * 2 / packing.framesPerTwo
    self.init(
      rate, format.channels, size: size, code: Int(code), samples: DirectStreamDigital.name(ofBitRate: bitRate) ?? "DSD"
    )
  }
}

/// How the bits of DSD are packed into the samples of a card.
enum DSDPacking: Hashable {
  /// Two bytes of DSD in PCM of this depth (24 or 32 bits), below a marker in the highest byte (DSD over PCM, DoP 1.1).
  case overPCM(SampleDepth)
  /// One byte in each sample.
  case bytes
  /// Two bytes in each sample.
  case words(isBigEndian: Bool)
  /// Four bytes in each sample.
  case doubleWords(isBigEndian: Bool)

  /// The number of the engine's frames that make up two frames of the card: 1, 2 or 4.
  var framesPerTwo: Int {
    switch self {
    case .bytes: 1
    case .overPCM, .words: 2
    case .doubleWords: 4
    }
  }

  /// The packings that cards declare, most usual first.
  static let native: [DSDPacking] = [
    .doubleWords(isBigEndian: true), .doubleWords(isBigEndian: false), .words(isBigEndian: true),
    .words(isBigEndian: false), .bytes,
  ]
  /// The packings for cards that understand DSD over PCM, which none declares.
  static let overPCM: [DSDPacking] = [.overPCM(.bits32), .overPCM(.bits24)]
}

/// The order of a device's channels, which is seldom that of files when there are more than two.
enum SpeakerOrder {
  /// Returns, for each of a device's channels, which of a frame's channels it plays; `nil` if the order is the same, or
  /// the device has other speakers, or does not say which.
  static func order(_ device: [Int]) -> [Int]? {
    guard device.count > 2 else { return nil }
    let frame = Speaker.speakers(channels: device.count)
    let order = device.compactMap { number in speaker(number).flatMap { frame.firstIndex(of: $0) } }
    guard !frame.isEmpty, Set(order).count == device.count, order != Array(frame.indices) else { return nil }
    return order
  }

  /// Returns the speaker with this number in ALSA.
  private static func speaker(_ number: Int) -> Speaker? {
    switch number {
    case Int(ALSASpeakerFrontLeft): .frontLeft
    case Int(ALSASpeakerFrontRight): .frontRight
    case Int(ALSASpeakerFrontCenter): .frontCentre
    case Int(ALSASpeakerLowFrequency): .lowFrequency
    case Int(ALSASpeakerRearLeft): .rearLeft
    case Int(ALSASpeakerRearRight): .rearRight
    case Int(ALSASpeakerRearCenter): .rearCentre
    case Int(ALSASpeakerSideLeft): .sideLeft
    case Int(ALSASpeakerSideRight): .sideRight
    default: nil
    }
  }

  /// Asks a device for the order of its channels; see ``order(_:)``.
  static func order(of pcm: OpaquePointer, _ library: UnsafePointer<ALSALibrary>, channels: Int) -> [Int]? {
    guard let map = unsafe library.pointee.get_chmap(pcm) else { return nil }
    defer { unsafe free(map) }
    guard unsafe map.pointee.channels == UInt32(channels) else { return nil }
    let positions = unsafe UnsafeRawPointer(map).advanced(by: MemoryLayout<UInt32>.stride)
      .assumingMemoryBound(to: UInt32.self)
    return unsafe order(UnsafeBufferPointer(start: positions, count: channels).map { Int($0) })
  }
}
