// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore

/// The sources and settings of one run in which the render loop is watched.
struct Scenario: Sendable {
  /// The description of the scenario.
  let name: String
  /// The formats of the sources, which are played without gaps.
  let sources: [AudioFormat]
  /// The requested bit depth; `nil` for that of each source.
  var depth: SampleDepth?
  /// Whether the output is a device that has a buffer and a thread of its own.
  var isDevice = true
  /// Whether the volume is changed all the time.
  var changesVolume = false
  /// Whether the equaliser is on.
  var isEqualised = false
  /// Whether another thread takes the engine's locks all the time, so that a render loop that takes them would block.
  var holdsLocks = false

  /// Returns all scenarios.
  static func all() -> [Scenario] {
    let cd = AudioFormat(sampleRate: 44_100, channels: 2, coding: .integer(bits: 16))
    let studio = AudioFormat(sampleRate: 96_000, channels: 2, coding: .integer(bits: 24))
    let lossy = AudioFormat(sampleRate: 48_000, channels: 2, coding: .lossy)
    let dsd = AudioFormat(sampleRate: 176_400, channels: 2, coding: .dsd)
    guard let cd, let studio, let lossy, let dsd else { return [] }
    return [
      Scenario(name: "16 bits, two tracks", sources: [cd, cd]),
      Scenario(name: "24 bits, two tracks", sources: [studio, studio]),
      Scenario(name: "lossy, two tracks", sources: [lossy, lossy]),
      Scenario(name: "DSD, two tracks", sources: [dsd, dsd]),
      Scenario(name: "16 bits, volume", sources: [cd, cd], changesVolume: true),
      Scenario(name: "24 bits, volume", sources: [studio, studio], changesVolume: true),
      Scenario(name: "24 bits as 16", sources: [studio, studio], depth: .bits16),
      Scenario(name: "16 bits, equaliser", sources: [cd, cd], isEqualised: true),
      Scenario(
        name: "24 bits, equaliser and volume", sources: [studio, studio], changesVolume: true, isEqualised: true),
      Scenario(name: "during commands", sources: [cd, cd, cd], changesVolume: true, holdsLocks: true),
      Scenario(name: "16 bits, to a file", sources: [cd, cd], isDevice: false),
      Scenario(
        name: "24 bits, volume, to a file", sources: [studio, studio], isDevice: false, changesVolume: true),
    ]
  }
}
