// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import CALSA
import Platform
import SystemPackage

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
