// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Outputs

/// An output that can be chosen.
package struct AvailableOutput: Sendable, Hashable {
  /// The value for `--output`; for an output that needs an argument, a pattern such as `wav:FILE`.
  package var name: String
  /// The description for people.
  package var title: String
  /// Whether this output is tried first if the user names none: the sound server is.
  package var isTriedFirst: Bool { name == "pulse" }

  package init(name: String, title: String) {
    self.name = name
    self.title = title
  }
}

/// A list of outputs, the best first. The first that is available is to be used.
///
/// An entry is the name of an output, as for `--output`; or a part of the description of a sink, after `pulse:`; or,
/// without a colon, a part of the description of any device.
package struct PreferredOutputs: Sendable, Hashable {
  /// The maximum number of entries.
  package static let limit = 32

  private static let sinkPrefix = "pulse:"
  private static let cardPrefix = "alsa-exclusive:"

  /// The entries, without duplicates.
  package let entries: [String]

  /// Creates a list of these entries; of the same ones, the first counts.
  package init(_ entries: [String]) {
    var known: Set<String> = []
    self.entries = entries.filter { known.insert($0).inserted }
  }

  package var isEmpty: Bool { entries.isEmpty }

  /// Returns what is wrong with the entries of a list, and what to do, in one line; `nil` if nothing is.
  package static func problem(of entries: [String]) -> String? {
    guard entries.count <= limit else { return "too many outputs are preferred: name at most \(limit)" }
    return entries.lazy.compactMap(problem).first
  }

  private static func problem(of entry: String) -> String? {
    let head = entry.prefix { $0 != ":" }
    if ["wav", "au", "raw", "fifo"].contains(head) || ["/", "~", "."].contains(entry.prefix(1)) {
      return "\"\(entry)\" is no device: only what can be plugged in can be preferred"
    }
    do throws(OutputError) {
      if case .live(_, let device) = try OutputChoice(parsing: entry), device != nil || head == "ao" {
        return "whether \"\(entry)\" is plugged in is not known: use pulse:SINK or alsa-exclusive:DEVICE"
      }
      return nil
    } catch {
      return error.description
    }
  }

  /// Returns the names of the outputs that an entry means: that with this name, or else those with this in their
  /// descriptions.
  private static func names(_ entry: String, among available: [AvailableOutput]) -> [String] {
    if available.contains(where: { $0.name == entry }) { return [entry] }
    let isSink = entry.hasPrefix(sinkPrefix)
    guard isSink || !entry.contains(":") else { return [] }
    let text = (isSink ? entry.dropFirst(sinkPrefix.count) : entry[...]).lowercased()
    return available.filter { output in
      (output.name.hasPrefix(sinkPrefix) || !isSink && output.name.hasPrefix(cardPrefix))
        && output.title.lowercased().contains(text)
    }.map(\.name)
  }

  /// Returns the name of the first output of the list that is available and not one of `refused`; `nil` if there is
  /// none. If an entry means several, it is `current` if that is one of them.
  func first(
    among available: [AvailableOutput], except refused: Set<String> = [], preferring current: String? = nil
  ) -> String? {
    for entry in entries {
      let names = Self.names(entry, among: available).filter { !refused.contains($0) }
      if let name = names.first(where: { $0 == current }) ?? names.first { return name }
    }
    return nil
  }

  /// Returns the number of the entry, counted from 1, that means the output `name`; `nil` if there is none.
  package func number(of name: String, among available: [AvailableOutput]) -> Int? {
    entries.firstIndex { Self.names($0, among: available).contains(name) }.map { $0 + 1 }
  }

  /// Returns the numbers of the entries, counted from 1, that mean no available output, with the entries.
  package func missing(among available: [AvailableOutput]) -> [(number: Int, entry: String)] {
    entries.enumerated().filter { Self.names($1, among: available).isEmpty }.map { ($0 + 1, $1) }
  }
}
