import AudioCore

/// What the stream has for the ring.
enum StreamYield {
  /// These frames.
  case frames(StreamFrames)
  /// Nothing follows.
  case ended
  /// Nothing yet, but there is more to do.
  case held
  /// Nothing at present.
  case nothing
}
