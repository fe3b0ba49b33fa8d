import MusicLibrary
import MusicModel
import Platform
import QueueFlow
import SystemPackage

extension CommandTable {
  /// How a client has the library brought in step with the disk, and how much there is in it.
  static let updating: [RemoteCommand] = [
    RemoteCommand("update", .control, arguments: 0...1, lane: .reading) {
      arguments, context throws(ProtocolError) in
      try update(arguments, &context) { $0 }
    },
    RemoteCommand("rescan", .control, arguments: 0...1, lane: .reading) {
      arguments, context throws(ProtocolError) in
      try update(arguments, &context) { .again($0) }
    },
    RemoteCommand("stats", .read, lane: .reading) { _, context throws(ProtocolError) in
      let sums = try context.player.library?.index.browsing { try $0.sums() } ?? nil
      let age = MonotonicInstant.now.nanoseconds.subtractingReportingOverflow(
        context.player.started.nanoseconds
      ).partialValue
      context.response.add("uptime", age / 1_000_000_000)
      context.response.add("playtime", Int(context.player.playedTime.total / .seconds(1)))
      context.response.add("artists", sums?.artistCount ?? 0)
      context.response.add("albums", sums?.albumCount ?? 0)
      context.response.add("songs", sums?.tracks.trackCount ?? 0)
      context.response.add("db_playtime", (sums?.tracks.milliseconds ?? 0) / 1000)
      if let time = sums?.scanned { context.response.add("db_update", time) }
    },
  ]

  /// Has the part of the library read that a client names, in the way that `reading` says.
  private static func update(
    _ arguments: Arguments, _ context: inout CommandContext, _ reading: (ScanScope) -> ScanScope
  ) throws(ProtocolError) {
    let library = try context.library
    guard let name = LibraryName(arguments.optional(0) ?? "") else {
      throw ProtocolError(.argument, "Malformed path")
    }
    if name.path.isEmpty {
      library.actions.scan(reading(.everything))
    } else {
      guard let path = library.index.roots.absolute(name.path) else {
        throw ProtocolError(.noExist, "No such directory")
      }
      // What is no directory is read with its own.
      let isDirectory =
        library.index.roots.paths.contains(path) || (try? FileStatus(of: path))?.kind == .directory
      library.actions.scan(reading(.directories([isDirectory ? path : path.removingLastComponent()])))
    }
    context.response.add("updating_db", library.requestedJobNumber)
  }
}
