// SPDX-License-Identifier: GPL-3.0-or-later

import MusicModel
import Platform
import PlayerPort
import Screens

/// The music that a command is to play.
enum WantedMusic: Sendable, Equatable {
  /// An album, path, query or title, and perhaps a track.
  case words([String])
  /// A playlist, and perhaps the number or the title of a track in it.
  case playlist(String, track: String?)

  /// The name of the music for a player in another process.
  var name: MusicRequest.Name {
    switch self {
    case .words(let words): .words(words.map { TypedText($0) })
    case .playlist(let name, let track): .playlist(TypedText(name), track: track)
    }
  }

  /// The first word, which decides whether the index is needed.
  var firstWord: String {
    switch self {
    case .words(let words): words.first ?? ""
    case .playlist(let name, _): name
    }
  }

  /// Whether the music is looked up in the library, and is not a path or a stream.
  var needsLibrary: Bool { !CollectionFinder.isLocation(firstWord) }

  /// Returns the tracks. Blocks while files are read.
  func find(with finder: CollectionFinder) throws(PlayerError) -> CollectionFinder.Found {
    switch self {
    case .words(let words): try finder.find(words: words)
    case .playlist(let name, let track): try finder.find(playlist: name, track: track)
    }
  }

  /// Returns the music with the ambiguous text of `error` replaced by `answer`.
  func answering(_ error: PlayerError, with answer: String) -> WantedMusic {
    guard let text = error.ambiguousText else { return self }
    switch self {
    case .words(let words): return .words(words.replacing(text, with: answer) ?? words)
    case .playlist(let name, let track):
      return track == text ? .playlist(name, track: answer) : .playlist(answer, track: track)
    }
  }
}

extension [String] {
  /// Returns the words with those that form `text` together replaced by `word`; `nil` if none do.
  func replacing(_ text: String, with word: String) -> [String]? {
    guard let range = range(forming: text) else { return nil }
    return self[..<range.lowerBound] + [word] + self[range.upperBound...]
  }

  /// Returns the indices of the words that form `text`, separated by single spaces; `nil` if there are none.
  func range(forming text: String) -> Range<Int>? {
    for start in indices {
      for end in (start + 1)...count where self[start..<end].joined(separator: " ") == text { return start..<end }
    }
    return nil
  }
}

extension PlayerOptions {
  /// Plays music on the running player or, if none is running, on one in this process until playback ends.
  func play(_ music: WantedMusic, in session: Session) throws {
    let request = libraryRequest(in: session)
    // While a running player is looked for, the search in this process is prepared.
    var search =
      session.player == nil ? try? PreparedSearch(for: music.firstWord, session.silentFinder(request)) : nil
    try withRunningPlayer(in: session) { player, changes in
      session.printLocation(of: request)
      let wanted = MusicRequest(music.name, in: libraryChoice(in: session))
      guard case .playing(let started) = try session.send(.play(wanted, changes), to: player) else {
        throw PlayerError.unexpectedReply
      }
      session.printMatches(started.matches)
      session.printRemark(TrackLine.text(started, session.outputStyle))
      session.hasAnnouncedTrack = true
      try session.showPlayer(player)
    } orElse: {
      if music.needsLibrary { try session.askForLibrary(libraryRequest(in: session)) }
      let present = libraryRequest(in: session)
      try play(music, present == request ? search.take() : nil, present, in: session)
    }
  }

  /// Finds the tracks, and plays them in this process until playback ends.
  private func play(
    _ music: WantedMusic, _ search: PreparedSearch?, _ request: LibraryRequest, in session: Session
  ) throws {
    session.printLocation(of: request)
    let search = try search ?? PreparedSearch(for: music.firstWord, session.silentFinder(request))
    var run = try PlayerRun(session, self)
    // The lookup runs while the player is being created.
    let finder = search.finder
    search.lookup.begin { () throws(PlayerError) in try music.find(with: finder) }
    run.openIndex = { finder.library.openIndex }
    var chosen = music
    run.lookUpAgain = { error, answer in
      chosen = chosen.answering(error, with: answer)
      let lookup = try Lookup {}
      lookup.begin { [chosen] () throws(PlayerError) in try chosen.find(with: finder) }
      return lookup
    }
    try run.run { player, events in PlayerRun.play(search.lookup, with: player, events) }
  }
}
