import MusicModel
import QueueFlow

extension Session {
  func withQueue(_ state: StateOptions, _ body: () throws -> Void) throws { try body() }

  func keptQueue(_ state: StateOptions) throws -> PlayQueue { services.queue.queue }
}
