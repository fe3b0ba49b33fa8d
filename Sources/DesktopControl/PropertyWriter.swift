import CSDBus

/// Writes the value of a property into an answer. While the bus asks for it.
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
