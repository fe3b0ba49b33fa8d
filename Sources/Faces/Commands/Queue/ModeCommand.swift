// SPDX-License-Identifier: GPL-3.0-or-later

import ArgumentParser
import MusicModel
import PlayerFlow
import PlayerPort
import Screens
import Terminal
import UnicodeText

/// The `mode` command: shows or sets the playback modes of the queue.
struct ModeCommand: QueueStateCommand {
  static let configuration = CommandConfiguration(
    commandName: "mode", abstract: "Show or set the playback modes.",
    discussion: """
      repeat off|all|one|album: what to repeat; with `one`, `next` still skips to the next track.
      random off|tracks|albums|spread: play tracks or whole albums in random order; with spread, the tracks of an artist or an album are as far apart as possible. Queue positions do not change.
      single on|off|once: pause after every track, or only after this one; if repeat is on, repeat the track instead.
      consume on|off: remove tracks from the queue after they have played.
      stop-after current|album|off: stop once, after the current track or album.
      keep-playing off|similar|QUERY: when two tracks are left, add ten tracks that match QUERY (such as playlist:Evening), or that are similar to what plays; after the word albums, a whole album instead. Each addition can be undone.

      Without a value, the mode is shown; without a mode, all modes are shown. Modes are saved with the queue. Setting a mode never interrupts \
      the current track.

      Examples:
        mode
        mode repeat all
        mode random albums
        mode stop-after album
        mode keep-playing similar
        mode keep-playing albums genre:jazz rating:4..
      """)

  @Argument(help: "Mode: repeat, random, single, consume, stop-after or keep-playing.")
  var name: String?

  @Argument(parsing: .allUnrecognized, help: "New value.")
  var value: [String] = []

  @Flag(name: .long, help: "Print one line of JSON.")
  var json = false

  @OptionGroup var state: StateOptions

  func run(in session: Session) throws {
    guard let name else { return try show(session.settings(nil, .queue(state), changes: false).modes, in: session) }
    guard let mode = ModeName(rawValue: name) else {
      let names = ModeName.allCases.map(\.rawValue).joined(separator: ", ")
      throw PlayerError(.usage, "unknown mode \"\(name)\": use one of \(names)")
    }
    if value.isEmpty {
      return try show(session.settings(nil, .queue(state), changes: false).modes, [mode], in: session)
    }
    let modes = try session.settings(.mode(try ModeChange(mode, value.joined(separator: " "))), .queue(state)).modes
    if json || !session.outputStyle.isQuiet { try show(modes, [mode], in: session) }
  }

  private func show(_ modes: PlayerStatus.Modes, _ names: [ModeName] = ModeName.allCases, in session: Session) throws {
    if json { return try session.printJSON(modes) }
    if session.outputStyle.isPlain {
      return session.printLines(names.map { "\($0.rawValue): \($0.value(in: modes))" })
    }
    let table = Table(alignments: [.left, .left], flexible: [])
    for line in table.lines(names.map { [$0.rawValue, $0.value(in: modes)] }, columns: nil) {
      session.printLine(line)
    }
  }
}
