import Synchronization

/// What the render thread is to do from now on.
enum RenderTarget: Int, Sendable, AtomicRepresentable {
  /// Put out what the ring holds.
  case run
  /// Fade out and wait.
  case hold
  /// Fade out and close the output.
  case close
  /// Fade out, close the output and end the thread.
  case quit
}
