import ArgumentParser
import MusicModel
import Platform
import PlayerFlow
import Screens
import SystemPackage
import Tagging

/// The `status` command: shows what is playing, on which output, and whether it is bit-perfect.
struct StatusCommand: QueueStateCommand {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "Say what plays, where it goes, and whether it is bit-perfect.",
    discussion: """
      From another terminal, of the player that runs; where none does, it says where the stored queue stands. Bit-perfect means that the output \
      is given the very samples of the file; what a sound server or a device makes of them is theirs.

      Examples:
        status
        status --json
      """)

  @Flag(name: .long, help: "Print one line of JSON.")
  var json = false

  @OptionGroup var state: StateOptions
  @OptionGroup var manner: MannerOptions

  func run(in session: Session) throws {
    var status = session.face.isPlayer ? PlayerStatus(session) : try session.storedStatus(state)
    if json {
      status.song?.findCover(session.services.library.covers)
      return try session.say(json: status)
    }
    session.say(
      StatusListing.lines(status, columns: session.columns, session.manner, palette: session.palette))
  }
}

extension Session {
  /// Returns the stored status, for when no player is running.
  ///
  /// - Throws: `CommandError` if it cannot be read.
  fileprivate func storedStatus(_ options: StateOptions) throws -> PlayerStatus {
    let queue = try keptQueue(options)
    var status = PlayerStatus(PlaybackState(), queue: queue, elapsed: queue.heard)
    status.process = PlayerStatus.noProcess
    do throws(QueueFault) {
      status.volume =
        try services.storage.repository(options.directory(in: self)).lookAtBeginning()?.volume ?? status.volume
    } catch {
      throw CommandError(.failure, error.description)
    }
    return status
  }
}

extension PlayerStatus {
  /// Creates the status of the player of `session`.
  init(_ session: Session) {
    let services = session.services
    let queue = services.queue.queue
    self.init(
      services.playback.state, queue: queue,
      elapsed: queue.current.flatMap { services.playback.heard(of: $0.id) })
  }
}

extension PlayerStatus.Song {
  /// Finds the cover, if the song's path is valid text. Blocks on the disk.
  mutating func findCover(_ covers: CoverCache) {
    cover = path.map { PlayerStatus.Cover(covers.file(of: FilePath($0))?.string) }
  }
}
