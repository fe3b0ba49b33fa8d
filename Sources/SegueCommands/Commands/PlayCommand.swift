import ArgumentParser
import MusicModel
import Platform
import QueueFlow
import SystemPackage

/// `play`: looks an album up and plays it.
struct PlayCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "play", _superCommandName: "segue", abstract: "Play an album from a track to its end.",
    discussion: """
      ALBUM matches without regard to case, accents and width; an exact title beats a beginning, and that a part. \
      ARTIST/ALBUM tells albums of one name apart. A path to a file or directory works too, and so does a query: \
      'artist:coltrane year:1957..1965 -live' (see `segue help tracks`).

      TRACK is a number, DISC-NUMBER, or a title matched the same way.

      Keys: space pauses, left and right seek 10 seconds, up and down a minute, n and p go to the next and previous \
      track, + and - change the volume, q quits.
      """)

  @Argument(help: "The album: a title, ARTIST/ALBUM, a path, or a query.")
  var album: String

  @Argument(help: "The track to begin with. Default: the first.")
  var track: String?

  @OptionGroup var options: PlayerOptions

  func run(in session: Session) throws {
    let request = LibraryRequest(
      root: options.library(in: session), dataDirectory: options.dataDirectory(in: session))
    let finder = session.finder(request)
    switch session.face {
    case .commandLine: try play(in: session, request, finder)
    case .repl: try enqueue(in: session, finder)
    }
  }

  /// Hands what is found to the player that runs.
  private func enqueue(in session: Session, _ finder: CollectionFinder) throws {
    guard !options.needsNewPlayer else {
      throw CommandError(
        .usage,
        "where the sound goes, its format, and the directories are chosen when the REPL starts: segue repl --output OUTPUT"
      )
    }
    let services = session.services
    let found = try finder.find(album: album, track: track)
    for problem in found.problems { session.complain("segue: skipped \(problem)") }
    try found.collection.check(isNotWrittenTo: session.outputFile)
    try options.apply(to: services.actions, services.playback.state)
    services.actions.enqueue(found.collection, item: found.item)
    session.say(TrackLine.text(index: found.item, in: found.collection))
  }

  /// Becomes the player, until all is played.
  private func play(in session: Session, _ request: LibraryRequest, _ finder: CollectionFinder) throws {
    let events = try EventQueue<ForegroundView.Event>()
    let watch = try SignalWatch(ProcessSignal.allCases) { events.post(.signal($0)) }
    // What is played is looked up while the player is made.
    let lookup = try Lookup { [album, track] () throws(CommandError) in
      try finder.find(album: album, track: track)
    }
    let player = try RunningPlayer(
      session, options, stateDirectory: options.stateDirectory(in: session))
    player.play(lookup, onProblems: { events.post(.leftOut($0)) }, onFailure: { events.post(.failed($0)) })
    player.prepareOutput()
    let outcome = withExtendedLifetime(watch) {
      Result { () throws(CommandError) in
        try ForegroundView(session, events: events) {
          // Nothing before the first sound.
          if let index = finder.library.openIndex { session.follow(request, index: index) }
        }.run()
      }
    }
    session.closeLibrary()
    let end = Result { () throws(CommandError) in try player.shutDown() }
    session.status = try outcome.get()
    try end.get()
  }
}
