import AudioCore

/// What opens devices: libao, or what stands for it in a test.
protocol DeviceLibrary: Sendable {
  /// The drivers in the order in which an automatic choice tries them.
  var drivers: [AODriver] { get }

  /// Begins to load the drivers, unless that was begun before.
  func start()

  /// Waits until the drivers are loaded.
  func waitUntilStarted()

  /// Opens a device of `driver` in exactly `format`.
  func open(
    _ driver: AODriver, options: [(key: String, value: String)], format: DeviceFormat
  ) throws(AOError) -> any PlaybackDevice
}
