// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import DecodingProtocol
import Platform

/// Decodes what a source says of itself. A few words may not show their encoding; what the source has said before then
/// decides.
struct SourceTextDecoder {
  /// The number of bytes to store of what the source has said.
  private static let historyLimit = 4_096
  private static let lineBreak: UInt8 = 0x0A

  /// What the source has said that is not UTF-8, one line each.
  private var history: ArraySlice<UInt8> = []

  /// Returns the text of `names`, which the source says now.
  mutating func text(of names: SourceNames) -> SourceText {
    let all = [names.station, names.title, names.album, names.chapter] + names.artists
    let encoding = encoding(of: all.filter { String(validating: $0, as: UTF8.self) == nil })
    let text = { (name: [UInt8]) -> String? in
      let text = String(validating: name, as: UTF8.self) ?? LegacyText.decode(name, as: encoding)
      let printable = text.withoutControls
      return printable.isEmpty ? nil : printable
    }
    return SourceText(
      station: text(names.station), title: text(names.title), artists: names.artists.compactMap(text),
      album: text(names.album), chapter: text(names.chapter))
  }

  /// Returns the encoding of `names`, none of which is in UTF-8.
  private mutating func encoding(of names: [[UInt8]]) -> LegacyText.Encoding {
    guard !names.isEmpty else { return .utf8 }
    let present = Array(names.joined(separator: [Self.lineBreak]))
    history = (history + [Self.lineBreak] + present).suffix(Self.historyLimit)
    let own = LegacyText.encoding(of: present)
    return own == .windows1252 ? LegacyText.encoding(of: history) : own
  }
}
