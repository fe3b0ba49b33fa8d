import MusicModel
import QueueFlow

extension Session {
  func checkThatSomethingPlays() throws(CommandError) {
    // A script is faster than the engine: what was just asked for counts as playing.
    let playback = services.playback.state
    if playback.phase == .stopped, playback.isOver || !playback.isAwaited {
      throw CommandError(.nothingPlayable, "nothing is playing: play an album first")
    }
  }

  func checkThatThereIsACurrentTrack() throws(CommandError) {
    if services.queue.queue.current == nil {
      throw CommandError(.nothingPlayable, "no track is current: play an album first")
    }
  }
}
