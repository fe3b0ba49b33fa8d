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
  private let sleep: SleepController
  private let keeper: StateKeeper
  private let session: Session

  /// The player that `options` ask for, which keeps its state in `stateDirectory`, on the services of `session`.
  init(_ session: Session, _ options: PlayerOptions, stateDirectory: FilePath) throws {
    self.session = session
    let services = session.services
    let made = try services.makePlayer(try options.request(in: session))
    controller = made.controller
    sleep = made.sleep
    prepareOutput = made.prepareOutput
    session.outputFile = made.file
    keeper = try StateKeeper(queue: services.queue, playback: services.playback, in: stateDirectory)
    try options.apply(to: services.actions, services.playback.state)
  }

  /// Plays what `lookup` finds, and says what of it is left out.
  func play(
    _ lookup: Lookup, onProblems: @escaping @Sendable ([LibraryProblem]) -> Void,
    onFailure: @escaping @Sendable (CommandError) -> Void
  ) {
    let actions = session.services.actions
    let outputFile = session.outputFile
    lookup.whenDone { outcome in
      do throws(CommandError) {
        let found = try outcome.get()
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
    if let error = keeper.failure { session.complain("segue: what plays could not be kept: \(error)") }
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
