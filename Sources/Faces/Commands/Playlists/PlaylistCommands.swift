// SPDX-License-Identifier: GPL-3.0-or-later

import ArgumentParser
import MusicModel
import PlayerPort
import Screens
import UnicodeText

/// The `playlist` command: lists, plays and changes playlists.
struct PlaylistCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "playlist", abstract: "List, play and change playlists.",
    discussion: """
      Playlists are in the directory Playlists of the library, or in $SEGUE_PLAYLISTS. `segue help playlists` \
      explains more.

      Examples:
        playlist
        playlist play Evening
        playlist add Evening "Kind of Blue"
        playlist save Evening
      """,
    subcommands: [
      PlaylistListCommand.self, PlaylistShowCommand.self, PlaylistPlayCommand.self, PlaylistLoadCommand.self,
      PlaylistAddCommand.self, PlaylistSaveCommand.self, PlaylistCreateCommand.self, PlaylistRenameCommand.self,
      PlaylistDeleteCommand.self, PlaylistAppendCommand.self,
    ], defaultSubcommand: PlaylistListCommand.self)
}

/// The `playlist play` command: plays a playlist.
struct PlaylistPlayCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "play", abstract: "Play a playlist.",
    discussion: """
      TRACK is the number of a track in the playlist, or its title.

      Examples:
        playlist play Evening
        playlist play Evening 3
        playlist play ~/Downloads/mix.m3u
      """)

  @Argument(help: "Name of the playlist, or path of a file.")
  var name: String

  @Argument(help: "Track to start with. Default: the first.")
  var track: String?

  @OptionGroup var options: PlayerOptions

  var outputStyle: OutputStyleOptions { options.outputStyle }
  var inline: Bool? { options.inline }

  func run(in session: Session) throws {
    try options.play(.playlist(name, track: track), in: session)
  }
}

/// The `playlist load` command: replaces the queue with a playlist.
struct PlaylistLoadCommand: QueueStateCommand {
  static let configuration = CommandConfiguration(
    commandName: "load", abstract: "Replace the queue with a playlist, without playing it.",
    discussion: """
      Entries with missing files are reported, and stay in the queue: they play once the files are back.

      Examples:
        playlist load Evening
        playlist load --add Evening
        playlist load ~/Downloads/mix.m3u
      """)

  @Argument(help: "Name of the playlist, or path of a file.")
  var name: String

  @Flag(name: .long, help: "Add to the end of the queue instead of replacing it.")
  var add = false

  @OptionGroup var library: LibraryOptions
  @OptionGroup var state: StateOptions

  func run(in session: Session) throws {
    let loaded = try session.change(.load(TypedText(name), adds: add, library.choice), state, limitsWarnings: true)
    let count = ItemCount.text(loaded.count, "track")
    if let positions = loaded.positions {
      session.printRemark("added \(count) at \(PositionText.text(positions)): \(loaded.name)".safeForTerminal)
    } else {
      let hint = loaded.replacesOthers ? "; \(EditedQueue.undoHint)" : ""
      session.printRemark("loaded \(count): \(loaded.name)\(hint)".safeForTerminal)
    }
  }
}

/// The `playlist add` command: adds music, or items of the queue, to a playlist.
struct PlaylistAddCommand: QueueStateCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Add music, or items of the queue, to a playlist.",
    discussion: """
      If the playlist does not exist, it is created. \(QueryOptions.discussion) Without QUERY and --items, the whole queue is added.

      RANGE is 3, 3-7, 3- or -4, or "." for the current item.

      Examples:
        playlist add Evening "Kind of Blue" ~/Music/Low/02.flac
        playlist add Evening --items .
        playlist add Evening --items 3-7
      """)

  @Argument(help: "Name of the playlist.")
  var name: String

  @Argument(help: "Album, path, query or track title.")
  var query: [String] = []

  @Option(
    name: .long, parsing: .unconditionalSingleValue,
    help: ArgumentHelp("Items of the queue to add; can be repeated.", valueName: "range"))
  var items: [String] = []

  @OptionGroup var library: LibraryOptions
  @OptionGroup var state: StateOptions

  func validate() throws {
    if !query.isEmpty, !items.isEmpty { throw ValidationError("use either QUERY or --items") }
  }

  func run(in session: Session) throws {
    guard !query.isEmpty else { return try Self.addItems(items, to: name, library, state, in: session) }
    let music = MusicRequest(.typed(query.map { TypedText($0) }), in: library.choice)
    session.printAddition(try session.change(.append(music, to: name), state))
  }

  /// Adds the items of the queue in `range`, or all of them if it is empty, to a playlist.
  static func addItems(
    _ range: [String], to name: String, _ library: LibraryOptions, _ state: StateOptions, in session: Session
  ) throws {
    let range = try ItemRange(range.isEmpty ? ["1-"] : range)
    session.printAddition(try session.change(.appendItems(range, to: TypedText(name), library.choice), state))
  }
}

extension Session {
  fileprivate func printAddition(_ changed: ChangedPlaylist) {
    let total = changed.total.map { ", which now has \($0)" } ?? ""
    printRemark("added \(ItemCount.text(changed.count, "track")) to \(changed.name)\(total)".safeForTerminal)
  }
}

/// The former `queue append` command: adds items of the queue to a playlist.
struct PlaylistAppendCommand: QueueStateCommand {
  static let configuration = CommandConfiguration(
    commandName: "append", abstract: "Add the queue, or a part of it, to a playlist.", shouldDisplay: false)

  @Argument(help: "Name of the playlist.")
  var name: String

  @Argument(parsing: .allUnrecognized, help: "Items to add. Default: all.")
  var range: [String] = []

  @OptionGroup var library: LibraryOptions
  @OptionGroup var state: StateOptions

  func run(in session: Session) throws {
    try PlaylistAddCommand.addItems(range, to: name, library, state, in: session)
  }
}

/// The `playlist save` command: saves the queue as a playlist.
struct PlaylistSaveCommand: QueueStateCommand {
  static let configuration = CommandConfiguration(
    commandName: "save", abstract: "Save the queue as a playlist.",
    discussion: """
      A NAME with a slash is the path of a file, whose suffix selects the format: M3U, M3U8, PLS or XSPF.

      Examples:
        playlist save Evening
        playlist save --force Evening
        playlist save ~/evening.xspf
      """)

  @Argument(help: "Name of the playlist, or path of a file.")
  var name: String

  @Flag(name: .long, help: "Replace an existing playlist.")
  var force = false

  @OptionGroup var library: LibraryOptions
  @OptionGroup var state: StateOptions

  func run(in session: Session) throws {
    let saved = try session.change(.save(TypedText(name), replaces: force, library.choice), state)
    session.printRemark("saved \(ItemCount.text(saved.count, "track")): \(name)".safeForTerminal)
  }
}

/// The `playlist rename` command: gives a playlist another name.
struct PlaylistRenameCommand: QueueStateCommand {
  static let configuration = CommandConfiguration(
    commandName: "rename", abstract: "Rename a playlist.",
    discussion: """
      Example:
        playlist rename Evening "Late Evening"
      """)

  @Argument(help: "Name of the playlist.")
  var name: String

  @Argument(help: "New name.")
  var newName: String

  @OptionGroup var library: LibraryOptions
  @OptionGroup var state: StateOptions

  func run(in session: Session) throws {
    let renamed = try session.change(.rename(name, to: newName, library.choice), state)
    session.printRemark("renamed \(name) to \(renamed.name)".safeForTerminal)
  }
}

/// The `playlist delete` command: deletes a playlist.
struct PlaylistDeleteCommand: QueueStateCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete", abstract: "Delete a playlist.",
    discussion: """
      This cannot be undone; the queue and the music files stay.

      Example:
        playlist delete Evening
      """)

  @Argument(help: "Name of the playlist.")
  var name: String

  @OptionGroup var library: LibraryOptions
  @OptionGroup var state: StateOptions

  func run(in session: Session) throws {
    let deleted = try session.change(.delete([TypedText(name)], library.choice), state)
    session.printRemark("deleted playlist \(deleted.name)".safeForTerminal)
  }
}
