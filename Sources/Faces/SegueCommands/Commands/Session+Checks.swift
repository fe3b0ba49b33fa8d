import MusicModel
import QueueFlow

extension Session {
  func checkThatSomethingPlays() throws(CommandError) {
    if services.playback.state.phase == .stopped {
      throw CommandError(.nothingPlayable, "nothing is playing: play an album first")
    }
  }

  /// Says so where what was just asked to play is not heard, since the output is disabled.
  func tellIfOutputIsDisabled() {
    if services.playback.state.isOutputMissed { complain("segue: \(PlayerStatus.disabledOutput)") }
  }

  func checkThatThereIsACurrentTrack() throws(CommandError) {
    let queue = services.queue.queue
    if queue.items.isEmpty { throw CommandError.emptyQueue }
    if queue.current == nil {
      throw CommandError(
        .nothingPlayable, "the queue is at its end: `resume` plays it from the beginning, `previous` its last track")
    }
  }
}
