// SPDX-License-Identifier: GPL-3.0-or-later

import Equalising
import PlayerPort

extension PlayerContract {
  /// Changes the equaliser of `player`, which has no profiles and no output.
  static func violationsOfEqualiser(_ player: any PlayerPort) -> [String] {
    var violations: [String] = []
    func expect(_ isRight: Bool, line: Int = #line) { if !isRight { violations.append("line \(line): equaliser") } }
    func send(_ request: EqualiserRequest) throws(PlayerError) -> EqualiserReport {
      guard case .equaliser(let report) = try player.send(.equaliser(request)).result else { throw .unexpectedReply }
      return report
    }
    func fails(_ request: EqualiserRequest, _ status: ExitStatus, line: Int = #line) {
      do throws(PlayerError) {
        _ = try send(request)
        violations.append("line \(line): \(request) does not fail")
      } catch {
        if error.status != status { violations.append("line \(line): \(error)") }
      }
    }
    let text = "# mine\nPreamp: -3 dB\nFilter 1: ON PK Fc 100 Hz Gain 2 dB Q 1\nnonsense\n"
    do throws(PlayerError) {
      let empty = try send(.report(nil))
      expect(empty.output == nil && empty.profiles.isEmpty && empty.shown == nil && !empty.isBypassed)
      let reply = try player.send(.equaliser(.store("Élan", text: text, replaces: false)))
      expect(reply.warnings == ["Élan, line 4: no colon in \"nonsense\""])
      let listed = try send(.report(nil)).profiles
      expect(listed.map(\.name) == ["Élan"] && listed.first?.outputs == [])
      let used = try send(.use("Élan", output: "pulse:desk"))
      expect(used.profiles.map(\.outputs) == [["pulse:desk"]])
      expect(used.shown?.profile.preamp == -3 && used.shown?.profile.filters.map(\.gain) == [2])
      let edited = try send(.edit(.filter(1, gain: -4, frequency: 200, q: nil), in: "Élan"))
      expect(edited.shown?.profile.filters == [EqualiserFilter(.peak, 200, gain: -4, .q(1))])
      expect(try send(.edit(.filter(2, gain: 1, frequency: nil, q: 2), in: "Élan")).shown?.profile.filters.count == 2)
      expect(try send(.edit(.preamp(nil), in: "Élan")).shown?.profile.preamp == nil)
      expect(try send(.report("Élan")).shown?.profile.filters.count == 2)
      let whole = EqualiserProfile(preamp: -1, filters: [EqualiserFilter(.notch, 50, .octaves(0.5))])
      expect(try send(.edit(.all(whole), in: "Élan")).shown?.profile == whole)
      let created = try send(.create(whole, output: "pulse:tv"))
      expect(created.shown?.name == "Bands" && created.shown?.profile == whole)
      expect(created.shown?.approximationError == nil)
      expect(created.profiles.first { $0.name == "Bands" }?.outputs == ["pulse:tv"])
      expect(try send(.create(whole, output: "pulse:hall")).shown?.name == "Bands 2")
      fails(.create(whole, output: "pulse:tv"), .failure)
      _ = try send(.delete("Bands 2"))
      expect(try send(.delete("Bands")).profiles.map(\.name) == ["Élan"])
      expect(try send(.bypass(nil)).isBypassed)
      expect(try send(.report(nil)).isBypassed)
      expect(try !send(.bypass(nil)).isBypassed)
      expect(try !send(.bypass(false)).isBypassed)
      expect(try send(.use(nil, output: "pulse:desk")).profiles.first?.outputs == [])
      expect(try send(.crossfeed(.chuMoy, output: "pulse:desk")).crossfeeds == ["pulse:desk": .chuMoy])
      expect(try send(.crossfeed(.meier, output: "pulse:head")).crossfeeds.count == 2)
      expect(try send(.crossfeed(nil, output: "pulse:desk")).crossfeeds == ["pulse:head": .meier])
    } catch {
      violations.append("the equaliser: \(error)")
    }
    fails(.report("other"), .notFound)
    fails(.use("other", output: "x"), .notFound)
    fails(.use("Élan", output: nil), .noPlayer)
    fails(.crossfeed(.meier, output: nil), .noPlayer)
    fails(.edit(.preamp(0), in: nil), .noPlayer)
    fails(.edit(.filter(0, gain: 1, frequency: nil, q: nil), in: "Élan"), .notFound)
    fails(.edit(.filter(4, gain: 1, frequency: nil, q: nil), in: "Élan"), .notFound)
    fails(.store("Élan", text: text, replaces: false), .failure)
    fails(.store("new", text: "nothing", replaces: false), .usage)
    for name in ["", "off", "../x", ".x", "a\nb", String(repeating: "x", count: 101)] {
      fails(.store(name, text: text, replaces: true), .usage)
      fails(.report(name), .usage)
    }
    if (try? send(.delete("Élan")))?.profiles.isEmpty != true { violations.append("a profile cannot be deleted") }
    fails(.delete("Élan"), .notFound)
    return violations
  }
}
