// SPDX-License-Identifier: GPL-3.0-or-later

import ArgumentParser
import LibraryScanning
import MusicModel
import Platform
import PlayerFlow
import PlayerPort
import Playlists
import Screens
import Terminal
import UnicodeText

/// The `queue lists` command: lists the saved playlists, or the tracks of one.
struct QueueListsCommand: QueueStateCommand {
  static let configuration = CommandConfiguration(
    commandName: "lists", abstract: "List the saved playlists, or the tracks of one.",
    discussion: """
      \(ListOptions.discussion)

      Examples:
        queue lists
        queue lists Evening
        queue lists --json
      """)

  @Argument(help: "Playlist whose tracks to list.")
  var name: String?

  @OptionGroup var window: WindowOptions
  @OptionGroup var options: ListOptions
  @OptionGroup var state: StateOptions
  @OptionGroup var outputStyle: OutputStyleOptions

  func run(in session: Session) throws {
    let request: PlaylistRequest =
      name.map { .tracks(TypedText($0), options.library) } ?? .list(options.library)
    switch try session.send(.playlist(request), to: .queue(state), changes: false) {
    case .playlists(let all, let directory):
      if all.isEmpty, !window.json, session.outputStyle.isForPeople {
        return session.printRemark("no playlists in \(directory.path)".safeForTerminal)
      }
      try print(all, in: session)
    case .playlistTracks(let tracks):
      try print(
        tracks.enumerated().map { position, row in
          ListedTrack(position: position, track: row.track, isMissing: row.isMissing)
        }, in: session)
    default: throw PlayerError.unexpectedReply
    }
  }

  private func print<Entry: ListedEntry>(_ entries: [Entry], in session: Session) throws(PlayerError) {
    let shown = Array(entries.dropFirst(window.offset ?? 0).prefix(window.limit ?? .max))
    let references = shown.compactMap(\.reference)
    guard !references.isEmpty, session.outputStyle.isTerminal, !window.json, !session.outputStyle.isQuiet else {
      return try write(shown, widest: entries.suffix(1), in: session)
    }
    try write(shown.enumerated().map { NumberedEntry(number: $0 + 1, entry: $1) }, in: session)
    // If the numbers cannot be stored, the next command reports that there is no such playlist.
    try? LastListing(in: session.stateDirectory).store(references)
  }

  private func write<Entry: ListedEntry>(
    _ shown: [Entry], widest: [Entry] = [], in session: Session
  ) throws(PlayerError) {
    let printer = ListingPrinter<Entry>(session, isJSON: window.json, mayPage: !window.noPager, widest: widest)
    _ = try printer.print(shown)
    try printer.finish()
  }
}

/// The `queue save` command: saves the queue as a playlist.
struct QueueSaveCommand: QueueStateCommand {
  static let configuration = CommandConfiguration(
    commandName: "save", abstract: "Save the queue as a playlist.",
    discussion: """
      \(ListOptions.discussion) A NAME with a slash is the path of a file, whose suffix selects the format.

      Examples:
        queue save Evening
        queue save --force Evening
        queue save ~/evening.xspf
      """)

  @Argument(help: "Name of the playlist, or path of a file.")
  var name: String

  @Flag(name: .long, help: "Replace an existing playlist.")
  var force = false

  @OptionGroup var options: ListOptions
  @OptionGroup var state: StateOptions
  @OptionGroup var outputStyle: OutputStyleOptions

  func run(in session: Session) throws {
    let saved = try session.change(.save(TypedText(name), replaces: force, options.library), state)
    session.printRemark("saved \(ItemCount.text(saved.count, "track")): \(name)".safeForTerminal)
  }
}

/// The `queue load` command: replaces the queue with a playlist.
struct QueueLoadCommand: QueueStateCommand {
  static let configuration = CommandConfiguration(
    commandName: "load", abstract: "Replace the queue with a playlist.",
    discussion: """
      \(ListOptions.discussion) Entries with missing files are reported, and stay in the queue: they play once the files are back.

      Examples:
        queue load Evening
        queue load --add Evening
        queue load ~/Downloads/mix.m3u
      """)

  @Argument(help: "Name of a saved playlist, or path of a file.")
  var name: String

  @Flag(name: .long, help: "Add to the end of the queue instead of replacing it.")
  var add = false

  @OptionGroup var options: ListOptions
  @OptionGroup var state: StateOptions
  @OptionGroup var outputStyle: OutputStyleOptions

  func run(in session: Session) throws {
    let loaded = try session.change(.load(TypedText(name), adds: add, options.library), state, limitsWarnings: true)
    let count = ItemCount.text(loaded.count, "track")
    if let positions = loaded.positions {
      session.printRemark("added \(count) at \(PositionText.text(positions)): \(loaded.name)".safeForTerminal)
    } else {
      let hint = loaded.replacesOthers ? "; \(EditedQueue.undoHint)" : ""
      session.printRemark("loaded \(count): \(loaded.name)\(hint)".safeForTerminal)
    }
  }
}

/// The `queue append` command: appends tracks of the queue to a saved playlist.
struct QueueAppendCommand: QueueStateCommand {
  static let configuration = CommandConfiguration(
    commandName: "append", abstract: "Append the queue, or a part of it, to a playlist.",
    discussion: """
      \(ListOptions.discussion) If the playlist does not exist, it is created. \(ItemRange.help)

      Examples:
        queue append Evening
        queue append Evening .
        queue append Evening 3-7
      """)

  @Argument(help: "Name of the playlist.")
  var name: String

  @Argument(parsing: .allUnrecognized, help: "Items to append. Default: all.")
  var range: [String] = []

  @OptionGroup var options: ListOptions
  @OptionGroup var state: StateOptions
  @OptionGroup var outputStyle: OutputStyleOptions

  func run(in session: Session) throws {
    let range = try ItemRange(range.isEmpty ? ["1-"] : range)
    let changed = try session.change(.appendItems(range, to: TypedText(name), options.library), state)
    session.printRemark(
      "appended \(ItemCount.text(changed.count, "track")): \(changed.name) now has \(changed.total ?? 0)"
        .safeForTerminal)
  }
}

/// The `queue delete` command: deletes a saved playlist.
struct QueueDeleteCommand: QueueStateCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete", abstract: "Delete a saved playlist.",
    discussion: """
      This cannot be undone; the queue and the music files stay. (`queue remove` removes items from the queue.)

      Example:
        queue delete Evening
      """)

  @Argument(help: "Name of the playlist.")
  var name: String

  @OptionGroup var options: ListOptions
  @OptionGroup var state: StateOptions
  @OptionGroup var outputStyle: OutputStyleOptions

  func run(in session: Session) throws {
    let deleted = try session.change(.delete([TypedText(name)], options.library), state)
    session.printRemark("deleted playlist \(deleted.name)".safeForTerminal)
  }
}

/// The options that select the directory of saved playlists.
struct ListOptions: ParsableArguments {
  /// A part of the help that all commands for saved playlists have in common.
  static let discussion = """
    Saved playlists are in the directory Playlists of the library, or in $SEGUE_PLAYLISTS. The formats are M3U, M3U8, PLS and XSPF.
    """

  @OptionGroup var roots: LibraryOptions
  @OptionGroup var data: DataOptions

  /// The library that the options select; `nil` if they select none.
  var library: LibraryChoice? { LibraryChoice(roots, data) }
}
