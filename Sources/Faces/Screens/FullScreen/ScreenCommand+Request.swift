// SPDX-License-Identifier: GPL-3.0-or-later

import PlayerFlow
package import PlayerPort
package import Terminal
import UnicodeText
import UserSettings

extension ScreenCommand {
  /// Returns the request that performs the command for the library that `library` names; `nil` for a line
  /// that the user has typed, and for a program.
  package func request(_ library: LibraryChoice?) -> PlayerRequest? {
    switch self {
    case .playList(let view, let row):
      return .play(MusicRequest(.rows([.list(view)], start: .number(row)), in: library), PlaybackOptions())
    case .use(let use, let targets, _):
      let music = MusicRequest(Self.music(targets), in: library)
      return switch use {
      case .play: .play(music, PlaybackOptions())
      case .add: .add(music, at: .end)
      case .addNext: .add(music, at: .next)
      }
    case .addToPlaylist(let name, let targets, _):
      return .playlist(.append(MusicRequest(Self.music(targets), in: library), to: name))
    case .removeFromPlaylist(let name, let files):
      return .playlist(.remove(files, from: name, library))
    case .moveInPlaylist(let name, let files, let position):
      return .playlist(.move(files, to: position, in: name, library))
    case .deletePlaylists(let names): return .playlist(.delete(names.map { TypedText($0) }, library))
    case .renamePlaylist(let name, let newName): return .playlist(.rename(name, to: newName, library))
    case .rateCurrent(let mark): return .rate([.current], mark, library)
    case .rate(let targets, let mark): return .rate(targets.compactMap { NamedTrack($0) }, mark, library)
    case .request(let request): return request
    case .line, .run: return nil
    }
  }

  /// Whether the lists may have changed in another way than the player and the library report.
  package var changesLists: Bool {
    switch self {
    case .rate, .rateCurrent, .addToPlaylist, .removeFromPlaylist, .moveInPlaylist, .deletePlaylists, .renamePlaylist,
      .request(.settings(.toggleOutput)), .request(.settings(.useOutput)), .request(.edit(.undo)),
      .request(.edit(.redo)), .line:
      true
    case .use, .playList, .request, .run: false
    }
  }

  /// Returns the outcome of the command for people.
  package func outcome(_ result: Result<PlayerReply, PlayerError>, _ style: OutputStyle) -> ScreenOutcome {
    var outcome = lines(of: result, style)
    if case .request(.equaliser(let request)) = self {
      outcome.equaliserRequest = request
      if case .success(let reply) = result, case .equaliser(let report) = reply.result { outcome.equaliser = report }
    }
    return outcome
  }

  private func lines(of result: Result<PlayerReply, PlayerError>, _ style: OutputStyle) -> ScreenOutcome {
    switch result {
    case .success(let reply):
      let lines = reply.warnings + [message(reply.result, style)].compactMap(\.self)
      return ScreenOutcome(lines: Array(lines.prefix(3)), changesLists: changesLists)
    case .failure(let error):
      // The candidates of an ambiguous word follow its message.
      let lines = error.warnings + [error.message] + error.choices
      return ScreenOutcome(lines: Array(lines.prefix(3)), isFailed: true, changesLists: changesLists)
    }
  }

  private func message(_ result: PlayerReply.Result, _ style: OutputStyle) -> String? {
    switch (self, result) {
    case (.use, .playing(let started)), (.playList, .playing(let started)):
      TrackLine.text(started, style) + (started.replacesOthers ? "; u brings the last queue back" : "")
    case (.use, .added(let added)):
      "added \(ItemCount.text(added.count, "track")): \(added.title)"
    case (.request(.edit(.remove)), .edited(let edited)):
      "removed \(ItemCount.text(edited.removedCount, "track")); u brings \(edited.removedCount == 1 ? "it" : "them") back"
    case (.request(.edit(.clear)), _): "cleared the queue; u brings it back"
    case (.request(.edit(.undo)), .edited(let edited)):
      edited.names.map { "undid \($0)" }.joined(separator: "; ")
    case (.request(.edit(.redo)), .edited(let edited)):
      edited.names.map { "redid \($0)" }.joined(separator: "; ")
    case (.request(.settings(.useOutput(let name))), .settings): "output \(name)"
    case (.request(.settings(.nextMode(let mode))), .settings(let settings)):
      "\(mode.rawValue) \(mode.value(in: settings.modes))"
    case (.addToPlaylist, .playlistChanged(let changed)):
      "added \(ItemCount.text(changed.count, "track")): \(changed.name) now has \(changed.total ?? 0)"
    case (.removeFromPlaylist, .playlistChanged(let changed)):
      "removed \(ItemCount.text(changed.count, "track")) from \(changed.name); u brings \(changed.count == 1 ? "it" : "them") back"
    case (.renamePlaylist(let name, _), .playlistChanged(let changed)): "renamed \(name) to \(changed.name)"
    case (.deletePlaylists, .playlistChanged(let changed)):
      (changed.count == 1 ? "deleted playlist \(changed.name)" : "deleted \(changed.count) playlists")
        + "; u brings \(changed.count == 1 ? "it" : "them") back"
    case (.request(.equaliser(.bypass)), .equaliser(let report)): report.text
    case (.rate, .rated(let rated)), (.rateCurrent, .rated(let rated)): rated.text
    default: nil
    }
  }

  /// Returns the music for which chosen rows stand.
  package static func music(_ targets: [ListTarget]) -> MusicRequest.Name {
    .rows(
      targets.compactMap { target in
        switch target {
        case .album(let id): .album(id)
        case .artist(let name): .artist(name)
        case .genre(let name): .genre(name)
        case .year(let year): .year(year)
        case .track(let id, _): .track(id)
        case .file(let path, _): .file(path)
        case .playlist(let name): .playlist(name)
        case .directory(let path): .directory(path)
        case .item(let id): .item(id)
        case .output: nil
        }
      }, start: nil)
  }
}

extension ScreenAction {
  /// Returns the request to the player for which the action stands on every screen; `nil` if it stands for none.
  func request(volumeStep: Int) -> PlayerRequest? {
    switch self {
    case .pause: .transport(.toggle)
    case .stop: .transport(.stop)
    case .next: .transport(.next)
    case .previous: .transport(.previous)
    case .seekBack: .transport(.seekBy(.seconds(-10)))
    case .seekForward: .transport(.seekBy(.seconds(10)))
    case .seekBackFar: .transport(.seekBy(.seconds(-60)))
    case .seekForwardFar: .transport(.seekBy(.seconds(60)))
    case .nextChapter: .transport(.chapter(.next))
    case .previousChapter: .transport(.chapter(.previous))
    case .loop: .transport(.loop(.mark))
    case .speedUp: .settings(.speedStep(0.1))
    case .speedDown: .settings(.speedStep(-0.1))
    case .normalSpeed: .settings(.speed(1))
    case .volumeUp: .settings(.volumeStep(volumeStep))
    case .volumeDown: .settings(.volumeStep(-volumeStep))
    case .repeat: .settings(.nextMode(.repeat))
    case .random: .settings(.nextMode(.random))
    case .single: .settings(.nextMode(.single))
    case .consume: .settings(.nextMode(.consume))
    case .clear: .edit(.clear)
    case .undo: .edit(.undo(1))
    case .redo: .edit(.redo(1))
    case .bypassEqualizer: .equaliser(.bypass(nil))
    case .showEqualizer: .equaliser(.report(nil))
    default: nil
    }
  }
}

extension NamedTrack {
  /// Creates the track or the album for which a row stands; `nil` if it does not stand for one.
  package init?(_ target: ListTarget) {
    switch target {
    case .item(let id): self = .item(id)
    case .track(let id, _): self = .track(id)
    case .file(let path, _): self = .file(path)
    case .album(let id): self = .album(id)
    case .artist, .genre, .year, .playlist, .directory, .output: return nil
    }
  }
}
