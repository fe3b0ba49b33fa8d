// SPDX-License-Identifier: GPL-3.0-or-later

import ArgumentParser
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
