import AudioCore
import Flux
import MusicModel
import QueueFlow
import SystemPackage
import TestSupport
import Testing

@Suite struct CrossfadeFlowTests {
  private static let second = 44_100

  /// Twelve tracks of a second, of which every third holds nothing.
  private func scripts(_ change: (inout DecodingScript) -> Void) -> [DecodingScript] {
    (0..<12).map { index in
      var script = DecodingScript(tag: index % 7 + 1, frameCount: Self.second)
      if index % 3 == 2 { change(&script) }
      return script
    }
  }

  private func flow(_ scripts: [DecodingScript]) throws -> Flow {
    let flow = try Flow(scripts)
    flow.act(PlaybackAction.setCrossfade(Crossfade(duration: .seconds(2), withinAlbums: true)))
    let tracks = scripts.indices.map { Track(path: FilePath("\($0 + 1)"), title: "\($0 + 1)") }
    flow.queueDispatcher.dispatch(.enqueue(TrackCollection(title: "Numbers", tracks: tracks), item: 0))
    return flow
  }

  @Test(arguments: 0..<8)
  func `playing ends where tracks that are to fade into each other hold no sound`(_: Int) throws {
    let flow = try flow(scripts { $0.frameCount = 0 })
    #expect(flow.state.wait { $0.isOver && $0.phase == .stopped })
    // Each of the eight others has been heard, no more than once.
    let frames = flow.outputs.samples.count / 2
    #expect(frames > 4 * Self.second && frames <= 8 * Self.second, "\(frames) frames")
  }

  @Test(arguments: 0..<8)
  func `playing ends where tracks that are to fade into each other cannot be opened`(_: Int) throws {
    let flow = try flow(scripts { $0.opens = false })
    #expect(flow.state.wait { $0.isOver && $0.phase == .stopped })
    let frames = flow.outputs.samples.count / 2
    #expect(frames > 4 * Self.second && frames <= 8 * Self.second, "\(frames) frames")
  }
}
