// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import MusicModel
import Platform
import PlayerFlow
import PlayerPort
import Synchronization

extension CommandTable {
  /// The commands that report the state of the player, and that set modes and outputs.
  static let status: [RemoteCommand] = [
    RemoteCommand("status", .read) { addStatus(&$1) },
    RemoteCommand("currentsong", .read, lane: .reading) { _, context in
      let queue = context.player.queue.queue
      context.client.seenQueue.readCurrent(queue)
      guard let position = queue.currentPosition else { return }
      context.source = QueueListing(
        queue, [position..<(position + 1)], .songs(SongText(context), context.player.library?.index),
        playback: context.player.playback.state)
    },
    RemoteCommand("outputs", .read) { _, context in
      let output = context.player.playback.state.output
      context.response.add("outputid", 0)
      context.response.add("outputname", output?.name ?? "segue")
      context.response.add("plugin", output?.name ?? "ao")
      context.response.add("outputenabled", context.player.playback.state.isOutputEnabled)
      guard let tap = context.player.playback.state.tap else { return }
      context.response.add("outputid", 1)
      context.response.add("outputname", tap.name)
      context.response.add("plugin", "fifo")
      context.response.add("outputenabled", tap.isEnabled)
    },
    RemoteCommand("enableoutput", or: ["disableoutput", "toggleoutput"], .admin, arguments: 1...1, setOutput),
    RemoteCommand("repeat", .control, arguments: 1...1, lane: .editing) {
      arguments, context throws(ProtocolError) in
      let isOn = try arguments.boolean(0)
      let mode = context.player.queue.queue.modes.repeat
      guard isOn != (mode != .off) else { return }
      try context.set(.repeat(isOn ? .all : .off))
      // In the protocol, repeating one song is the combination of the modes repeat and single.
      if mode == .one { try context.set(.single(.on)) }
    },
    RemoteCommand("random", .control, arguments: 1...1, lane: .editing) {
      arguments, context throws(ProtocolError) in
      let isOn = try arguments.boolean(0)
      let isRandom = context.player.queue.queue.modes.random != .off
      if isOn != isRandom { try context.set(.random(isOn ? .tracks : .off)) }
    },
    RemoteCommand("single", .control, arguments: 1...1, lane: .editing) {
      arguments, context throws(ProtocolError) in
      let modes: [String: QueueModes.Single] = ["0": .off, "1": .on, "oneshot": .once]
      guard let mode = modes[arguments[0]] else {
        throw ProtocolError(.argument, "Unrecognized single mode, expected 0, 1, or oneshot")
      }
      let repeats = context.player.queue.queue.modes.repeat
      if repeats == .one, mode != .on { try context.set(.repeat(.all)) }
      try context.set(.single(mode))
    },
    RemoteCommand("consume", .control, arguments: 1...1, lane: .editing) {
      arguments, context throws(ProtocolError) in
      try context.set(arguments[0] == "oneshot" ? .consumeOnce : .consume(try arguments.boolean(0)))
    },
    RemoteCommand("crossfade", .control, arguments: 1...1) { arguments, context throws(ProtocolError) in
      let duration = Duration.seconds(try arguments.unsigned(0))
      guard duration <= Crossfade.limit else { throw ProtocolError(.argument, "Value out of range") }
      let withinAlbums = context.player.playback.state.crossfade.withinAlbums
      try context.send(.settings(.crossfade(seconds: duration / .seconds(1), withinAlbums: withinAlbums)))
    },
    RemoteCommand("mixrampdb", .control, arguments: 1...1) { arguments, context throws(ProtocolError) in
      try context.send(.settings(.mixRampDecibels(try arguments.number(0))))
    },
    RemoteCommand("mixrampdelay", .control, arguments: 1...1) { arguments, context throws(ProtocolError) in
      // "nan" turns the overlap off, and so does a negative number.
      let delay = arguments[0].lowercased() == "nan" ? -1 : try arguments.number(0)
      try context.send(.settings(.mixRampDelay(seconds: delay > 0 ? delay : nil)))
    },
    RemoteCommand("replay_gain_mode", .control, arguments: 1...1) {
      arguments, context throws(ProtocolError) in
      guard let mode = ReplayGainSettings.Mode(rawValue: arguments[0]) else {
        throw ProtocolError(.argument, "Unrecognized replay gain mode")
      }
      try context.send(.settings(.replayGain(mode)))
    },
    RemoteCommand("replay_gain_status", .read) { _, context in
      context.response.add("replay_gain_mode", context.player.playback.state.replayGain.mode.rawValue)
    },
  ]

  /// Enables or disables the output, number 0, or the tap, number 1.
  private static func setOutput(_ arguments: Arguments, _ context: inout CommandContext) throws(ProtocolError) {
    let state = context.player.playback.state
    let newState = { (isEnabled: Bool) in
      arguments.command == "toggleoutput" ? !isEnabled : arguments.command == "enableoutput"
    }
    switch (try arguments.unsigned(0), state.tap) {
    case (0, _):
      let isEnabled = state.isOutputEnabled
      if newState(isEnabled) != isEnabled { try context.send(.settings(.enableOutput(!isEnabled))) }
    case (1, let tap?):
      if newState(tap.isEnabled) != tap.isEnabled { try context.send(.settings(.enableTap(!tap.isEnabled))) }
    default: throw ProtocolError(.noExist, "No such audio output")
    }
  }

  private static func addStatus(_ context: inout CommandContext) {
    let (queue, state) = (context.player.queue.queue, context.player.playback.state)
    context.client.seenQueue.readCurrent(queue)
    let modes = queue.modes
    context.response.add("volume", state.volume.percent)
    context.response.add("repeat", modes.repeat != .off)
    context.response.add("random", modes.random != .off)
    let isSingle = modes.single == .on || modes.repeat == .one
    context.response.add("single", modes.single == .once ? "oneshot" : isSingle ? "1" : "0")
    context.response.add("consume", modes.consumesOnce ? "oneshot" : modes.consume ? "1" : "0")
    context.response.add("partition", "default")
    context.response.add("lastloadedplaylist", context.player.lastLoaded.value.withLock(\.self))
    context.response.add("playlist", queue.protocolVersion)
    context.response.add("playlistlength", queue.items.count)
    context.response.add("mixrampdb", state.mixRamp.decibels.shortText)
    let phase = state.phase == .playing ? "play" : state.phase == .paused ? "pause" : "stop"
    context.response.add("state", phase)
    if state.crossfade.duration > .zero {
      context.response.add("xfade", Int(state.crossfade.duration / .seconds(1)))
    }
    if let delay = state.mixRamp.delay { context.response.add("mixrampdelay", delay.shortText) }
    if let position = queue.currentPosition, let item = queue.current {
      context.response.add("song", position)
      context.response.add("songid", item.id.rawValue)
      addPosition(of: item, queue, state, &context)
      // The next song is the current one if only that one is repeated, even if it will be consumed. If playback pauses
      // after each song, it is the song that playback would resume with.
      let repeatsItem = modes.single != .off && modes.repeat != .off
      let next =
        repeatsItem ? item : queue.pausesAfterItems ? queue.item(after: item.id) : queue.successor(of: item.id)
      if let next, let nextPosition = queue.position(of: next.id) {
        context.response.add("nextsong", nextPosition)
        context.response.add("nextsongid", next.id.rawValue)
      }
    }
    if let library = context.player.library, library.store.state.isBusy {
      context.response.add("updating_db", library.jobNumber)
    }
    if let problem: any Error = state.outputLoss ?? state.outputError ?? state.unplayableError {
      context.response.add("error", "\(problem)")
    } else if state.isOutputNeeded {
      context.response.add("error", "All audio outputs are disabled")
    }
  }

  private static func addPosition(
    of item: PlayQueue.Item, _ queue: PlayQueue, _ state: PlaybackState, _ context: inout CommandContext
  ) {
    guard state.phase != .stopped else { return }
    let isOpen = state.openItem == item.id
    // The elapsed time of a song that has not been opened yet is the position at which it will start.
    let start = state.hasRequest ? state.requestedPosition : .zero
    let elapsed = context.player.playback.elapsed(of: item.id) ?? start
    let duration = (isOpen ? state.duration : nil) ?? item.track.duration
    let wholeSeconds = duration.map { Int(($0 / .seconds(1)).rounded()) } ?? 0
    context.response.add("time", "\(Int(elapsed / .seconds(1))):\(wholeSeconds)")
    context.response.add("elapsed", elapsed.secondsText)
    context.response.add("bitrate", isOpen ? ((state.bitRate ?? 0) + 500) / 1_000 : 0)
    if let duration { context.response.add("duration", duration.secondsText) }
    if let format = state.format, isOpen {
      let samples =
        switch format.coding {
        case .integer(let bits): "\(format.sampleRate):\(bits)"
        case .float, .lossy: "\(format.sampleRate):f"
        case .dsd: (format.dsdName ?? "dsd").lowercased()
        }
      context.response.add("audio", "\(samples):\(format.channels)")
    }
  }
}

extension Double {
  /// The number as text, without a fraction if that is zero.
  fileprivate var shortText: String { Int64(exactly: self).map { "\($0)" } ?? "\(self)" }
}

extension CommandContext {
  /// Sets a mode of the queue.
  fileprivate mutating func set(_ change: ModeChange) throws(ProtocolError) { try edit(.settings(.mode(change))) }
}
