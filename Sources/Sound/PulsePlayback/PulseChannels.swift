// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import CPulse

/// The order of the channels in a stream.
enum PulseChannels {
  static func map(_ channels: Int, _ library: UnsafePointer<PulseLibrary>) -> pa_channel_map {
    var map = pa_channel_map()
    _ = unsafe library.pointee.channel_map_init_extend(&map, UInt32(clamping: channels), PA_CHANNEL_MAP_WAVEEX)
    unsafe withUnsafeMutableBytes(of: &map.map) { bytes in
      for (index, speaker) in Speaker.speakers(channels: channels).enumerated() {
        unsafe bytes.storeBytes(
          of: position(of: speaker), toByteOffset: index * MemoryLayout<pa_channel_position_t>.stride,
          as: pa_channel_position_t.self)
      }
    }
    return map
  }

  private static func position(of speaker: Speaker) -> pa_channel_position_t {
    switch speaker {
    case .mono: PA_CHANNEL_POSITION_MONO
    case .frontLeft: PA_CHANNEL_POSITION_FRONT_LEFT
    case .frontRight: PA_CHANNEL_POSITION_FRONT_RIGHT
    case .frontCentre: PA_CHANNEL_POSITION_FRONT_CENTER
    case .lowFrequency: PA_CHANNEL_POSITION_LFE
    case .rearLeft: PA_CHANNEL_POSITION_REAR_LEFT
    case .rearRight: PA_CHANNEL_POSITION_REAR_RIGHT
    case .rearCentre: PA_CHANNEL_POSITION_REAR_CENTER
    case .sideLeft: PA_CHANNEL_POSITION_SIDE_LEFT
    case .sideRight: PA_CHANNEL_POSITION_SIDE_RIGHT
    }
  }
}
