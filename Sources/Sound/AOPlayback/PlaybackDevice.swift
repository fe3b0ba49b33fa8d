/// An open device. Belongs to one thread at a time.
protocol PlaybackDevice: AnyObject {
  /// Gives `bytes` to the device and waits until it has taken them; `false` where it is gone.
  func play(_ bytes: UnsafeRawBufferPointer) -> Bool

  /// Lets what was taken be heard to its end, and closes. The last call.
  func close()
}
