import Platform
import QueueFlow
import SystemPackage

extension CommandTable {
  /// What Segue's own command line asks of a player that runs, through the owner's socket alone.
  static let forwarding: [RemoteCommand] = [
    RemoteCommand("segue", .owner, arguments: 4...4096, lane: .reading) {
      arguments, context throws(ProtocolError) in
      let words = arguments.words.compactMap { PercentCoding.decoded($0[...]) }
      guard words.count == arguments.count else { throw ProtocolError(.argument, "Bad percent-encoding") }
      // No path has a byte 0.
      let directory = FilePath(systemBytes: words[0])
      guard directory.isAbsolute, !words[0].contains(0) else { throw ProtocolError(.argument, "Bad directory") }
      let outcome = context.player.obey(
        ForwardedCommand(
          words: Array(words[3...]), workingDirectory: directory,
          columns: Int(arguments[1]).flatMap { $0 > 0 ? $0 : nil }, manner: arguments[2]))
      for line in outcome.output { context.response.add("output", line) }
      for line in outcome.errors { context.response.add("error", line) }
      if outcome.saysTrack { context.response.add("track", 1) }
      if let text = outcome.ambiguousText {
        context.response.add("ambiguous", PercentCoding.encoded(Array(text.utf8)))
        for answer in outcome.answers { context.response.add("answer", PercentCoding.encoded(Array(answer.utf8))) }
      }
      if let line = outcome.firstLine { context.response.add("line", line) }
      context.response.add("status", outcome.status)
    },
    RemoteCommand("segue_lists", .owner, lane: .quick) { _, context in context.announce(.storedPlaylist) },
    RemoteCommand("segue_now", .owner, arguments: 0...1, lane: .quick) {
      arguments, context throws(ProtocolError) in
      let limit = try arguments.count > 0 ? arguments.unsigned(0, upTo: PlayingScene.nextLimit) : nil
      let player = context.player
      context.response.add("status", JSONLine.text(player.status))
      guard let limit else { return }
      let scene = PlayingScene(player.queue.queue, playing: player.playback.state.item, nextLimit: limit)
      context.response.add("scene", JSONLine.text(ToldScene(scene)))
    },
  ]
}
