// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Platform
import PlaybackEngine
import TestSupport
import Testing

/// What streams say of themselves.
@Suite struct SourceTextTests {
  @Test func `A text of a stream is reported when its frames are audible, not when they are decoded`() throws {
    let second = 44_100
    let texts = ["One", "Two", "Three"].map { SourceText(station: "Radio", title: $0) }
    var station = DecodingScript(tag: 1, frameCount: 20 * second)
    station.texts = texts.enumerated().map { ($0 * 3 * second, $1) }
    let rig = try EngineRig([station], outputs: CollectingOutputs(granted: second))
    rig.engine.play(EngineRig.source(1))
    let id = EngineRig.source(1).id
    #expect(rig.await(.text(id, texts[0])))
    // The engine decodes three seconds ahead.
    #expect(rig.outputs.awaitBlockedWrite())
    rig.outputs.grant(second)
    let isNear = { (event: EngineEvent) in
      if case .position(id, let position) = event { position >= .milliseconds(1_500) } else { false }
    }
    #expect(rig.await { $0.contains(where: isNear) })
    #expect(!rig.events.contains(.text(id, texts[1])))
    rig.outputs.grant(2 * second)
    #expect(rig.await(.text(id, texts[1])))
    #expect(!rig.events.contains(.text(id, texts[2])))
    rig.outputs.grant(4 * second)
    #expect(rig.await(.text(id, texts[2])))
    #expect(rig.events.count { if case .text = $0 { true } else { false } } == 3)
  }
}
