// SPDX-License-Identifier: GPL-3.0-or-later

import Equalising
import MusicModel
import Testing

@testable import PlayerFlow

/// The profile of the equaliser follows the output.
@Suite struct EqualiserFlowTests {
  private static let desk = NamedEqualiser(
    name: "Desk", profile: EqualiserProfile(filters: [EqualiserFilter(.peak, 100, gain: 3, .q(1))]))
  private static let head = NamedEqualiser(
    name: "Head", profile: EqualiserProfile(filters: [EqualiserFilter(.peak, 900, gain: -3, .q(1))]))

  /// Applies actions one after the other, and returns the profiles that the engine is to apply.
  private func effects(_ actions: [PlaybackAction]) -> [EqualiserProfile?] { changes(actions).map(\.profile) }

  private func changes(_ actions: [PlaybackAction]) -> [(profile: EqualiserProfile?, crossfeed: Crossfeed?)] {
    var state = PlayerState()
    return actions.flatMap { action in
      state.reduce(.playback(action), audible: nil).effects.compactMap { effect in
        if case .setEqualiser(let profile, let crossfeed) = effect { (profile, crossfeed) } else { nil }
      }
    }
  }

  @Test func `each output has its own profile, or none`() {
    let changes = effects([
      .setEqualisers(["pulse:desk": Self.desk, "pulse:head": Self.head]), .nameOutput("pulse"),
      .nameOutput("pulse:desk"), .nameOutput("pulse:head"), .nameOutput("pulse:head"), .nameOutput("pulse:tv"),
    ])
    #expect(changes == [Self.desk.profile, Self.head.profile, nil])
  }

  @Test func `crossfeed belongs to an output, with a profile or without, and is bypassed with it`() {
    let changes = changes([
      .nameOutput("head"), .setEqualisers(["head": Self.head], crossfeeds: ["head": .meier]), .nameOutput("desk"),
      .setEqualisers(["head": Self.head], crossfeeds: ["head": .meier, "desk": .chuMoy]), .bypassEqualiser(true),
      .nameOutput("head"), .bypassEqualiser(false), .setEqualisers(["head": Self.head]),
    ])
    #expect(changes.map(\.crossfeed) == [.meier, nil, .chuMoy, nil, .meier, nil])
    #expect(changes.map(\.profile) == [Self.head.profile, nil, nil, nil, Self.head.profile, Self.head.profile])
  }

  @Test func `a bypass lasts until it is ended, on every output`() {
    let changes = effects([
      .nameOutput("a"), .setEqualisers(["a": Self.desk, "b": Self.head]), .bypassEqualiser(true), .nameOutput("b"),
      .bypassEqualiser(true), .bypassEqualiser(false), .setEqualisers(["b": Self.head]), .setEqualisers([:]),
    ])
    #expect(changes == [Self.desk.profile, nil, Self.head.profile, nil])
  }
}
