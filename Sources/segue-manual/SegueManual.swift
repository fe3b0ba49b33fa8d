// SPDX-License-Identifier: GPL-3.0-or-later

import ArgumentParser
import Commands
import Platform

/// Prints a page of the manual in mdoc(7). It is used where packages are made, and not installed.
@main
struct SegueManual: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "segue-manual", abstract: "Print a page of the manual of segue.")

  @Argument(help: "Page: segue, segue-config or segue-protocol.") var page = WrittenPage.segue

  func run() throws {
    guard let text = page == .segue ? ManualPage()?.text : page.text else {
      throw ValidationError("cannot read the descriptions of the commands")
    }
    try StandardStream.output.write(text + "\n")
  }
}

/// A manual page whose mdoc(7) source is a file in the directory `Pages`. Lines such as `{settings}` are replaced by
/// generated tables.
enum WrittenPage: String, CaseIterable, ExpressibleByArgument {
  /// The part of segue(1) that is not generated from the help of commands.
  case segue
  /// The page segue-config(5): settings, environment and files.
  case config = "segue-config"
  /// The page segue-protocol(7): how the server differs from MPD.
  case `protocol` = "segue-protocol"

  /// The lines of the source, with tables inserted.
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

  /// The section of the manual that contains the page.
  private var section: Int {
    switch self {
    case .segue: 1
    case .config: 5
    case .protocol: 7
    }
  }

  var text: String {
    let title = [".Dd \(ProgramHelp.releaseDay)", ".Dt \(rawValue.uppercased()) \(section)", ".Os"]
    return (title + lines).joined(separator: "\n")
  }

  private static let tables: [String: @Sendable () -> [String]] = [
    "{settings}": { ManualParts.settings },
    "{keys}": { ManualParts.keys },
    "{environment}": { ManualText.list(ManualParts.environment.map { ("Ev " + $0, $1) }) },
    "{files}": { ManualText.list(ManualParts.files.map { ("Pa " + ManualText.argument($0), $1) }) },
  ]
}
