// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import MusicModel
import Platform
import PlayerFlow
import SystemPackage
import TestSupport
import Testing

/// Streams, as the flow sees them.
@Suite struct StreamFlowTests {
  private let second = 44_100
  private let texts = [
    SourceText(station: "Radio", title: "One"), SourceText(station: "Radio", title: "Two"), SourceText(title: "Three"),
  ]

  /// A station that names a title at its beginning, and after three and six seconds.
  private var station: DecodingScript {
    var script = DecodingScript(tag: 1, frameCount: 20 * second)
    script.statedFrameCount = nil
    script.isSeekable = false
    script.texts = texts.enumerated().map { ($0 * 3 * second, $1) }
    return script
  }

  private func flow(_ scripts: [DecodingScript]) throws -> Flow {
    let flow = try Flow(scripts, outputs: CollectingOutputs(granted: second))
    let tracks = (1...scripts.count).map { Track(path: FilePath("\($0)"), title: "\($0)") }
    flow.queueDispatcher.dispatch(.enqueue(TrackCollection(title: "Radio", tracks: tracks), item: 0))
    return flow
  }

  @Test func `What a stream says describes its item until the next one starts`() throws {
    let flow = try flow([station, DecodingScript(tag: 2, frameCount: second)])
    #expect(flow.state.wait { $0.sourceText == texts[0] })
    let items = flow.queue.queue.items
    let described = items[0].track.described(by: flow.state.value.sourceText(of: items[0]))
    #expect(described.title == "One" && described.album == "Radio")
    #expect(flow.state.value.sourceText(of: items[1]) == nil)
    let status = PlayerStatus(flow.state.value, queue: flow.queue.queue)
    #expect(status.song?.title == "One" && status.song?.album == "Radio")
    flow.act(.next)
    flow.outputs.grant()
    #expect(flow.state.wait { $0.item == items[1].id && $0.sourceText == nil })
  }

  @Test func `While a station connects, nothing of the track before is shown`() throws {
    var slow = station
    let gate = Gate()
    slow.openingGate = gate
    var first = DecodingScript(tag: 2, frameCount: 20 * second)
    first.texts = [(0, SourceText(station: "Before", title: "Old", artists: ["Band"]))]
    let flow = try flow([first, slow])
    #expect(flow.state.wait { $0.sourceText?.title == "Old" && $0.output != nil })
    let before = PlayerStatus(flow.state.value, queue: flow.queue.queue)
    #expect(before.song?.title == "Old" && before.song?.artists == ["Band"])
    #expect(before.source != nil && before.deviations != nil)
    flow.act(.next)
    #expect(flow.state.wait { $0.hasRequest })
    let (state, queue) = (flow.state.value, flow.queue.queue)
    let status = PlayerStatus(state, queue: queue)
    #expect(status.song?.title == "2" && status.song?.album == nil && status.song?.artist == nil)
    #expect(status.source == nil && status.decoder == nil && status.deviations == nil && status.song?.seconds == nil)
    #expect(state.openItem == nil && state.sourceText == nil && queue.currentPosition == 1)
    #expect(queue.items.allSatisfy { state.sourceText(of: $0) == nil })
    // The engine has left the track before, which would take what is granted. Not more, or the next title could come
    // before this one was looked at.
    #expect(flow.decoders.awaitOpened(2))
    gate.open()
    flow.outputs.grant(second)
    #expect(flow.state.wait { $0.sourceText == texts[0] })
  }

  @Test func `What a stream plays has its own artists and album, and the station's name`() {
    var track = Track(path: "1", title: "http://radio.example/")
    track.artists = ["Playlist"]
    let text = SourceText(station: "Radio", title: "Song", artists: ["Band", "Duo"], album: "Record")
    let described = track.described(by: text)
    #expect(described.artists == ["Band", "Duo"] && described.album == "Record" && described.title == "Song")
    #expect(track.described(by: SourceText(title: "News")).artists.isEmpty)
    #expect(track.described(by: SourceText(station: "Radio")).artists == ["Playlist"])
  }

  @Test func `A station without a title is described by its name, and a silent one by its own title`() {
    let track = Track(path: "1", title: "http://radio.example/")
    #expect(track.described(by: SourceText(station: "Radio")).title == "Radio")
    #expect(track.described(by: SourceText()) == track && track.described(by: nil) == track)
  }

  @Test func `In a stream without an end, nothing happens on a seek`() throws {
    let flow = try flow([station])
    #expect(flow.state.wait { $0.sourceText != nil && !$0.isSeekable })
    flow.act(.seek(.to(.seconds(10))))
    #expect(flow.state.value.seekCount == 0 && flow.state.value.position < .seconds(5))
  }

  @Test func `An address is named in messages as it is, and described in status as its path`() throws {
    let address = try #require(StreamAddress("http://radio.example/a//b"))
    let error = DecodingError(path: address.path, kind: .unreadable, reason: "cannot be reached")
    #expect(error.description == "http://radio.example/a//b: cannot be reached")
    let tracks = [Track(path: address.path, title: "Radio")]
    var queue = PlayQueue()
    queue.reduce(.enqueue(TrackCollection(title: "Radio", tracks: tracks), item: 0))
    #expect(PlayerStatus(PlaybackState(), queue: queue).song?.path == "http://radio.example/a//b")
  }
}
