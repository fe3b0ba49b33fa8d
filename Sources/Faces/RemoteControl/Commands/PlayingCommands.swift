// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import MusicModel
import PlayerFlow
import PlayerPort

extension CommandTable {
  /// The commands that control playback.
  static let playing: [RemoteCommand] = [
    RemoteCommand("play", or: ["playid"], .control, arguments: 0...1) { arguments, context throws(ProtocolError) in
      // -1 means the same as no argument, as in older versions of the protocol.
      guard arguments.count > 0, arguments[0] != "-1" else { return try context.resume() }
      let item = try context.item(try arguments.integer(0), arguments)
      try context.edit(.playItem(.items([item.id]), PlaybackOptions()))
    },
    RemoteCommand("pause", .control, arguments: 0...1) { arguments, context throws(ProtocolError) in
      let isOn = arguments.count == 0 ? nil : try arguments.boolean(0)
      if context.player.playback.state.phase == .stopped { return }
      switch isOn {
      case nil: try context.send(.transport(.toggle))
      case true?: try context.send(.transport(.pause))
      case false?: try context.resume()
      }
    },
    // After `stop`, clients expect the song to start again from its beginning.
    RemoteCommand("stop", .control) { _, context throws(ProtocolError) in try context.send(.transport(.rewind)) },
    RemoteCommand("next", .control) { _, context throws(ProtocolError) in
      try context.requirePlaying()
      try context.edit(.transport(.next))
    },
    RemoteCommand("previous", .control) { _, context throws(ProtocolError) in
      try context.requirePlaying()
      try context.edit(.transport(.back))
    },
    RemoteCommand("seek", or: ["seekid"], .control, arguments: 2...2) { arguments, context throws(ProtocolError) in
      let item = try context.item(try arguments.unsigned(0), arguments)
      try context.seek(to: arguments.seconds(1), in: item)
    },
    RemoteCommand("seekcur", .control, arguments: 1...1) { arguments, context throws(ProtocolError) in
      let time = try arguments.seconds(0)
      try context.requirePlaying()
      try context.requireSeekable()
      let isStep = arguments[0].hasPrefix("+") || arguments[0].hasPrefix("-")
      try context.send(.transport(isStep ? .seekBy(time) : .seekTo(time)))
    },
    RemoteCommand("setvol", .control, arguments: 1...1) { arguments, context throws(ProtocolError) in
      try context.send(.settings(.volume(percent: try arguments.unsigned(0, upTo: 100))))
    },
    RemoteCommand("volume", .control, arguments: 1...1) { arguments, context throws(ProtocolError) in
      let change = try arguments.integer(0)
      guard (-100...100).contains(change) else {
        throw ProtocolError(.argument, "Number too large: \(change)")
      }
      try context.send(.settings(.volumeStep(change)))
    },
    RemoteCommand("getvol", .read) { _, context in
      context.response.add("volume", context.player.playback.state.volume.percent)
    },
    RemoteCommand("clearerror", .control) { _, context throws(ProtocolError) in try context.send(.dismissError) },
  ]
}

extension CommandContext {
  fileprivate func resume() throws(ProtocolError) {
    if !queue.items.isEmpty { try send(.resume(PlaybackOptions())) }
  }

  /// Returns the item with this ID or, if the name of the command does not end with `id`, the one that the client knows
  /// at this position.
  fileprivate func item(_ number: Int, _ arguments: Arguments) throws(ProtocolError) -> PlayQueue.Item {
    let queue = queue
    if arguments.command.hasSuffix("id") { return try queue.item(id: number) }
    let ids = try client.seenQueue.items(in: queue) { queue throws(ProtocolError) in
      let position = try queue.checked(number)
      return position..<position + 1
    }
    guard let known = ids.first.flatMap({ queue.position(of: $0) }) else {
      throw ProtocolError(.noExist, "No such song")
    }
    return queue.items[known]
  }

  /// Throws an error if playback is stopped.
  func requirePlaying() throws(ProtocolError) {
    if player.playback.state.phase == .stopped {
      throw ProtocolError(.playerSync, "Not playing")
    }
  }

  /// Throws an error if the current song is a stream that cannot be sought in.
  func requireSeekable() throws(ProtocolError) {
    if !player.playback.state.isSeekable { throw ProtocolError(.playerSync, "Not seekable") }
  }

  /// Seeks to `time` in `item`. If another item is current or playback is stopped, starts playing `item` there.
  /// Playback that is paused stays paused.
  mutating func seek(to time: Duration, in item: PlayQueue.Item) throws(ProtocolError) {
    guard time >= .zero else { throw ProtocolError(.argument, "Negative value not allowed") }
    if player.playback.state.phase != .stopped, queue.current?.id == item.id { try requireSeekable() }
    try edit(.transport(.seekItem(item.id.rawValue, to: time)))
  }
}

extension CommandTable {
  /// The command that limits the playback of a song to a range.
  static let ranges: [RemoteCommand] = [
    RemoteCommand("rangeid", .add, arguments: 2...2, lane: .editing) {
      arguments, context throws(ProtocolError) in
      let range = try SecondsRange(arguments[1])
      let item = try context.queue.item(id: try arguments.unsigned(0))
      guard context.player.playback.state.phase == .stopped || context.queue.current?.id != item.id else {
        throw ProtocolError(.permission, "Cannot edit the current song")
      }
      let duration = item.track.range.map(\.wholeDuration) ?? item.track.duration
      if let duration, range.start > duration { throw ProtocolError(.argument, "Invalid start offset") }
      try context.edit(.edit(.setRange(item.id.rawValue, from: range.start, to: range.end)))
    }
  ]
}

/// A range of a song, written as `START:END` in seconds. Either number, or both, may be missing.
struct SecondsRange: Equatable {
  /// The start of the range, from the beginning of the song.
  let start: Duration
  /// The end of the range; `nil` for the end of the song.
  let end: Duration?

  /// Parses a range.
  init(_ text: String) throws(ProtocolError) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, let start = Self.offset(parts[0]), let end = Self.offset(parts[1]),
      end == .zero || end > start
    else { throw ProtocolError(.argument, "Bad range") }
    self.start = start
    self.end = end == .zero ? nil : end
  }

  /// Parses a time in seconds, rounded to milliseconds. Empty text means zero; returns `nil` if the text is invalid.
  private static func offset(_ text: Substring) -> Duration? {
    if text.isEmpty { return .zero }
    guard let seconds = Double(text), seconds.isFinite, (0...1e9).contains(seconds) else { return nil }
    return .milliseconds(Int64((seconds * 1_000).rounded()))
  }
}

extension PlayedRange {
  /// The range as the protocol writes it, in seconds.
  var text: String { "\(start.secondsText)-\(end?.secondsText ?? "")" }
}
