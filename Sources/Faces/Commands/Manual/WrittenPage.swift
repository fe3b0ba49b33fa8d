// SPDX-License-Identifier: GPL-3.0-or-later

import ArgumentParser

/// A page of the manual of which the text is a file in the directory `Pages`, in mdoc(7). A line such as `{settings}`
/// stands for a table that the code has.
enum WrittenPage: String, CaseIterable, ExpressibleByArgument {
  /// The part of segue(1) that comes from no command's help.
  case segue
  /// segue-config(5): settings, environment and files.
  case config = "segue-config"
  /// segue-protocol(7): how the server differs from MPD.
  case `protocol` = "segue-protocol"

  /// The lines of the text, with its tables.
  var lines: [String] {
    let bytes =
      switch self {
      case .segue: PackageResources.segue_1
      case .config: PackageResources.segue_config_5
      case .protocol: PackageResources.segue_protocol_7
      }
    let text = String(decoding: bytes, as: UTF8.self)
    return text.split(separator: "\n").flatMap { line in Self.tables[String(line)]?() ?? [String(line)] }
  }

  /// The section of the manual that the page is in.
  private var section: Int {
    switch self {
    case .segue: 1
    case .config: 5
    case .protocol: 7
    }
  }

  /// The source of a whole page.
  var text: String {
    let title = [".Dd \(SegueCommand.releaseDay)", ".Dt \(rawValue.uppercased()) \(section)", ".Os"]
    return (title + lines).joined(separator: "\n")
  }

  private static let tables: [String: @Sendable () -> [String]] = [
    "{settings}": { ManualParts.settings },
    "{keys}": { ManualParts.keys },
    "{environment}": { ManualText.list(ManualParts.environment.map { ("Ev " + $0, $1) }) },
    "{files}": { ManualText.list(ManualParts.files.map { ("Pa " + ManualText.argument($0), $1) }) },
  ]
}
