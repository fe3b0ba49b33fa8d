import MusicModel
import QueueFlow

extension CommandTable {
  /// What a client wants to have in the queue.
  static let queueAdding: [RemoteCommand] = [
    RemoteCommand("add", .add, arguments: 1...2, lane: .editing) {
      arguments, context throws(ProtocolError) in
      let place = try context.insertion(arguments.optional(1))
      let tracks = try context.tracks(uri: arguments[0])
      guard !tracks.isEmpty else { throw ProtocolError(.noExist, "No such directory") }
      try context.enter(tracks, at: place)
    },
    RemoteCommand("addid", .add, arguments: 1...2, lane: .editing) {
      arguments, context throws(ProtocolError) in
      let before = context.queue
      let place = try context.insertion(arguments.optional(1))
      guard let track = try context.track(uri: arguments[0]) else {
        throw ProtocolError(.noExist, "No such song")
      }
      let tracks: TrackList = [track]
      try context.enter(tracks, at: place)
      context.player.actions.awaitDelivery()
      // Another face of the player may have taken it out again.
      guard let item = context.queue.firstItem(of: tracks, since: before) else {
        throw ProtocolError(.noExist, "No such song")
      }
      context.response.add("Id", item.id.rawValue)
    },
  ]
}

extension CommandContext {
  /// Where something new enters that is to be at `position`, or at the end where that is `nil`.
  func insertion(_ position: String?) throws(ProtocolError) -> QueuePlace {
    guard let position else { return .end }
    return .position(try QueuePosition.insertion(position, in: queue))
  }

  /// Has `tracks` enter the queue, where that does not become too long.
  mutating func enter(
    _ tracks: TrackList, at place: QueuePlace, title: String? = nil
  ) throws(ProtocolError) {
    guard let first = tracks.first else { return }
    let (count, isTooMany) = queue.items.count.addingReportingOverflow(tracks.count)
    guard !isTooMany, count <= player.queueLimit else {
      throw ProtocolError(.playlistTooLarge, "Playlist is too large")
    }
    let title = title ?? (tracks.count == 1 ? first.title : first.album ?? "")
    edit { $0.add(TrackCollection(title: title, tracks: tracks), at: place) }
  }
}
