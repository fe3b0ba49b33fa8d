// SPDX-License-Identifier: GPL-3.0-or-later

import Platform
import PlayerFlow
import PlayerPort
import Screens
import Synchronization
import Terminal
import UserSettings

/// Runs programs of the user at events of the player. A program gets what has happened in its environment, and as JSON
/// on its standard input. Playback never waits for it. Safe to use from any thread.
final class EventHooks: Sendable {
  /// The settings with the programs, by the events at which they run.
  private static let settings: [(PlayerEvent.Kind, SettingName)] = [
    (.track, .trackHook), (.state, .stateHook), (.end, .endHook), (.rating, .ratingHook),
  ]
  /// The maximum number of events that wait for their programs; later ones are dropped.
  private static let waitingLimit = 64

  private let programs: [PlayerEvent.Kind: [String]]
  private let runner: UserPrograms
  private let worker: Worker<[PlayerEvent]>
  private let report: @Sendable (String) -> Void
  /// The problems that were reported, so that each is reported once.
  private let reported = Mutex<Set<String>>([])
  /// The track that started last.
  private let lastSong = Mutex<PlayerStatus.Song?>(nil)

  /// Creates the hooks of `settings`; returns `nil` if there are none, or if no thread can be created.
  ///
  /// - Parameter report: Reports to the user that a program cannot be run.
  init?(_ settings: Settings, runner: UserPrograms = UserPrograms(), report: @escaping @Sendable (String) -> Void) {
    var programs: [PlayerEvent.Kind: [String]] = [:]
    for (kind, name) in Self.settings {
      if case .list(let words)? = settings[name] { programs[kind] = words }
    }
    guard !programs.isEmpty else { return nil }
    self.programs = programs
    self.runner = runner
    self.report = report
    worker = Worker(named: "segue-hooks", [])
    guard (try? worker.start(taking: { $0.isEmpty ? nil : $0.removeFirst() }, { [weak self] in self?.run($0) })) != nil
    else { return nil }
  }

  deinit { worker.closeWhenIdle() }

  /// Waits at most until `deadline` until all programs have been started; no others will be.
  func finish(until deadline: MonotonicInstant) {
    worker.closeWhenIdle()
    _ = worker.join(until: deadline)
  }

  /// Runs the program for an event, if there is one, soon.
  func receive(_ event: PlayerEvent) {
    if event.event == .track { lastSong.withLock { $0 = event.song } }
    guard programs[event.event] != nil else { return }
    var event = event
    if event.event == .state || event.event == .end { event.song = lastSong.withLock(\.self) }
    worker.post { if $0.count < Self.waitingLimit { $0.append(event) } }
  }

  private func run(_ event: PlayerEvent) {
    guard let words = programs[event.event], let name = words.first else { return }
    let input = [UInt8]((JSONText.text(event).map { $0 + "\n" } ?? "").utf8)
    do throws(UserPrograms.StartError) {
      try runner.start(words, variables: Self.variables(event), input: input)
    } catch {
      let problem =
        switch error {
        case .notFound: "hook \(name): there is no such program"
        case .tooMany: "hook \(name): too many programs are running, so that it is left out"
        case .failed(let reason): "hook \(name): \(reason)"
        }
      if reported.withLock({ $0.insert(problem).inserted }) { report(problem) }
    }
  }

  /// Returns the environment variables that describe an event.
  static func variables(_ event: PlayerEvent) -> [String: String] {
    var variables = ["SEGUE_EVENT": event.event.rawValue]
    func set(_ name: String, _ value: String?) { if let value { variables["SEGUE_" + name] = value } }
    set("TITLE", event.song?.title)
    set("ARTIST", event.song?.artist)
    set("ALBUM", event.song?.album)
    set("PATH", event.song?.path)
    set("DURATION", event.song?.seconds.map { "\($0)" })
    set("POSITION", event.queuePosition.map { "\($0 + 1)" })
    set("STATE", event.phase?.rawValue)
    set("ELAPSED", event.elapsed.map { "\($0)" })
    set("RATING", event.rating.map { "\($0)" })
    set("ALBUM_RATING", event.albumRating.map { "\($0)" })
    set("LIKED", event.liked.map { $0 ? "yes" : "no" })
    set("COUNT", event.count.map { "\($0)" })
    return variables
  }
}
