// SPDX-License-Identifier: GPL-3.0-or-later

import Platform
import TestSupport
import Testing

@testable import PlayerPort

@Suite struct OutputPreferenceTests {
  private static let head = AvailableOutput(name: "pulse:head", title: "USB DAC Pro")
  private static let desk = AvailableOutput(name: "pulse:desk", title: "Loudspeakers")
  private static let spare = AvailableOutput(name: "pulse:spare", title: "USB DAC")
  private static let card = AvailableOutput(name: "alsa-exclusive:hw:1,0", title: "HDMI, without a sound server")
  private static let others = [
    AvailableOutput(name: "pulse", title: "PulseAudio"), AvailableOutput(name: "silent", title: "No sound"),
  ]

  /// A rule, with a clock that each step advances.
  private struct Rig {
    var rule: OutputPreferenceRule
    var now = MonotonicInstant(nanoseconds: 1)

    init(_ entries: [String], _ available: [AvailableOutput]) {
      rule = OutputPreferenceRule(PreferredOutputs(entries), available, hasServer: true)
    }

    mutating func receive(_ available: [AvailableOutput], hasServer: Bool = true) {
      rule.receive(available, hasServer: hasServer, at: now)
    }

    /// Returns what is decided within this time.
    mutating func decide(within milliseconds: UInt64) -> [OutputPreferenceRule.Target] {
      let end = now.advanced(byMilliseconds: milliseconds)
      var decisions: [OutputPreferenceRule.Target] = []
      while let deadline = rule.deadline, deadline <= end {
        if let decision = rule.decide(at: deadline) { decisions.append(decision) }
      }
      now = end
      return decisions + [rule.decide(at: now)].compactMap(\.self)
    }

    mutating func settled() -> [OutputPreferenceRule.Target] { decide(within: OutputPreferenceRule.settlingTime) }
  }

  @Test(arguments: [
    ("pulse:desk", "pulse:desk"), ("pulse:loud", "pulse:desk"), ("USB DAC", "pulse:head"), ("pulse:usb", "pulse:head"),
    ("hdmi", "alsa-exclusive:hw:1,0"), ("pulse:hdmi", nil), ("alsa-exclusive:hw:1,0", "alsa-exclusive:hw:1,0"),
    ("alsa-exclusive:hw:1", nil), ("pulse", "pulse"), ("silent", "silent"), ("sound", "alsa-exclusive:hw:1,0"),
    ("nothing", nil),
  ])
  func `an entry is a name or a part of a description`(entry: String, name: String?) {
    let available = Self.others + [Self.head, Self.desk, Self.spare, Self.card]
    #expect(PreferredOutputs([entry]).first(among: available) == name)
  }

  @Test func `of several outputs that an entry means, the present one stays`() {
    var rig = Rig(["usb dac"], [Self.spare])
    #expect(rig.rule.target == .output("pulse:spare"))
    rig.receive([Self.head, Self.spare])
    #expect(rig.settled().isEmpty)
    rig.receive([Self.head])
    #expect(rig.settled() == [.output("pulse:head")])
  }

  @Test func `the entries have numbers, and duplicates none`() {
    let list = PreferredOutputs(["pulse:none", "pulse:usb", "pulse:usb", "desk", "pulse:desk"])
    let available = [Self.desk, Self.head]
    #expect(list.entries.count == 4)
    #expect(list.number(of: "pulse:head", among: available) == 2)
    #expect(list.number(of: "pulse:desk", among: available) == 4)
    #expect(list.number(of: "silent", among: available) == nil)
    #expect(list.missing(among: available).map(\.number) == [1, 3])
  }

  @Test(arguments: [
    ["wav:a.wav"], ["fifo:/tmp/f"], ["raw"], ["/tmp/fifo"], ["~/fifo"], ["./x"], ["pulse:a", "alsa:hw:1"], ["ao:pulse"],
    [""], ["pulse", ""], ["alsa-exclusive"], ["silent:x"], (0...32).map { "pulse:\($0)" },
  ])
  func `what cannot be plugged in cannot be preferred`(entries: [String]) throws {
    let problem = try #require(PreferredOutputs.problem(of: entries))
    #expect(!problem.contains("\n"))
  }

  @Test func `ten thousand entries are refused, and a list without any is none`() {
    #expect(PreferredOutputs.problem(of: (0..<10_000).map { "pulse:\($0)" })?.contains("at most 32") == true)
    #expect(PreferredOutputs.problem(of: []) == nil)
    let devices = ["pulse:USB DAC", "headphones", "alsa-exclusive:hw:1", "pulse", "silent"]
    #expect(PreferredOutputs.problem(of: devices) == nil)
    var rig = Rig([], [Self.desk])
    rig.receive([])
    #expect(rig.settled().isEmpty && !rig.rule.isFollowing && !rig.rule.isWithoutOutput)
  }

  @Test func `a better output is used once it has been there for a while`() {
    var rig = Rig(["pulse:head", "pulse:desk"], [Self.desk])
    #expect(rig.rule.target == .output("pulse:desk"))
    rig.receive([Self.desk, Self.head])
    #expect(rig.decide(within: OutputPreferenceRule.settlingTime - 1).isEmpty)
    #expect(rig.decide(within: 1) == [.output("pulse:head")])
    #expect(rig.rule.deadline == nil)
  }

  @Test func `an output that comes and goes many times a second changes nothing`() {
    var rig = Rig(["pulse:head", "pulse:desk"], [Self.desk])
    for _ in 0..<1_000 {
      rig.receive([Self.desk, Self.head])
      #expect(rig.decide(within: 100).isEmpty)
      rig.receive([Self.desk])
      #expect(rig.decide(within: 100).isEmpty)
    }
    #expect(rig.rule.deadline == nil)
  }

  @Test func `if nothing is available, playback pauses once, and what comes back is used`() {
    var rig = Rig(["pulse:head", "pulse:desk"], [Self.desk])
    rig.receive(Self.others)
    #expect(rig.settled() == [.nothing] && rig.rule.isWithoutOutput)
    rig.receive([])
    #expect(rig.settled().isEmpty)
    rig.receive([Self.head])
    #expect(rig.settled() == [.output("pulse:head")] && !rig.rule.isWithoutOutput)
  }

  @Test func `a server that restarts has time for its sinks`() {
    var rig = Rig(["pulse:head", "pulse:desk"], [Self.head])
    rig.receive([], hasServer: false)
    #expect(rig.rule.isServerLost)
    #expect(rig.decide(within: 2_000).isEmpty)
    rig.receive([])
    #expect(rig.decide(within: 2_000).isEmpty)
    rig.receive([Self.head])
    #expect(rig.decide(within: 10_000).isEmpty)
    rig.receive([], hasServer: false)
    rig.receive([], hasServer: false)
    #expect(rig.decide(within: OutputPreferenceRule.restartTime) == [.nothing])
    #expect(!rig.rule.isServerLost)
  }

  @Test func `what the user chooses is used until it goes`() {
    var rig = Rig(["pulse:head"], [Self.head, Self.desk])
    rig.rule.choose("pulse:desk")
    #expect(!rig.rule.isFollowing)
    rig.receive([Self.desk])
    #expect(rig.settled().isEmpty)
    rig.receive([Self.desk, Self.head])
    #expect(rig.settled().isEmpty)
    rig.receive([Self.head])
    #expect(rig.settled() == [.output("pulse:head")] && rig.rule.isFollowing)
    rig.rule.choose("raw:file")
    rig.receive([])
    #expect(rig.settled().isEmpty, "a file does not go")
    rig.receive([Self.head])
    rig.rule.choose("pulse:head")
    #expect(rig.rule.isFollowing, "the list means the same")
    rig.receive([])
    #expect(rig.settled() == [.nothing])
  }

  @Test func `an output that does not open is left out until it is plugged in again`() {
    var rig = Rig(["pulse:head", "pulse:desk"], [Self.desk])
    rig.receive([Self.desk, Self.head])
    #expect(rig.settled() == [.output("pulse:head")])
    rig.rule.recordFailure(at: rig.now)
    #expect(rig.settled().isEmpty && rig.rule.target == .output("pulse:desk"))
    rig.receive([Self.head])
    #expect(rig.settled() == [.nothing])
    rig.receive([])
    rig.receive([Self.head])
    #expect(rig.settled() == [.output("pulse:head")])
  }

  @Test func `an output that does not open is tried again if there is no other one`() {
    var rig = Rig(["pulse:head"], [Self.head])
    rig.rule.recordFailure(at: rig.now)
    #expect(rig.settled() == [.nothing] && rig.rule.isWithoutOutput)
    rig.rule.forgetFailures(at: rig.now)
    #expect(rig.rule.decide(at: rig.now) == .output("pulse:head"))
  }

  @Test func `a card that the user chooses by another of its names is used until it goes`() {
    var rig = Rig(["pulse:head"], [Self.head, Self.card])
    let alias = AvailableOutput(name: "alsa-exclusive:hw:1", title: Self.card.title)
    rig.rule.choose(alias.name, among: [Self.head, Self.card, alias])
    #expect(rig.rule.names == ["pulse:head", alias.name])
    rig.receive([Self.head, Self.card, alias])
    #expect(rig.settled().isEmpty && !rig.rule.isFollowing)
    rig.receive([Self.head])
    #expect(rig.settled() == [.output("pulse:head")])
  }

  @Test func `a server that ends just after its sinks have gone is waited for`() {
    var rig = Rig(["pulse:head"], [Self.head])
    rig.receive([])
    #expect(rig.decide(within: 100).isEmpty)
    rig.receive([], hasServer: false)
    #expect(rig.decide(within: 2_000).isEmpty)
    rig.receive([Self.head])
    #expect(rig.decide(within: 10_000).isEmpty && rig.rule.target == .output("pulse:head"))
  }

  @Test func `if what the user chooses does not open, the list is followed as before`() {
    var rig = Rig(["pulse:head"], [Self.head])
    rig.rule.choose("pulse:nowhere")
    rig.rule.recordFailure(at: rig.now)
    #expect(rig.rule.isFollowing && rig.rule.target == .output("pulse:head") && rig.settled().isEmpty)
  }

  @Test func `another list is followed at once`() {
    var rig = Rig([], [])
    rig.rule.follow(PreferredOutputs(["pulse:desk"]), [Self.desk], hasServer: true, at: rig.now)
    #expect(rig.rule.decide(at: rig.now) == .output("pulse:desk"))
    rig.rule.follow(PreferredOutputs([]), [], hasServer: false, at: rig.now)
    #expect(rig.settled().isEmpty && !rig.rule.isFollowing)
  }

  @Test(arguments: 0..<200)
  func `whatever comes and goes, the first that is available is used, and a pause comes once`(seed: UInt64) {
    var numbers = SeededGenerator(seed: seed)
    let devices = [Self.head, Self.desk, Self.spare, Self.card]
    let entries = devices.map(\.name).shuffled(using: &numbers).prefix(Int.random(in: 1...4, using: &numbers))
    var present = Set(devices.filter { _ in Bool.random(using: &numbers) })
    var rig = Rig(Array(entries), Array(present))
    var last = rig.rule.target
    for step in 0..<100 {
      for _ in 0..<Int.random(in: 1...5, using: &numbers) {
        let device = devices[Int.random(in: 0..<devices.count, using: &numbers)]
        present.formSymmetricDifference([device])
        rig.receive(present.shuffled(using: &numbers))
        // Less than what counts: nothing is decided unless the first one has been the same meanwhile.
        for decision in rig.decide(within: .random(in: 0...400, using: &numbers)) {
          #expect(decision != last, "step \(step)")
          last = decision
        }
      }
      for decision in rig.settled() {
        #expect(decision != last, "step \(step)")
        last = decision
      }
      let wanted = entries.first { name in present.contains { $0.name == name } }
      #expect(last == wanted.map { .output($0) } ?? .nothing, "step \(step)")
      #expect(rig.rule.target == last && rig.rule.deadline == nil)
    }
  }
}
