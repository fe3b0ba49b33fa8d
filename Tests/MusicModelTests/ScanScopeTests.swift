// SPDX-License-Identifier: GPL-3.0-or-later

import MusicModel
import SystemPackage
import Testing

@Suite struct ScanScopeTests {
  private func directories(_ paths: FilePath...) -> ScanScope { .directories(Set(paths)) }

  private func union(_ first: ScanScope, _ second: ScanScope) -> ScanScope {
    var scope = first
    scope.formUnion(second)
    return scope.simplified
  }

  @Test func `The union of everything and a part is everything`() {
    #expect(union(.everything, directories("/m")) == .everything)
    #expect(union(directories("/m"), .everything) == .everything)
  }

  @Test func `A directory below another one is dropped`() {
    #expect(union(directories("/m/a/b"), directories("/m/a", "/m/c")) == directories("/m/a", "/m/c"))
    #expect(union(directories("/m/a"), directories("/m/ab")) == directories("/m/a", "/m/ab"))
    #expect(union(directories("/m"), directories("/")) == directories("/"))
  }

  @Test func `A scope that rereads files keeps doing so in a union`() {
    let again = ScanScope.rereading(directories("/m/a"))
    #expect(union(again, directories("/m/b")) == .rereading(directories("/m/a", "/m/b")))
    #expect(union(directories("/m"), again) == .rereading(directories("/m")))
    #expect(union(again, .everything) == .rereading(.everything))
    #expect(ScanScope.rereading(.rereading(.everything)).changedOnly == .everything)
    #expect(again.contains(directories("/m/a/b")) && again.contains(.rereading(directories("/m/a"))))
    #expect(!directories("/m/a").contains(again) && !ScanScope.everything.contains(again))
  }

  @Test func `A scope contains its directories and those below them`() {
    #expect(directories("/m/a").contains(directories("/m/a/b", "/m/a")))
    #expect(!directories("/m/a").contains(directories("/m/ab")))
    #expect(!directories("/m").contains(.everything))
    #expect(ScanScope.everything.contains(directories("/m")))
  }
}
