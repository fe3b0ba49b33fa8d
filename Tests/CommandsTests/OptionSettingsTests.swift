// SPDX-License-Identifier: GPL-3.0-or-later

import ArgumentParser
import Foundation
import MusicModel
import PlayerFlow
import PlayerPort
import SystemPackage
import Tagging
import Testing

@testable import Commands
@testable import UserSettings

/// Command-line options and the settings that they override.
struct OptionSettingsTests {
  private static let file = FileSettings(
    "buffer = 400\nrate = 48000\nreplay-gain = \"album\"\ncrossfade-albums = true\n", location: "config.toml",
    commands: [])

  private static let readme =
    (try? String(
      contentsOf: URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("README.md"),
      encoding: .utf8)) ?? ""

  private static func options(_ words: String...) throws -> PlayerOptions {
    try #require(try SegueCommand.parseAsRoot(["play", "x"] + words) as? PlayCommand).options
  }

  @Test func `Options override the environment, which overrides the file, which overrides the defaults`() throws {
    let environment = ["SEGUE_RATE": "44100", "SEGUE_REPLAY_GAIN": "track"]
    let settings = Settings(file: Self.file, environment: { environment[$0] })
      .overriding(with: try Self.options("--replay-gain", "auto").given)
    #expect(settings.problems.isEmpty)
    #expect(
      settings[.replayGain] == .text("auto") && settings.origin(of: .replayGain) == .option("--replay-gain"))
    #expect(settings[.rate] == .integer(44100) && settings.origin(of: .rate) == .environment("SEGUE_RATE"))
    #expect(settings[.buffer] == .integer(400) && settings.origin(of: .buffer) == .file(line: 1))
    #expect(settings[.depth] == nil && settings.origin(of: .depth) == .default)
  }

  @Test func `A starting player fills missing options from the settings`() throws {
    let settings = Settings(file: Self.file, environment: { _ in nil })
    let filled = try Self.options("--buffer", "100", "--no-crossfade-albums", "--volume", "7").filled(
      from: settings)
    #expect(filled.buffer == 100 && filled.rate == 48000 && filled.replayGain == "album")
    #expect(filled.crossfadeAlbums == false && filled.volume == 7 && filled.output == nil)
    // The setting alone is not an error, unlike the option alone.
    #expect(try Self.options().filled(from: settings).crossfadeAlbums == nil)
    #expect(try Self.options("--crossfade", "2").filled(from: settings).crossfadeAlbums == true)
  }

  @Test func `The library may be several directories, by option, variable or file`() throws {
    let file = FileSettings("library = [\"~/Music\", \"/srv/a:b\"]", location: "c", commands: [])
    let settings = Settings(file: file, environment: { _ in nil })
    #expect(settings[.library] == .paths(["~/Music", "/srv/a:b"]) && settings.library.paths.count == 2)
    #expect(settings.library.paths.last == "/srv/a:b")
    let fromEnvironment = Settings(file: file, environment: { $0 == "SEGUE_LIBRARY" ? "/a::b c:" : nil })
    #expect(fromEnvironment[.library] == .paths(["/a", "b c"]))
    #expect(Settings(file: nil, environment: { $0 == "SEGUE_LIBRARY" ? ":" : nil }).problems.count == 1)
    let overridden = try fromEnvironment.overriding(with: Self.options("--library", "/x", "--library", "y:z").given)
    #expect(overridden[.library] == .paths(["/x", "y:z"]) && overridden.origin(of: .library) == .option("--library"))
    for text in ["library = []", "library = [\"/a\", 1]", "library = [\"/a\", \"b\"]", "library = true"] {
      let invalid = FileSettings(text, location: "c", commands: [])
      #expect(invalid.values.isEmpty && invalid.problems.count == 1)
    }
  }

  @Test func `Every option in the settings table is a player option`() throws {
    let help = PlayCommand.helpMessage()
    for option in SettingsTable.all.compactMap(\.option) {
      #expect(help.contains("\(option) ") || help.contains("\(option)/"), "\(option)")
    }
  }

  @Test func `The example in the README is valid`() throws {
    let start = try #require(Self.readme.range(of: "```toml\n"))
    let end = try #require(Self.readme.range(of: "```", range: start.upperBound..<Self.readme.endIndex))
    let file = FileSettings(
      String(Self.readme[start.upperBound..<end.lowerBound]), location: "README.md", commands: CommandName.all)
    #expect(
      file.problems.isEmpty && file.values.count > 4 && !file.bindings.isEmpty && !file.aliases.isEmpty,
      "\(file.problems)")
  }

  @Test func `The defaults equal those of the player`() throws {
    let noOptions = try #require(try SegueCommand.parseAsRoot(["play"]) as? PlayCommand).options
    let defaults = Settings().overriding(
      with: Dictionary(
        uniqueKeysWithValues: SettingsTable.all.compactMap { setting in
          setting.option == nil ? nil : setting.defaultValue.map { (setting.name, $0) }
        }))
    let filled = noOptions.filled(from: defaults)
    let changes = try PlaybackOptions(filled)
    #expect(changes.replayGain(ReplayGainSettings()) == ReplayGainSettings() && changes.crossfade == 0)
    #expect(filled.onFormatChange == "reopen" && filled.pauseOnLoss == false)
  }
}
