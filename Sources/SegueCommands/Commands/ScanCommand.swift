import ArgumentParser
import MusicModel
import QueueFlow

/// `scan`: brings the index in step with the disk.
struct ScanCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "scan", abstract: "Bring the library's index in step with the disk.",
    discussion: """
      Files that have not changed are not opened, and what was moved or renamed stays what it was. Ctrl-C ends it early: what was \
      read is kept, and the next time it goes on from there. `segue problems` lists what cannot be in the library.
      """)

  @OptionGroup var library: LibraryOptions
  @OptionGroup var data: DataOptions

  func run(in session: Session) throws {
    let request = LibraryRequest(
      root: library.directory(in: session), dataDirectory: data.directory(in: session))
    let state = try session.scan(try session.flow(request))
    session.say(ScanOutput(state).text)
    if state.isAbsent {
      throw CommandError(
        .unreadableLibrary, "\(request.root) is not there; mount it, or name another directory with --library"
      )
    }
  }
}
