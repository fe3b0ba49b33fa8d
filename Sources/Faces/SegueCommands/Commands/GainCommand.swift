import ArgumentParser
import MusicLibrary
import Platform
import SystemPackage

/// `gain`: measures how loud tracks and albums are.
struct GainCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "gain", abstract: "Measure how loud albums are, for ReplayGain.",
    discussion: """
      Measures the loudness (EBU R 128), its range and the true peak of each track, and the loudness of each album as \
      a whole, and keeps them in the index, where playing finds them. What was measured and has not changed is not \
      measured again. A single file is measured without its album.

      --write puts the gains into the tags of the files, too: REPLAYGAIN tags, and R128 tags in Opus files.

      Examples:
        gain "Kind of Blue"
        gain --all --write
      """)

  @Argument(help: "The albums: titles, ARTIST/ALBUM, or paths.")
  var albums: [String] = []

  @Flag(name: .long, help: "Measure all albums of the library.")
  var all = false

  @Flag(name: .long, help: "Measure what was measured already, too.")
  var again = false

  @Flag(name: .long, help: "Write the gains into the files' tags.")
  var write = false

  @Flag(name: .long, help: "Print one JSON object a track.")
  var json = false

  @OptionGroup var library: LibraryOptions
  @OptionGroup var data: DataOptions
  @OptionGroup var manner: MannerOptions

  func validate() throws {
    guard all == albums.isEmpty else {
      throw ValidationError(
        all ? "Give albums or --all, not both." : "Missing expected argument '<albums> ...'")
    }
  }

  func run(in session: Session) throws {
    let events = try EventQueue<GainEvent>()
    let watch = try SignalWatch([.interrupt, .quit, .terminate, .hangUp]) { events.post(.signal($0)) }
    let directory = data.directory(in: session)
    let finder = GainFinder(
      finder: session.finder(
        LibraryRequest(roots: library.roots(in: session), dataDirectory: data.directory(in: session), in: session)))
    let measurer = session.services.measurer
    let cancellation = GainCancellation()
    let worker = try WorkerThread(name: "segue-gain") { [albums, again, write] in
      let result = Result { () throws(CommandError) in
        let found = try albums.isEmpty ? finder.everything() : finder.find(albums)
        for problem in found.problems { events.post(.problem("skipped \(problem)")) }
        let index: LibraryIndex
        do throws(LibraryIndexError) { index = try LibraryIndex(directory: directory) } catch {
          throw CommandError(.failure, error.description)
        }
        if let warning = index.warning { events.post(.problem(warning)) }
        return try GainRun(
          found.albums, index: index, measurer: measurer, again: again, writes: write,
          cancellation: cancellation, events: events
        ).perform()
      }
      events.post(.ended(result))
    }
    let view = GainView(session, events: events, printsJSON: json)
    session.status = try withExtendedLifetime(watch) {
      try view.run(worker: worker, cancellation: cancellation)
    }
  }
}
