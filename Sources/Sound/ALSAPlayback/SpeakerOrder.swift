// SPDX-License-Identifier: GPL-3.0-or-later

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
  /// The speakers of each number of channels, starting at 1, in the order of the engine (see `ChannelMix`); empty where
  /// there is nothing to reorder.
  private static let speakers: [[Int]] = [
    [], [],
    [ALSASpeakerFrontLeft, ALSASpeakerFrontRight, ALSASpeakerFrontCenter],
    [ALSASpeakerFrontLeft, ALSASpeakerFrontRight, ALSASpeakerRearLeft, ALSASpeakerRearRight],
    [
      ALSASpeakerFrontLeft, ALSASpeakerFrontRight, ALSASpeakerFrontCenter, ALSASpeakerRearLeft, ALSASpeakerRearRight,
    ],
    [
      ALSASpeakerFrontLeft, ALSASpeakerFrontRight, ALSASpeakerFrontCenter, ALSASpeakerLowFrequency,
      ALSASpeakerRearLeft, ALSASpeakerRearRight,
    ],
    [
      ALSASpeakerFrontLeft, ALSASpeakerFrontRight, ALSASpeakerFrontCenter, ALSASpeakerLowFrequency,
      ALSASpeakerRearCenter, ALSASpeakerSideLeft, ALSASpeakerSideRight,
    ],
    [
      ALSASpeakerFrontLeft, ALSASpeakerFrontRight, ALSASpeakerFrontCenter, ALSASpeakerLowFrequency,
      ALSASpeakerRearLeft, ALSASpeakerRearRight, ALSASpeakerSideLeft, ALSASpeakerSideRight,
    ],
  ].map { $0.map { Int($0) } }

  /// Returns, for each of a device's channels, which of a frame's channels it plays; `nil` if the order is the same, or
  /// the device has other speakers, or does not say which.
  static func order(_ device: [Int]) -> [Int]? {
    guard speakers.indices.contains(device.count - 1) else { return nil }
    let engine = speakers[device.count - 1]
    let order = device.compactMap { engine.firstIndex(of: $0) }
    guard Set(order).count == device.count, order != Array(engine.indices) else { return nil }
    return order
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
