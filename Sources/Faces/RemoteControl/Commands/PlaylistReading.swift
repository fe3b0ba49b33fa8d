import MusicLibrary
import MusicModel

extension CommandTable {
  /// What a client asks of the stored playlists, and has played of them.
  static let playlistReading: [RemoteCommand] = [
    RemoteCommand("listplaylists", .read, lane: .reading) { _, context throws(ProtocolError) in
      context.response.add(try PlaylistAccess(context).listing())
    },
    RemoteCommand("listplaylist", .read, arguments: 1...2, lane: .reading) {
      arguments, context throws(ProtocolError) in
      context.source = try PlaylistListing(
        arguments[0], arguments.rangeOrAll(1), isDetailed: false, context)
    },
    RemoteCommand("listplaylistinfo", .read, arguments: 1...2, lane: .reading) {
      arguments, context throws(ProtocolError) in
      context.source = try PlaylistListing(
        arguments[0], arguments.rangeOrAll(1), isDetailed: true, context)
    },
    RemoteCommand("searchplaylist", .read, arguments: 2...4096, lane: .reading) {
      arguments, context throws(ProtocolError) in
      let request = try FindRequest(arguments.dropFirst(1), ignoresCase: true, context)
      context.source = try PlaylistListing(arguments[0], request, context)
    },
    RemoteCommand("playlistlength", .read, arguments: 1...1, lane: .reading) {
      arguments, context throws(ProtocolError) in
      let length = try PlaylistAccess(context).length(arguments[0])
      context.response.add("songs", length.count)
      context.response.add("playtime", Int((length.duration / .seconds(1)).rounded()))
    },
    RemoteCommand("load", .add, arguments: 1...3, lane: .editing) {
      arguments, context throws(ProtocolError) in
      let range = try arguments.rangeOrAll(1)
      let place = try context.insertion(arguments.optional(2))
      let tracks = try PlaylistAccess(context).tracks(arguments[0], range)
      try context.enter(tracks, at: place, title: arguments[0])
    },
  ]
}
