// SPDX-License-Identifier: GPL-3.0-or-later

import ArgumentParser
import MusicModel
import Platform
import PlayerFlow
import PlayerPort
import Screens
import SystemPackage
import Tagging
import Terminal
import UnicodeText

/// The `status` command: shows what is playing, on which output, and whether the output is bit-perfect.
struct StatusCommand: QueueStateCommand {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "Show what is playing and on which output.",
    discussion: """
      If no player is running, the current track of the saved queue is shown. Bit-perfect means that the output gets exactly the samples of \
      the file; a sound server or a device may still change them.

      Examples:
        status
        status --json
      """)

  @Flag(name: .long, help: "Print one line of JSON.")
  var json = false

  @OptionGroup var state: StateOptions

  func run(in session: Session) throws {
    let (reply, isOver) = try session.withPlayer(.queue(state), changes: false) { player in
      (try session.send(.status, to: player), player.snapshot.isOver)
    }
    guard case .status(var status) = reply else { throw PlayerError.unexpectedReply }
    if json {
      status.song?.findCover(session.services.library.covers)
      return try session.printJSON(status)
    }
    session.printLines(
      StatusListing.lines(status, columns: session.columns, session.outputStyle, palette: session.palette))
    guard status.song == nil, let queue = Self.queueText(status, isOver: isOver) else { return }
    session.printLine(session.outputStyle.isPlain ? "queue: \(queue)" : "  \("queue".padded(toCells: 10))  \(queue)")
  }

  /// Returns what is in a queue without a current track; `nil` if it is empty.
  private static func queueText(_ status: PlayerStatus, isOver: Bool) -> String? {
    guard status.queueCount > 0 else { return nil }
    let count = ItemCount.text(status.queueCount, "track")
    return isOver
      ? "at its end, \(count); `segue resume` plays it again" : "\(count), none is current; `segue resume` plays it"
  }
}

extension PlayerStatus.Song {
  /// Sets ``cover`` to the cover of the song, if its path is valid UTF-8. Blocks while the disk is read.
  mutating func findCover(_ covers: CoverCache) {
    cover = path.map { PlayerStatus.Cover(covers.file(of: StreamAddress($0)?.path ?? FilePath($0))?.string) }
  }
}
