// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Flux
import MusicModel
import PlayerFlow
import SystemPackage
import TestSupport

/// A player flow with scripted decoders and an output that collects samples.
final class Flow: Sendable {
  let queueDispatcher = QueueDispatcher()
  /// The same dispatcher as ``queueDispatcher``: it carries all player actions.
  var playbackDispatcher: QueueDispatcher { queueDispatcher }
  let libraryDispatcher = LibraryDispatcher()
  let queue: QueueListener
  let playback: PlaybackStore
  let controller: EnQueueController
  let decoders: ScriptedDecoders
  let outputs: CollectingOutputs
  let state = Watched(PlaybackState())
  private let observation: Subscription

  init(
    _ scripts: [DecodingScript], outputs: CollectingOutputs = CollectingOutputs(),
    measurements: @escaping @Sendable ([Track]) -> [AudioMeasurement] = {
      $0.map { AudioMeasurement(replayGain: $0.replayGain) }
    }, skipping: SilenceSkipping? = nil,
    isFile: @escaping @Sendable (FilePath) -> Bool? = { _ in nil }
  ) throws {
    let decoders = ScriptedDecoders(scripts)
    self.decoders = decoders
    self.outputs = outputs
    let store = PlayerStore(dispatcher: queueDispatcher)
    (queue, playback) = (QueueListener(store), PlaybackStore(store))
    controller = try EnQueueController(
      store: store, queue: queue, playback: playback, dispatcher: queueDispatcher, library: libraryDispatcher,
      measurements: measurements, skipping: skipping, isFile: isFile,
      decoders: { path throws(DecodingError) in try decoders.open(path) },
      resamplers: { _, _, _ in nil }, outputs: { format throws(OutputError) in try outputs.open(format) })
    observation = playback.observe { [state] new in state.change { $0 = new } }
  }

  /// Dispatches `action`, and blocks until all subscribers have received it, even if another thread delivers it.
  func act(_ action: PlaybackAction) { act(.playback(action)) }

  /// Dispatches a queue action in the same way.
  func act(_ action: QueueAction) { act(.queue(action)) }

  private func act(_ action: PlayerAction) {
    queueDispatcher.dispatch(action)
    actions.awaitDelivery()
  }

  /// The action creator, as a view would use it.
  var actions: PlayerActionCreator { PlayerActionCreator(dispatcher: queueDispatcher) }

  deinit {
    outputs.grant()
    _ = controller.shutDown(within: 20_000)
  }
}
