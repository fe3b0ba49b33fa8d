// SPDX-License-Identifier: GPL-3.0-or-later

import CPulse

/// The order of the channels in a stream.
enum PulseChannels {
  /// The speakers of each number of channels, starting at 1, in the order of the engine (see `ChannelMix`).
  private static let speakers = [
    [PA_CHANNEL_POSITION_MONO],
    [PA_CHANNEL_POSITION_FRONT_LEFT, PA_CHANNEL_POSITION_FRONT_RIGHT],
    [PA_CHANNEL_POSITION_FRONT_LEFT, PA_CHANNEL_POSITION_FRONT_RIGHT, PA_CHANNEL_POSITION_FRONT_CENTER],
    [
      PA_CHANNEL_POSITION_FRONT_LEFT, PA_CHANNEL_POSITION_FRONT_RIGHT, PA_CHANNEL_POSITION_REAR_LEFT,
      PA_CHANNEL_POSITION_REAR_RIGHT,
    ],
    [
      PA_CHANNEL_POSITION_FRONT_LEFT, PA_CHANNEL_POSITION_FRONT_RIGHT, PA_CHANNEL_POSITION_FRONT_CENTER,
      PA_CHANNEL_POSITION_REAR_LEFT, PA_CHANNEL_POSITION_REAR_RIGHT,
    ],
    [
      PA_CHANNEL_POSITION_FRONT_LEFT, PA_CHANNEL_POSITION_FRONT_RIGHT, PA_CHANNEL_POSITION_FRONT_CENTER,
      PA_CHANNEL_POSITION_LFE, PA_CHANNEL_POSITION_REAR_LEFT, PA_CHANNEL_POSITION_REAR_RIGHT,
    ],
    [
      PA_CHANNEL_POSITION_FRONT_LEFT, PA_CHANNEL_POSITION_FRONT_RIGHT, PA_CHANNEL_POSITION_FRONT_CENTER,
      PA_CHANNEL_POSITION_LFE, PA_CHANNEL_POSITION_REAR_CENTER, PA_CHANNEL_POSITION_SIDE_LEFT,
      PA_CHANNEL_POSITION_SIDE_RIGHT,
    ],
    [
      PA_CHANNEL_POSITION_FRONT_LEFT, PA_CHANNEL_POSITION_FRONT_RIGHT, PA_CHANNEL_POSITION_FRONT_CENTER,
      PA_CHANNEL_POSITION_LFE, PA_CHANNEL_POSITION_REAR_LEFT, PA_CHANNEL_POSITION_REAR_RIGHT,
      PA_CHANNEL_POSITION_SIDE_LEFT, PA_CHANNEL_POSITION_SIDE_RIGHT,
    ],
  ]

  /// Returns the speakers of `channels` channels.
  static func map(_ channels: Int, _ library: UnsafePointer<PulseLibrary>) -> pa_channel_map {
    var map = pa_channel_map()
    _ = unsafe library.pointee.channel_map_init_extend(&map, UInt32(clamping: channels), PA_CHANNEL_MAP_WAVEEX)
    guard Self.speakers.indices.contains(channels - 1) else { return map }
    unsafe withUnsafeMutableBytes(of: &map.map) { bytes in
      for (index, speaker) in Self.speakers[channels - 1].enumerated() {
        unsafe bytes.storeBytes(
          of: speaker, toByteOffset: index * MemoryLayout<pa_channel_position_t>.stride, as: pa_channel_position_t.self)
      }
    }
    return map
  }
}
