import AudioCore

/// What the stream has for the ring.
enum StreamYield {
  /// These frames.
  case frames(StreamFrames)
  /// Nothing follows.
  case ended
  /// Nothing at present.
  case nothing
}
