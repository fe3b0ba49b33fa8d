import MusicModel
import QueueFlow

extension CommandTable {
  /// Which part of an item is played.
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
      context.edit { $0.setRange(item.id, from: range.start, to: range.end) }
    }
  ]
}

/// A part of a song: `START:END` in seconds, of which both may be missing.
struct SecondsRange: Equatable {
  /// Where it begins.
  let start: Duration
  /// Where it ends; `nil` for the song's end.
  let end: Duration?

  /// The part that `text` says.
  init(_ text: String) throws(ProtocolError) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, let start = Self.place(parts[0]), let end = Self.place(parts[1]),
      end == .zero || end > start
    else { throw ProtocolError(.argument, "Bad range") }
    self.start = start
    self.end = end == .zero ? nil : end
  }

  /// Milliseconds; none where `text` is empty.
  private static func place(_ text: Substring) -> Duration? {
    if text.isEmpty { return .zero }
    guard let seconds = Double(text), seconds.isFinite, (0...1e9).contains(seconds) else { return nil }
    return .milliseconds(Int64((seconds * 1_000).rounded()))
  }
}

extension PlayedRange {
  /// The part as the protocol writes it.
  var text: String { "\(start.secondsText)-\(end?.secondsText ?? "")" }
}
