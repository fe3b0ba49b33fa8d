// SPDX-License-Identifier: GPL-3.0-or-later

public import AudioCore
public import Outputs
import Platform
public import SystemPackage

/// The drivers of libao, with the settings for their devices.
public struct AODrivers: DriverLibrary {
  private let library: any DeviceLibrary
  private let buffer: Duration?
  private let pulseLatency: PulseLatency
  private let clock: any MonotonicClock

  /// Creates the drivers of `system`, which may still be starting.
  ///
  /// - Parameter buffer: The length of the device's buffer, limited to 50 to 2,000 ms; `nil` for the driver's default.
  ///   Commands are delayed by this length. Some drivers do not support it; the output reports the length that it has.
  public init(_ system: AOSystem, buffer: Duration? = nil) { self.init(library: system, buffer: buffer) }

  init(
    library: any DeviceLibrary, buffer: Duration? = nil, pulseLatency: PulseLatency = .process,
    clock: any MonotonicClock = SystemClock()
  ) {
    self.library = library
    self.buffer = buffer
    self.pulseLatency = pulseLatency
    self.clock = clock
  }

  /// Starts loading the drivers.
  public func start() { library.start() }

  /// Everything written to standard error during the call, by libraries or by other threads, is captured.
  public func open(
    _ name: String, device: String?, _ format: DeviceFormat
  ) throws(OutputError) -> any AudioOutput {
    guard let driver = library.drivers.first(where: { $0.name == name }), driver.kind == .live else {
      throw OutputError(
        kind: .unknownDriver, description: "unknown output \"\(name)\"; use `segue outputs` to list the outputs")
    }
    do throws(AOError) {
      return try open(driver, device: device, candidates(driver, format))
    } catch {
      let deviceName = device.map { " \"\($0)\"" } ?? ""
      throw OutputError(
        kind: .cannotOpen,
        description: "output \(driver.name)\(deviceName): \(error.message); use `segue outputs` to list the others")
    }
  }

  /// Everything written to standard error during the call, by libraries or by other threads, is captured.
  public func openAny(_ format: DeviceFormat) throws(NoDriverError) -> any AudioOutput {
    let drivers = library.drivers.filter { $0.kind == .live && !$0.isNull }
    var failures: [String: AOError] = [:]
    for isExact in [true, false] {
      for driver in drivers where failures[driver.name]?.isFinal != true {
        let candidates = candidates(driver, format).filter {
          ($0.sampleRate == format.sampleRate && $0.channels == format.channels) == isExact
        }
        do throws(AOError) {
          return try open(driver, device: nil, candidates)
        } catch {
          failures[driver.name] = error
        }
      }
    }
    throw NoDriverError(busyDriver: drivers.first { failures[$0.name]?.isBusy == true }?.name)
  }

  /// Opens the file with libao.
  public func openFile(
    _ driver: String, _ path: FilePath, _ format: DeviceFormat, warning: String?
  ) throws(OutputError) -> any AudioOutput {
    library.waitUntilStarted()
    return try FileOutput(driver: driver, path: path, format: format, warning: warning)
  }

  private func candidates(_ driver: AODriver, _ format: DeviceFormat) -> [DeviceFormat] {
    FormatCandidates.formats(
      for: format, depths: driver.depths(for: format.depth), convertsRates: driver.convertsRates)
  }

  /// Opens `device` of `driver` in the first of `formats` that it accepts; `nil` stands for the driver's default
  /// device.
  private func open(
    _ driver: AODriver, device: String?, _ formats: [DeviceFormat]
  ) throws(AOError) -> AOOutput {
    let isPulse = driver.name == "pulse"
    let buffer = DriverBuffer(
      driver: driver.name, requested: buffer, pulseLatency: isPulse ? pulseLatency.userMilliseconds : nil)
    pulseLatency.request(milliseconds: isPulse ? buffer.milliseconds : nil)
    let options = driver.openingOptions(device: device, buffer: buffer)
    var failure = AOError(code: 0)
    for format in formats {
      do throws(AOError) {
        let opened = try library.open(driver, options: options, format: format)
        if let first = formats.first, format != first,
          let better = try? library.open(driver, options: options, format: first)
        {
          // The device appeared while its formats were being tried.
          return AOOutput(device: better, driver: driver, buffer: buffer, format: first, clock: clock)
        }
        return AOOutput(device: opened, driver: driver, buffer: buffer, format: format, clock: clock)
      } catch {
        failure = error
        if error.isFinal { break }
      }
    }
    throw failure
  }
}
