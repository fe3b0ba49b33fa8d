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

  /// Returns the device that ALSA knows by this name, such as `hw:1` or `dop:hw:CARD=DAC`; `nil` if its card is not
  /// plugged in.
  public static func device(named name: String) -> Device? {
    let name = name.hasPrefix(overPCMPrefix) ? String(name.dropFirst(overPCMPrefix.count)) : name
    guard let device = DeviceUse.parse(name) else { return nil }
    return devices.first { $0.name == "hw:\(device.card),\(device.number)" }
  }

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

/// Which program uses a sound card's device, as Linux reports it in `/proc`.
enum DeviceUse {
  /// Returns the name of the output for the user.
  static func outputName(_ device: String) -> String { "alsa-exclusive \"\(device)\"" }

  /// Whether an error means that the device has played everything.
  static func isUnderrun(_ status: Int32) -> Bool { Errno(rawValue: -status) == .brokenPipe }

  /// Returns why a device that was open does not play any more; `nil` if the error explains itself.
  static func lossReason(_ status: Int32) -> String? {
    switch Errno(rawValue: -status) {
    case .operationNotSupportedByDevice: "the device was unplugged"
    // ESTRPIPE, which Swift does not name.
    case Errno(rawValue: 86): "the system was asleep"
    default: nil
    }
  }

  /// Returns why a device cannot be opened, and what to do about it; `nil` if the error explains itself.
  static func explanation(of status: Int32, for device: String) -> String? {
    switch Errno(rawValue: -status) {
    case .resourceBusy: explanation(user: parse(device).flatMap { user(of: $0, in: "/proc") })
    case .noSuchFileOrDirectory, .operationNotSupportedByDevice, .noSuchAddressOrDevice:
      "there is no such device; use `segue outputs` to list the sound cards"
    default: nil
    }
  }

  /// Returns why a device that is busy cannot be opened, and what to do about it.
  ///
  /// - Parameter user: The program that uses the device; `nil` if that is unknown.
  static func explanation(user: (program: String, process: Int32)?) -> String {
    guard let user else { return "another program uses the device" }
    let use = "\(user.program) (process \(user.process)) uses the device"
    switch user.program {
    case "pulseaudio": return "\(use); `pactl suspend-sink SINK 1` makes it release that (`pactl list short sinks`)"
    case "pipewire", "wireplumber":
      return "\(use); `pactl set-card-profile CARD off` makes it release that (`pactl list short cards`)"
    default: return "\(use); end that program first"
    }
  }

  /// A playback device of a card.
  struct Device: Hashable {
    var card: Int
    var number: Int
  }

  /// Returns the device that `name` means, such as `hw:1`, `hw:1,0`, `hw:PCH,3` or `hw:CARD=PCH,DEV=0`; `nil` if it is
  /// none of a card.
  ///
  /// - Parameter cardNumber: Returns the number of a card by its number or name.
  static func parse(_ name: String, cardNumber: (String) -> Int? = cardNumber) -> Device? {
    let parts = name.split(separator: ":", maxSplits: 1)
    guard parts.count == 2 else { return nil }
    let values = parts[1].split(separator: ",").map { part in
      part.split(separator: "=", maxSplits: 1).last.map(String.init) ?? ""
    }
    guard let card = values.first.flatMap(cardNumber) else { return nil }
    return Device(card: card, number: values.dropFirst().first.flatMap { Int($0) } ?? 0)
  }

  private static func cardNumber(_ name: String) -> Int? {
    guard let library = unsafe ALSALibraryLoad() else { return nil }
    let number = unsafe library.pointee.card_get_index(name)
    return number < 0 ? nil : Int(number)
  }

  /// Returns the program that has a device open.
  ///
  /// - Parameter processes: The directory of the processes: `/proc`, except in tests.
  static func user(of device: Device, in processes: FilePath) -> (program: String, process: Int32)? {
    for part in 0..<8 {
      let path = processes.appending("asound/card\(device.card)/pcm\(device.number)p/sub\(part)/status")
      guard let bytes = try? AtomicFile.read(path, limit: 4_096) else { continue }
      for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
        let fields = line.split(separator: ":", maxSplits: 1)
        guard fields.count == 2, fields[0].split(separator: " ") == ["owner_pid"],
          let thread = fields[1].split(separator: " ").first.flatMap({ Int32($0) })
        else { continue }
        // The device may have been opened by any thread of the program.
        let process = processID(ofThread: thread, in: processes) ?? thread
        let name = try? AtomicFile.read(processes.appending("\(process)/comm"), limit: 256)
        let program = name.map { String(decoding: $0, as: UTF8.self).split(separator: "\n").joined() }
        return (program.flatMap { $0.isEmpty ? nil : $0 } ?? "a program", process)
      }
    }
    return nil
  }

  private static func processID(ofThread thread: Int32, in processes: FilePath) -> Int32? {
    guard let bytes = try? AtomicFile.read(processes.appending("\(thread)/status"), limit: 1 << 14) else { return nil }
    let line = String(decoding: bytes, as: UTF8.self).split(separator: "\n").first { $0.hasPrefix("Tgid:") }
    return line?.split(separator: "\t").last.flatMap { Int32($0) }
  }
}
