import MusicLibrary
import Platform
import SystemPackage

extension CommandTable {
  /// What lies in directories on the disk, music or not.
  static let files: [RemoteCommand] = [
    RemoteCommand("listfiles", .read, arguments: 0...1, lane: .reading) {
      arguments, context throws(ProtocolError) in
      let library = try context.library.index
      let tracks = try LibraryTracks(context)
      guard let name = LibraryName(arguments.optional(0) ?? ""), tracks.isWithin(name) || tracks.reach == nil,
        let listing = try? DirectoryListing(of: library.root.pushing(name.path))
      else { throw ProtocolError(.noExist, "No such directory") }
      for entry in listing.entries where !entry.isHidden {
        let path = library.root.pushing(name.path).appending(entry.name)
        guard let status = try? FileStatus(of: path) else { continue }
        let text = SongURI.text(FilePath(root: nil, [entry.name]), root: nil)
        switch status.kind {
        case .directory: context.response.add("directory", text)
        case .regular:
          context.response.add("file", text)
          context.response.add("size", status.size)
        case .fifo, .special, .symbolicLink: continue
        }
        if let time = Timestamp.text(nanoseconds: status.modificationTime) {
          context.response.add("Last-Modified", time)
        }
      }
    }
  ]
}
