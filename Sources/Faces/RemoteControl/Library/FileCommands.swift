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
      guard let name = LibraryName(arguments.optional(0) ?? ""), tracks.mayEnter(name.path)
      else { throw ProtocolError(.noExist, "No such directory") }
      let isOpen = tracks.mayReach(name.path)
      if let directory = roots.absolute(name.path) {
        guard let listing = try? DirectoryListing(of: directory) else {
          throw ProtocolError(.noExist, "No such directory")
        }
        for entry in listing.entries where isOpen || tracks.has(name.path.appending(entry.name)) {
          add(directory.appending(entry.name), as: entry.name, to: &context.response)
        }
      } else if name.path.isEmpty {
        for root in roots.all {
          if let name = root.name { add(root.path, as: name, to: &context.response) }
        }
      } else {
        throw ProtocolError(.noExist, "No such directory")
      }
    },
    RemoteCommand("readcomments", .read, arguments: 1...1, lane: .reading) {
      arguments, context throws(ProtocolError) in
      guard case .file(let path) = try LibraryTracks(context).filePath(arguments[0]) else {
        throw ProtocolError(.noExist, "No such file")
      }
      do throws(LibraryProblem) {
        for (name, value) in try TagReader().comments(at: path) where isComment(name, value) {
          context.response.add(name, value)
        }
      } catch {
        throw ProtocolError(.noExist, "No such file: \(error.reason)")
      }
    },
  ]

  /// Whether a comment may stand in a line: as MPD has it, its name is of letters, `_` and `-`, and its value has no
  /// control character.
  private static func isComment(_ name: String, _ value: String) -> Bool {
    guard let first = name.utf8.first, first != UInt8(ascii: "_"), first != UInt8(ascii: "-") else { return false }
    return value.utf8.allSatisfy { $0 >= 0x20 }
      && name.utf8.allSatisfy {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20) || $0 == UInt8(ascii: "_")
          || $0 == UInt8(ascii: "-")
      }
  }

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
