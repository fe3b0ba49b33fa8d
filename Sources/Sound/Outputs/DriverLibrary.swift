// SPDX-License-Identifier: GPL-3.0-or-later

public import AudioCore
public import SystemPackage

/// A library with drivers that play to devices or write files, such as libao.
public protocol DriverLibrary: Sendable {
  /// Starts loading the drivers in the background, unless that has already begun. Can be called from any thread.
  func start()

  /// Opens a device of a driver for audio of `format`, or in the nearest format that it accepts; the driver's default
  /// device if `device` is `nil`. Blocks while the driver does.
  ///
  /// - Throws: `OutputError` if there is no such driver, or if the device does not open.
  func open(_ driver: String, device: String?, _ format: DeviceFormat) throws(OutputError) -> any AudioOutput

  /// Opens the first driver that accepts `format`, or else the first that accepts any format.
  func openAny(_ format: DeviceFormat) throws(NoDriverError) -> any AudioOutput

  /// Creates or overwrites the file at `path` with a driver for files. The output has the warning `warning`.
  func openFile(
    _ driver: String, _ path: FilePath, _ format: DeviceFormat, warning: String?
  ) throws(OutputError) -> any AudioOutput
}

/// The error that is thrown when no driver opens a device.
public struct NoDriverError: Error {
  /// The first driver whose device is in use by another program; `nil` if there is none.
  public let busyDriver: String?

  /// Creates the error.
  public init(busyDriver: String?) { self.busyDriver = busyDriver }
}
