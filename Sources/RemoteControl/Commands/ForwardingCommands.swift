import Platform
import SystemPackage

extension CommandTable {
  /// What Segue's own command line asks of a player that runs, through the owner's socket alone.
  static let forwarding: [RemoteCommand] = [
    RemoteCommand("segue", .owner, arguments: 4...4096, lane: .reading) {
      arguments, context throws(ProtocolError) in
      let words = arguments.words.compactMap { PercentCoding.decoded($0[...]) }
      guard words.count == arguments.count else { throw ProtocolError(.argument, "Bad percent-encoding") }
      let directories = words[0..<2].map { FilePath(systemBytes: $0) }
      guard directories.allSatisfy(\.isAbsolute) else { throw ProtocolError(.argument, "Bad directory") }
      let outcome = context.player.obey(
        ForwardedCommand(
          words: Array(words[3...]), workingDirectory: directories[0], library: directories[1],
          columns: Int(arguments[2]).flatMap { $0 > 0 ? $0 : nil }))
      for line in outcome.output { context.response.add("output", line) }
      for line in outcome.errors { context.response.add("error", line) }
      context.response.add("status", outcome.status)
    }
  ]
}
