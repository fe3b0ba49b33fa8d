/// How one source goes over into the next.
public enum Transition: Sendable, Hashable {
  /// The first frame of the next comes right after the last frame of this one.
  case gapless
  /// The end of this one fades out while the beginning of the next fades in, with equal power, over this long.
  case crossfade(Duration)
}
