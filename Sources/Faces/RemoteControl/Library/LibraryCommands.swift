// SPDX-License-Identifier: GPL-3.0-or-later

import LibraryIndex
import LibraryScanning
import MusicModel
import Platform
import PlayerFlow
import SystemPackage
import Tagging

extension CommandTable {
  /// The commands that read and update the library.
  static let library = finding + listing + files + pictures + fingerprints + updating + stickers
}

extension CommandTable {
  /// The commands that list directories of the library.
  static let listing: [RemoteCommand] = [
    RemoteCommand("lsinfo", .read, arguments: 0...1, lane: .reading) {
      arguments, context throws(ProtocolError) in
      let uri = arguments.optional(0) ?? ""
      switch try PlaylistAccess(context).resolve(uri) {
      case .directory(let path):
        context.source = try LibraryListing(context, path, detail: .full, isRecursive: false)
      case .tracks(let ids): context.source = SongListing(try context.library.index, ids, SongText(context))
      case .file, .stream:
        for track in try LibraryTracks(context).tracks(uri: uri).tracks {
          SongText(context).add(track, to: &context.response)
        }
      }
    },
    RemoteCommand("listall", or: ["listallinfo"], .read, arguments: 0...1, lane: .reading, listAll),
  ]

  private static func listAll(_ arguments: Arguments, _ context: inout CommandContext) throws(ProtocolError) {
    let detail: LibraryListing.Detail = arguments.command == "listallinfo" ? .full : .names
    switch try LibraryTracks(context).resolve(arguments.optional(0) ?? "") {
    case .directory(let path):
      context.source = try LibraryListing(context, path, detail: detail, isRecursive: true)
    case .tracks(let ids):
      context.source = SongListing(try context.library.index, ids, SongText(context), detail: detail)
    case .file, .stream: throw ProtocolError(.noExist, "No such directory")
    }
  }
}

extension CommandTable {
  /// The commands that read files and directories from the disk, whether they contain music or not.
  static let files: [RemoteCommand] = [
    RemoteCommand("listfiles", .read, arguments: 0...1, lane: .reading) {
      arguments, context throws(ProtocolError) in
      let roots = try context.library.index.roots
      let tracks = try LibraryTracks(context)
      guard let name = LibraryName(arguments.optional(0) ?? "") else {
        throw ProtocolError(.noExist, "No such directory")
      }
      if let directory = roots.absolute(name.path) {
        guard let path = tracks.reach.resolve(directory), let listing = try? DirectoryListing(of: path) else {
          throw ProtocolError(.noExist, "No such directory")
        }
        for entry in listing.entries {
          guard let path = tracks.reach.resolve(directory.appending(entry.name)) else { continue }
          add(path, as: entry.name, to: &context.response)
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
      let tracks = try LibraryTracks(context)
      guard case .file(let name) = try tracks.filePath(arguments[0]), let (path, _) = tracks.reach.file(name) else {
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

  /// Returns whether a comment can be written as a line. As in MPD, the name must consist of letters, `_` and `-`, and
  /// the value must not contain control characters.
  private static func isComment(_ name: String, _ value: String) -> Bool {
    guard let first = name.utf8.first, first != UInt8(ascii: "_"), first != UInt8(ascii: "-") else { return false }
    return value.utf8.allSatisfy { $0 >= 0x20 }
      && name.utf8.allSatisfy {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20) || $0 == UInt8(ascii: "_")
          || $0 == UInt8(ascii: "-")
      }
  }

  /// Adds the lines that describe `path`, called `name`; none if it is neither a file nor a directory.
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

extension CommandTable {
  /// The commands that update the library, and that count its contents.
  static let updating: [RemoteCommand] = [
    RemoteCommand("update", or: ["rescan"], .control, arguments: 0...1, lane: .reading, update),
    RemoteCommand("stats", .read, lane: .reading) { _, context throws(ProtocolError) in
      let totals = try context.player.library?.index.browsing { try $0.totals() } ?? nil
      let age = MonotonicInstant.now.nanoseconds.subtractingReportingOverflow(
        context.player.started.nanoseconds
      ).partialValue
      context.response.add("uptime", age / 1_000_000_000)
      context.response.add("playtime", Int(context.player.playedTime.total / .seconds(1)))
      context.response.add("artists", totals?.artistCount ?? 0)
      context.response.add("albums", totals?.albumCount ?? 0)
      context.response.add("songs", totals?.tracks.trackCount ?? 0)
      context.response.add("db_playtime", (totals?.tracks.milliseconds ?? 0) / 1000)
      if let time = totals?.scanned { context.response.add("db_update", time) }
    },
  ]

  /// Scans the part of the library that a client names, or all of it.
  private static func update(_ arguments: Arguments, _ context: inout CommandContext) throws(ProtocolError) {
    let library = try context.library
    guard let name = LibraryName(arguments.optional(0) ?? "") else {
      throw ProtocolError(.argument, "Malformed path")
    }
    var scope = ScanScope.everything
    if !name.path.isEmpty {
      guard var path = library.index.roots.absolute(name.path) else {
        throw ProtocolError(.noExist, "No such directory")
      }
      // If the path is not a directory that may be opened, the directory that contains it is scanned.
      let reach = try LibraryTracks(context).reach
      while !library.index.roots.paths.contains(path),
        reach.resolve(path).flatMap({ try? FileStatus(of: $0) })?.kind != .directory
      { path.removeLastComponent() }
      scope = .directories([path])
    }
    library.actions.scan(arguments.command == "rescan" ? .rereading(scope) : scope)
    context.response.add("updating_db", library.requestedJobNumber)
  }
}
