// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import CALSA

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

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
