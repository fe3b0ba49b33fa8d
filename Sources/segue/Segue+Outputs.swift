// SPDX-License-Identifier: GPL-3.0-or-later

import ALSAPlayback
import AudioCore
import Outputs
import Platform
import PlayerPort
import PulsePlayback
import Synchronization
import SystemPackage

/// The outputs that come and go while a player runs.
extension Segue {
  /// What is known of the sinks of the sound server.
  private enum Sinks {
    case unknown
    /// The sinks; `nil` if there is no server.
    case known([PulseServer.Sink]?)
  }

  /// Returns the outputs of which a list can prefer some.
  static func outputSupply() -> OutputSupply {
    let sinks = Mutex(Sinks.unknown)
    let devices = Mutex<DirectoryTreeWatch?>(nil)
    return OutputSupply(
      available: { names in
        let known = sinks.withLock { sinks in
          if case .known(let known) = sinks { return known }
          let known = PulseServer.sinks
          sinks = .known(known)
          return known
        }
        // Without a server, nothing can be played through one.
        return (outputs(sinks: known ?? [], names: names).filter { known != nil || $0.name != "pulse" }, known != nil)
      },
      follow: { onChange in
        // Without a thread, nothing is followed.
        _ = try? WorkerThread(name: "segue-sinks") {
          PulseServer.followSinks(at: soundServerSocket) { new in
            sinks.withLock { $0 = .known(new) }
            onChange()
          }
        }
        let watch = try? DirectoryTreeWatch("/dev/snd", delays: WatchDelays()) { _ in onChange() }
        devices.withLock { $0 = watch }
      })
  }

  /// The socket of the sound server, as far as the environment says where it is.
  private static var soundServerSocket: FilePath? {
    if let server = Environment.value("PULSE_SERVER") {
      return server.hasPrefix("unix:") ? FilePath(String(server.dropFirst(5))) : nil
    }
    return Environment.value("XDG_RUNTIME_DIR").map { FilePath($0).appending("pulse/native") }
  }

  /// Returns the outputs that can be named without a file or a device; sound cards also by those of `names` that mean
  /// one.
  static func outputs(sinks: [PulseServer.Sink], names: [String] = []) -> [AvailableOutput] {
    let pulse = AvailableOutput(name: "pulse", title: "PulseAudio or PipeWire; commands take effect soon")
    let sinks = sinks.map { AvailableOutput(name: OutputChoice.name(ofSink: $0.name), title: $0.title) }
    func card(_ name: String, _ device: SoundCard.Device) -> AvailableOutput {
      AvailableOutput(name: name, title: "\(device.title), without a sound server")
    }
    let cards = SoundCard.devices.map { card("alsa-exclusive:\($0.name)", $0) }
    let others = names.compactMap { name -> AvailableOutput? in
      guard case .soundCard(let text)? = try? OutputChoice(parsing: name), let device = SoundCard.device(named: text)
      else { return nil }
      return card(name, device)
    }
    return [pulse] + sinks + cards + others.filter { !cards.contains($0) }
      + [AvailableOutput(name: "silent", title: "No sound, in real time")]
  }

  /// Returns the output with which a player begins that follows a list: the first that is available or, if there is
  /// none, the first of the list, so that no other is used.
  static func firstChoice(_ follower: OutputFollower) throws(PlayerError) -> OutputChoice? {
    guard let first = follower.list.entries.first else { return nil }
    let choice = try outputChoice(follower.output ?? first)
    if case .live(let text, _) = choice { return .pulse(sink: text) }
    return choice
  }

  /// Opens the output that is chosen by now. If it is the first that the player opens, and does not open, such as a
  /// card that another program uses, the next one of the list is opened. If there was none of the list, those that did
  /// not open before are tried again.
  static func open(
    _ output: OutputSwitch, _ format: DeviceFormat, isFirst: Bool, following follower: OutputFollower
  ) throws(OutputError) -> any AudioOutput {
    var isRetry = false
    while true {
      if follower.isWithoutOutput {
        guard !isRetry, follower.retry() else {
          throw OutputError(
            kind: .cannotOpen,
            description: "none of the preferred outputs is available; use `segue outputs` to list the others")
        }
        isRetry = true
        // What was used before is not of the list.
        output.forgetPrevious()
      }
      do throws(OutputError) {
        return try output.open(format)
      } catch {
        guard error.kind == .cannotOpen, isFirst || isRetry, follower.skip() else { throw error }
      }
    }
  }
}
