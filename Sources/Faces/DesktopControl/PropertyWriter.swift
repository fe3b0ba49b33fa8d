import CSDBus

/// Writes values into an answer, or a signal, while the bus asks for it or until it is sent.
@safe
struct PropertyWriter {
  private let value: OpaquePointer

  /// One that writes to `value`.
  init(_ value: OpaquePointer) { unsafe self.value = unsafe value }

  func write(_ text: String) { unsafe CSDBusWriteText(value, text) }
  func write(_ flag: Bool) { unsafe CSDBusWriteFlag(value, flag) }
  func write(_ number: Double) { unsafe CSDBusWriteNumber(value, number) }
  /// Writes a time in microseconds.
  func write(_ time: Duration) { unsafe CSDBusWriteInteger(value, time.wholeMicroseconds) }

  /// Writes the path of an object.
  func write(objectPath: String) { unsafe CSDBusWritePath(value, objectPath) }

  /// Writes a list of paths of objects.
  func write(objectPaths: [String]) {
    unsafe CSDBusBeginPaths(value)
    for path in objectPaths { write(objectPath: path) }
    unsafe CSDBusEndPaths(value)
  }

  /// Writes metadata as a whole.
  func write(whole metadata: TrackMetadata) {
    unsafe CSDBusBeginTrack(value)
    write(metadata)
    unsafe CSDBusEndTrack(value)
  }

  /// Writes the entries of metadata.
  func write(_ metadata: TrackMetadata) {
    for entry in metadata.entries {
      switch entry.value {
      case .text(let text): unsafe CSDBusWriteTextEntry(value, entry.key, text)
      case .objectPath(let path): unsafe CSDBusWritePathEntry(value, entry.key, path)
      case .time(let microseconds): unsafe CSDBusWriteIntegerEntry(value, entry.key, microseconds)
      case .number(let number): unsafe CSDBusWriteShortEntry(value, entry.key, number)
      case .texts(let texts):
        unsafe CSDBusBeginListEntry(value, entry.key)
        for text in texts { unsafe CSDBusWriteText(value, text) }
        unsafe CSDBusEndListEntry(value)
      }
    }
  }
}
