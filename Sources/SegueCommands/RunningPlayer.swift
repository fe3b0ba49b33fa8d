import AudioCore
import MusicLibrary
import MusicModel
import Platform
import QueueFlow
import SystemPackage

/// A player in this process: the controller, and the keeper of its queue.
struct RunningPlayer {
  /// How long the end waits for the output: libao plays what it has buffered, a second at the most.
  private static let shutDownLimit: UInt64 = 2_000

  /// Begins to load the output, which the first sound waits for. Best after the last thread is started.
  let prepareOutput: () -> Void
  private let controller: EnQueueController
  private let keeper: QueueKeeper
  private let session: Session

  /// A player to `output` that keeps its queue in `stateDirectory`, on the services of `session`.
  init(_ session: Session, output: String?, stateDirectory: FilePath) throws {
    self.session = session
    (controller, session.outputFile, prepareOutput) = try session.services.makeController(output)
    keeper = try QueueKeeper(session.services.queue, in: QueueSnapshotFile(directory: stateDirectory))
  }

  /// Finds on a thread of its own what to play, says what is left out, and plays the rest.
  func lookUp(
    _ find: @escaping @Sendable () throws(CommandError) -> CollectionFinder.Found,
    onProblems: @escaping @Sendable ([LibraryProblem]) -> Void,
    onFailure: @escaping @Sendable (CommandError) -> Void
  ) throws -> WorkerThread {
    let actions = session.services.actions
    let outputFile = session.outputFile
    return try WorkerThread(name: "segue-finder") {
      do throws(CommandError) {
        let found = try find()
        if !found.problems.isEmpty { onProblems(found.problems) }
        try found.collection.check(isNotWrittenTo: outputFile)
        actions.enqueue(found.collection, item: found.item)
      } catch {
        onFailure(error)
      }
    }
  }

  /// Ends playing and stores what is to be kept.
  ///
  /// - Throws: `CommandError` where the output failed in the end, and nobody was told.
  func shutDown() throws(CommandError) {
    let known = session.services.playback.state.outputError
    let failure = controller.shutDown(within: Self.shutDownLimit)
    keeper.finish(within: Self.shutDownLimit)
    if let error = keeper.failure { session.complain("segue: the queue could not be kept: \(error)") }
    if let failure, failure != known { throw CommandError(.noOutput, failure.description) }
  }
}

extension TrackCollection {
  /// Sees to it that rendering to `output` overwrites none of the tracks.
  func check(isNotWrittenTo output: FilePath?) throws(CommandError) {
    guard let output, let target = try? FileStatus(of: output) else { return }
    for track in tracks where (try? FileStatus(of: track.path))?.identity == target.identity {
      throw CommandError(
        .usage, "\(output) is one of the tracks to be played: choose another file for the output")
    }
  }
}
