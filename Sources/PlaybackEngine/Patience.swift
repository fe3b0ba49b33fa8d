/// How long the engine waits for files and devices, in milliseconds.
struct Patience: Sendable, Hashable {
  /// How long a file may block before the thread that reads it is replaced, if something else is to be played.
  var file: UInt64 = 300
  /// How long a device may block before it counts as stalled.
  var stall: UInt64 = 400
  /// How long a device may block before the thread in it is given up; twice as long for each that is stuck already.
  var output: UInt64 = 10_000
  /// How long a pause has to last for the device to be closed: then it costs nothing, and may sleep.
  var pause: UInt64 = 3000
}
