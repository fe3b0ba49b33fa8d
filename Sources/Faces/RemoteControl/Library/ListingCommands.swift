import MusicLibrary
import MusicModel
import SystemPackage

extension CommandTable {
  /// What a client sees of directories.
  static let listing: [RemoteCommand] = [
    RemoteCommand("lsinfo", .read, arguments: 0...1, lane: .reading) {
      arguments, context throws(ProtocolError) in
      let uri = arguments.optional(0) ?? ""
      switch try LibraryTracks(context).place(uri) {
      case .directory(let path):
        context.source = try LibraryListing(context, path, detail: .full, isRecursive: false)
      case .tracks(let ids): context.source = SongListing(try context.library.index, ids, SongText(context))
      case .file:
        for track in try LibraryTracks(context).tracks(uri: uri).tracks {
          SongText(context).add(track, to: &context.response)
        }
      }
    },
    RemoteCommand("listall", .read, arguments: 0...1, lane: .reading) {
      arguments, context throws(ProtocolError) in
      try listAll(arguments, detail: .names, &context)
    },
    RemoteCommand("listallinfo", .read, arguments: 0...1, lane: .reading) {
      arguments, context throws(ProtocolError) in
      try listAll(arguments, detail: .full, &context)
    },
  ]

  private static func listAll(
    _ arguments: Arguments, detail: LibraryListing.Detail, _ context: inout CommandContext
  ) throws(ProtocolError) {
    let library = try context.library.index
    switch try LibraryTracks(context).place(arguments.optional(0) ?? "") {
    case .directory(let path):
      context.source = try LibraryListing(context, path, detail: detail, isRecursive: true)
    case .tracks(let ids):
      context.source =
        detail == .names
        ? NameListing(library, ids) : SongListing(library, ids, SongText(context))
    case .file: throw ProtocolError(.noExist, "No such directory")
    }
  }
}
