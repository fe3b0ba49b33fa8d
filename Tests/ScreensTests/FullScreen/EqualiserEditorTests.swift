// SPDX-License-Identifier: GPL-3.0-or-later

import Equalising
import Terminal
import Testing
import UserSettings

@testable import PlayerPort
@testable import Screens

/// Editing the bands of the equaliser on the full screen.
@Suite struct EqualiserEditorTests {
  private static let desk = EqualiserProfile(
    preamp: -3,
    filters: [
      EqualiserFilter(.peak, 100, gain: 4.2, .q(1)), EqualiserFilter(.notch, 50, .octaves(1)),
      EqualiserFilter(.highShelf, 8_000, gain: 29.8, .q(0.7)),
    ])

  /// Returns the report of a player whose output has this profile, or none.
  private static func report(_ profile: EqualiserProfile?, name: String = "Desk") -> EqualiserReport {
    var report = EqualiserReport(output: "pulse", chosen: profile == nil ? nil : name, isBypassed: false)
    report.shown = profile.map { .init(name: name, profile: $0) }
    return report
  }

  private static func rig(_ profile: EqualiserProfile?) -> ScreenRig {
    var rig = ScreenRig()
    rig.type("ge")
    #expect(rig.requests == [.report(nil)])
    rig.answer(report(profile))
    return rig
  }

  @Test func `gains move to the multiples of a step, as far as they may`() throws {
    var editor = try #require(EqualiserEditor(Self.report(Self.desk)))
    editor.changeGain(by: 1)
    #expect(editor.filter?.gain == 4.5)
    editor.changeGain(by: -1)
    #expect(editor.filter?.gain == 4)
    editor.changeGain(by: EqualiserEditor.farSteps)
    #expect(editor.filter?.gain == 7)
    editor.select(1)
    editor.changeGain(by: 1)
    #expect(editor.filter == Self.desk.filters[1])
    editor.select(9)
    editor.changeGain(by: 1)
    editor.changeGain(by: 1)
    #expect(editor.band == 2 && editor.filter?.gain == 30)
    editor.flatten()
    #expect(editor.filter?.gain == 0)
  }

  @Test func `frequency and width change by steps that lead back`() throws {
    var editor = try #require(EqualiserEditor(Self.report(Self.desk)))
    editor.changeFrequency(up: true)
    #expect(editor.filter?.frequency == 106)
    editor.changeFrequency(up: false)
    #expect(editor.filter?.frequency == 100)
    editor.changeWidth(narrower: true)
    #expect(editor.filter?.width == .q(1.09))
    editor.select(1)
    editor.changeWidth(narrower: true)
    #expect(editor.filter?.width == .octaves(0.917))
    editor.changeWidth(narrower: false)
    #expect(editor.filter?.width == .octaves(1))
    editor.addBand()
    #expect(editor.band == 3 && editor.filter == EqualiserFilter(.peak, 1_000, gain: 0, .q(1.41)))
  }

  @Test func `each change is sent at once, one request at a time, and enter keeps it`() throws {
    var rig = Self.rig(Self.desk)
    rig.press(.up)
    var changed = Self.desk
    changed.filters[0].gain = 4.5
    #expect(rig.requests.last == .edit(.all(changed), in: "Desk"))
    // What is changed until the reply comes is sent with the next request.
    rig.press(.up, .up, .enter)
    #expect(rig.requests.count == 2 && rig.model.overlay != nil)
    rig.answer(Self.report(changed))
    changed.filters[0].gain = 5.5
    #expect(rig.requests.last == .edit(.all(changed), in: "Desk") && rig.requests.count == 3)
    rig.answer(Self.report(changed))
    #expect(rig.model.overlay == nil && rig.requests.count == 3)
  }

  @Test(arguments: [Key.escape, .character("q"), .control("c")])
  func `leaving without saving returns to the profile before`(_ key: Key) throws {
    var rig = Self.rig(Self.desk)
    rig.type("ld")
    rig.press(.pageUp)
    // The notch has no gain, so nothing has changed.
    #expect(rig.requests.count == 1)
    rig.type("hdK")
    rig.answer(Self.report(Self.desk))
    rig.answer(Self.report(Self.desk))
    if key == .control("c") { rig.interrupt() } else { rig.press(key) }
    #expect(rig.requests.last == .edit(.all(Self.desk), in: "Desk"))
    rig.answer(Self.report(Self.desk))
    #expect(rig.model.overlay == nil)
  }

  @Test func `for an output without a profile, one is created by the first change, and deleted by leaving`() throws {
    var rig = Self.rig(nil)
    rig.press(.right, .right)
    #expect(rig.requests.count == 1)
    rig.press(.pageDown)
    var bands = EqualiserProfile.tenBands
    bands.filters[2].gain = -3
    #expect(rig.requests.last == .create(bands, output: "pulse"))
    // The name is not known yet.
    rig.press(.escape)
    #expect(rig.requests.count == 2)
    rig.answer(Self.report(bands, name: "Bands"))
    #expect(rig.requests.last == .delete("Bands"))
    rig.answer(Self.report(nil))
    #expect(rig.model.overlay == nil)
  }

  @Test func `if nothing was changed, leaving sends nothing`() throws {
    for profile in [nil, Self.desk] {
      for key in [Key.escape, .enter] {
        var rig = Self.rig(profile)
        rig.press(key)
        #expect(rig.model.overlay == nil && rig.requests.count == 1)
      }
    }
  }

  @Test func `a change that fails is sent again with the next one, and does not keep the user from leaving`() throws {
    var rig = Self.rig(Self.desk)
    rig.press(.up)
    rig.answer(nil)
    #expect(rig.requests.count == 2 && rig.model.overlay != nil)
    rig.press(.down)
    #expect(rig.requests.count == 3)
    rig.answer(nil)
    rig.press(.enter)
    #expect(rig.requests.count == 4)
    rig.answer(nil)
    #expect(rig.model.overlay == nil)
  }

  @Test func `keys of the player work meanwhile, and a bypass is shown`() throws {
    var rig = Self.rig(Self.desk)
    rig.type("E")
    #expect(rig.requests.last == .bypass(nil))
    var report = Self.report(Self.desk)
    report.isBypassed = true
    rig.answer(report)
    guard case .equaliser(let editor)? = rig.model.overlay else {
      Issue.record("the editor is closed")
      return
    }
    #expect(editor.isBypassed)
    rig.press(.character(" "))
    #expect(rig.commands.last == .request(.transport(.toggle)) && rig.model.overlay != nil)
  }

  @Test func `a command line opens the editor, which needs an output`() throws {
    var rig = ScreenRig()
    rig.type(":equalizer")
    rig.press(.enter)
    #expect(rig.requests == [.report(nil)])
    rig.answer(EqualiserReport(output: nil, chosen: nil, isBypassed: false))
    #expect(rig.model.overlay == nil && rig.model.message?.isError == true)
  }
}

extension ScreenRig {
  /// The requests about the equaliser, in their order.
  fileprivate var requests: [EqualiserRequest] {
    commands.compactMap { command in if case .request(.equaliser(let request)) = command { request } else { nil } }
  }

  /// Answers the last of them; `nil` for an error.
  fileprivate mutating func answer(_ report: EqualiserReport?) {
    guard let request = requests.last else { return }
    perform(model.receive(report, to: request))
  }

  fileprivate mutating func interrupt() { perform(model.interrupt() ?? []) }
}
