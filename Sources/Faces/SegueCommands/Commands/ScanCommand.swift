import ArgumentParser
import MusicLibrary
import MusicModel
import QueueFlow

/// `scan`: brings the index in step with the disk.
struct ScanCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "scan", abstract: "Bring the library's index in step with the disk.",
    discussion: """
      Files that have not changed are not opened, and what was moved or renamed stays what it was. Ctrl-C ends it early: what was \
      read is kept, and the next time it goes on from there. `segue problems` lists what cannot be in the library.

      Examples:
        scan
        scan --library /mnt/music
        scan --library ~/Music --library /srv/music
        scan --json
      """)

  @Flag(name: .long, help: "Read the files that have not changed, too.")
  var again = false

  @Flag(name: .long, help: "Print what came of it as one line of JSON.")
  var json = false

  @OptionGroup var library: LibraryOptions
  @OptionGroup var data: DataOptions
  @OptionGroup var manner: MannerOptions

  func run(in session: Session) throws {
    let request = LibraryRequest(
      roots: library.roots(in: session), dataDirectory: data.directory(in: session), in: session)
    let flow = try session.flow(request)
    let state = try session.scan(flow, again ? .again(.everything) : .everything, isSilent: json)
    if json { try session.say(json: PlayerEvent.Scan(state)) } else { session.remark(ScanOutput(state).text) }
    let absent = state.isAbsent ? request.roots.paths : state.summary?.absentDirectories ?? []
    if let absent = LibraryRoots(absent) {
      let isAre = absent.isSingle ? "is not there; mount it" : "are not there; mount them"
      throw CommandError(
        .unreadableLibrary, "\(absent) \(isAre), or name another directory with --library")
    }
  }
}
