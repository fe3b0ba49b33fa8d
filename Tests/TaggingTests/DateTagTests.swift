// SPDX-License-Identifier: GPL-3.0-or-later

import MusicModel
import Testing

@testable import Tagging

/// The date when a recording first came out, and that of the edition.
@Suite struct DateTagTests {
  private struct Case: CustomTestStringConvertible {
    let tags: [String: String]
    /// The dates that are shown if the user wants those of the first releases, and those of the editions.
    let shown: (original: String?, release: String?)
    /// The date of the edition, where it is kept apart from the one that is shown.
    let edition: String?

    init(_ tags: [String: String], original: String?, release: String?, edition: String? = nil) {
      (self.tags, shown, self.edition) = (tags, (original, release), edition)
    }

    var testDescription: String { "\(tags)" }
  }

  @Test(arguments: [
    Case(["DATE": "2011", "ORIGINALDATE": "1973-03-01"], original: "1973-03-01", release: "2011", edition: "2011"),
    Case(
      ["DATE": "2011-05-02", "ORIGINALYEAR": "1973"], original: "1973", release: "2011-05-02", edition: "2011-05-02"),
    Case(["YEAR": "2011", "ORIGYEAR": "1973"], original: "1973", release: "2011", edition: "2011"),
    Case(["DATE": "2011", "ORIGINAL RELEASE DATE": "1973"], original: "1973", release: "2011", edition: "2011"),
    Case(["DATE": "1973", "ORIGINALDATE": "1973"], original: "1973", release: "1973", edition: "1973"),
    Case(["ORIGINALDATE": "0000", "ORIGINALYEAR": "1973", "DATE": "x"], original: "1973", release: "1973"),
    Case(["DATE": "2011", "ORIGINALDATE": "unknown"], original: "2011", release: "2011", edition: "2011"),
    Case(["DATE": "1973", "RELEASEDATE": "2011"], original: "1973", release: "2011", edition: "2011"),
    Case(
      ["DATE": "1975", "RELEASE_DATE": "2011", "ORIGINALYEAR": "1973"], original: "1973", release: "2011",
      edition: "2011"),
    Case(["DATE": "2011"], original: "2011", release: "2011"),
    Case(["RELEASEDATE": "2011"], original: "2011", release: "2011", edition: "2011"),
    Case([:], original: nil, release: nil),
  ])
  private func `Dates of first releases and of editions are kept apart`(_ dates: Case) throws {
    var fields = TagFields()
    for (name, value) in dates.tags { fields.append(value, to: name) }
    #expect(fields.shownDate(by: .original)?.text == dates.shown.original)
    #expect(fields.shownDate(by: .release)?.text == dates.shown.release)
    #expect(AdditionalTags(fields)[.releaseDate] == (dates.edition.map { [$0] } ?? []))
    let json = TagJSON.text(fields).map { AdditionalTags(json: $0) }
    #expect(json ?? AdditionalTags() == AdditionalTags(fields))
  }

  @Test func `The date of a first release is known by one name, whatever a program calls it`() {
    for name in ["ORIGINALDATE", "ORIGINAL_DATE", "ORIGINALYEAR", "ORIGYEAR", "ORIGINAL RELEASE YEAR"] {
      var fields = TagFields()
      fields.append("1973", to: name)
      #expect(AdditionalTags(fields)[.originalDate] == ["1973"])
    }
    var fields = TagFields()
    fields.append("1973", to: "ORIGINALYEAR")
    fields.append("1973-03-01", to: "ORIGINALDATE")
    #expect(AdditionalTags(fields)[.originalDate] == ["1973-03-01"])
  }
}
