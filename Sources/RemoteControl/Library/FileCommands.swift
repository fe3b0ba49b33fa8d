import MusicLibrary
import Platform
import SystemPackage

extension CommandTable {
  /// What lies in directories on the disk, music or not.
  static let files: [RemoteCommand] = [
    RemoteCommand("listfiles", .read, arguments: 0...1, lane: .reading) {
      arguments, context throws(ProtocolError) in
      let roots = try context.library.index.roots
      let tracks = try LibraryTracks(context)
      guard let name = LibraryName(arguments.optional(0) ?? ""), tracks.isWithin(name) || tracks.reach == nil
      else { throw ProtocolError(.noExist, "No such directory") }
      if let directory = roots.absolute(name.path) {
        guard let listing = try? DirectoryListing(of: directory) else {
          throw ProtocolError(.noExist, "No such directory")
        }
        for entry in listing.entries {
          add(directory.appending(entry.name), as: entry.name, to: &context.response)
        }
      } else if name.path.isEmpty {
        for root in roots.all {
          if let name = root.name { add(root.path, as: name, to: &context.response) }
        }
      } else {
        throw ProtocolError(.noExist, "No such directory")
      }
    }
  ]

  /// Adds the lines of what is at `path`, if it is a file or a directory.
  private static func add(_ path: FilePath, as name: FilePath.Component, to response: inout Response) {
    guard let status = try? FileStatus(of: path) else { return }
    let text = SongURI.text(relative: FilePath(root: nil, [name]))
    switch status.kind {
    case .directory: response.add("directory", text)
    case .regular:
      response.add("file", text)
      response.add("size", status.size)
    case .fifo, .special, .symbolicLink: return
    }
    if let time = Timestamp.text(nanoseconds: status.modificationTime) { response.add("Last-Modified", time) }
  }
}
