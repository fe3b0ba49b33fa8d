// SPDX-License-Identifier: GPL-3.0-or-later

public import AudioCore
import CALSA
import Platform
import SystemPackage

/// Sound cards that are used without a sound server.
public enum SoundCard {
  /// The length of the buffer, unless another one is requested.
  private static let defaultBuffer = Duration.milliseconds(1_000)
  /// The possible lengths of the buffer.
  private static let buffers = Duration.milliseconds(100)...Duration.milliseconds(1_000)

  /// What the name of a device begins with that receives DSD over PCM.
  private static let overPCMPrefix = "dop:"

  /// A device of a card, for the user to choose.
  public struct Device: Sendable, Hashable {
    /// The name of the device in ALSA.
    public let name: String
    /// The description of the device.
    public let title: String
  }

  /// The version of libasound; `nil` if it is not installed.
  public static var libraryVersion: String? {
    guard let library = unsafe ALSALibraryLoad() else { return nil }
    return unsafe String(cString: library.pointee.asoundlib_version())
  }

  /// The devices that can play, as Linux reports them.
  public static var devices: [Device] { devices(in: "/proc/asound/pcm") }

  static func devices(in list: FilePath) -> [Device] {
    guard let bytes = try? AtomicFile.read(list, limit: 1 << 16) else { return [] }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").compactMap { line in
      let fields = line.split(separator: ":").map { $0.split(separator: " ").joined(separator: " ") }
      guard fields.count > 2, fields.dropFirst(2).contains(where: { $0.hasPrefix("playback") }) else { return nil }
      let numbers = fields[0].split(separator: "-").compactMap { Int($0) }
      guard numbers.count == 2 else { return nil }
      return Device(name: "hw:\(numbers[0]),\(numbers[1])", title: fields[1])
    }
  }

  /// Opens the device that ALSA knows by this name, such as `hw:1`, in exactly `format`. No other program can play on
  /// it until the output is closed.
  ///
  /// DSD is sent in one of the formats for it that the device declares; or, if the name begins with `dop:`, as in
  /// `dop:hw:1`, as DSD over PCM, which no device declares.
  ///
  /// - Parameter buffer: The length of the buffer, limited to 100 to 1,000 ms; `nil` for 1,000 ms.
  /// - Throws: `OutputError` if libasound is not installed, or if the device is missing or used by another program. If
  ///   the kind of the error is `unsupportedFormat`, the device may accept another format.
  public static func open(
    _ format: DeviceFormat, device: String, buffer: Duration?
  ) throws(OutputError) -> any RewindableOutput {
    let limit = Duration.seconds(1) * format.rewindableFrameLimit / format.sampleRate
    let buffer = min(max(buffer ?? defaultBuffer, buffers.lowerBound), buffers.upperBound, limit)
    let isOverPCM = device.hasPrefix(overPCMPrefix)
    let device = isOverPCM ? String(device.dropFirst(overPCMPrefix.count)) : device
    let name = DeviceUse.outputName(device)
    guard format.isDSD else {
      return ALSAOutput(try ALSADevice([CardFormat(pcm: format)], name: device, buffer: buffer), format, name: name)
    }
    let packings = isOverPCM ? DSDPacking.overPCM : DSDPacking.native
    let formats = packings.map { CardFormat(dsd: format, $0) }
    let opened = try ALSADevice(formats, name: device, buffer: buffer)
    let packing = packings[formats.firstIndex(of: opened.format) ?? 0]
    return ALSAOutput(
      DSDDevice(opened, packing, channels: format.channels), format,
      name: "\(name) (\(isOverPCM ? "DSD over PCM" : "native DSD"))")
  }
}
