// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import SystemPackage
import TestSupport
import Testing

extension ProgramTests {
  /// The recipes of package managers, containers and CI, and the archive of the programs.
  @Suite struct Recipes {
    private let playground: Playground

    init() throws { playground = try Playground(isScanned: false) }

    private static let formula = "Tests/Packaging/homebrew/segue.rb"
    private static let archRecipe = "Tests/Packaging/arch/PKGBUILD"
    private static let nixExpression = "Tests/Packaging/nix/default.nix"
    private static let containerfile = "Tests/Packaging/Containerfile"
    private static let archiveScript = "Tests/Packaging/build-tarball"
    private static let workflows = [".github/workflows/ci.yml", ".github/workflows/release.yml"]

    private static let hasYAML = (try? Tool.run("python3", ["-c", "import yaml"])) != nil

    /// Returns the text of the file at `path` in the directory of the package.
    private static func text(_ path: String) throws -> String {
      String(decoding: try contents(of: Playground.root.appending(path)), as: UTF8.self)
    }

    /// The version that the program prints.
    private var version: String {
      get throws { try playground.segue("--version").output.trimmingCharacters(in: .whitespacesAndNewlines) }
    }

    @Test func `All recipes have the version of the program`() throws {
      let version = try version
      #expect(!version.isEmpty)
      for (recipe, declaration) in [
        (Self.formula, "  url \"https://segue.invalid/segue-\(version).tar.gz\"\n"),
        (Self.archRecipe, "\npkgver=\(version)\n"),
        (Self.nixExpression, "  version = \"\(version)\";\n"),
        ("Tests/Packaging/debian/changelog", "segue (\(version)) "),
        ("Tests/Packaging/desktop/io.github.segue_player.segue.metainfo.xml", "<release version=\"\(version)\" "),
        // The notes of a release are this section.
        (".github/CHANGELOG.md", "\n## \(version), "),
      ] { #expect(try Self.text(recipe).contains(declaration), "\(recipe)") }
    }

    @Test func `Every file that a recipe names is in the tree`() throws {
      for recipe in [
        Self.formula, Self.archRecipe, Self.nixExpression, Self.containerfile, Self.archiveScript,
      ] + Self.workflows {
        let paths = try Self.text(recipe).matches(of: #/(?:\.ci|\.github|Sources|Tests)(?:\/[\w.\-]*\w)+/#)
          .map { String($0.output) }
        #expect(!paths.isEmpty, "\(recipe)")
        for path in paths {
          #expect(
            FileManager.default.fileExists(atPath: Playground.root.appending(path).string), "\(recipe): \(path)")
        }
      }
    }

    @Test func `The formula has every library that Package.swift takes from Homebrew`() throws {
      let formula = try Self.text(Self.formula)
      let names = try Self.text("Package.swift").matches(of: /brew: "(?<name>[^"]+)"/)
        .map { String($0.output.name) }
      #expect(names.contains("libao"))
      for name in names {
        #expect(
          formula.contains("depends_on \"\(name)\"\n") || formula.contains("uses_from_macos \"\(name)\"\n"),
          "\(name)")
      }
    }

    @Test func `The shells read the scripts, and the recipe for Arch Linux has its functions`() throws {
      let recipe = Playground.root.appending(Self.archRecipe)
      let read = try playground.shell("bash -n '\(recipe)' && . '\(recipe)' && declare -F prepare build check package")
      #expect(read.lines == ["prepare", "build", "check", "package"], "\(read.errors)")
      for script in ["build-deb", "build-tarball", "install"] {
        let path = Playground.root.appending("Tests/Packaging").appending(script)
        let read = try playground.shell("sh -n '\(path)'")
        #expect(read.status == 0 && read.errors.isEmpty, "\(read.errors)")
      }
    }

    @Test(.enabled(if: Tool.exists("ruby"), "ruby is not installed"))
    func `Ruby reads the formula`() throws {
      try Tool.run("ruby", ["-c", Playground.root.appending(Self.formula).string])
    }

    @Test(.enabled(if: Recipes.hasYAML, "PyYAML is not installed"))
    func `The workflows are YAML, and have jobs`() throws {
      for workflow in Self.workflows {
        let program = "import sys, yaml; print(len(yaml.safe_load(open(sys.argv[1]))['jobs']))"
        let jobs = try Tool.run("python3", ["-c", program, Playground.root.appending(workflow).string])
        #expect(String(decoding: jobs, as: UTF8.self) == "2\n", "\(workflow)")
      }
    }

    @Test func `The archive has the manual and the units, and its program runs`() throws {
      let version = try version
      let script = Playground.root.appending(Self.archiveScript)
      let built = try playground.shell(
        """
        XZ_OPT=-0 '\(script)' --prebuilt "$(dirname "$SEGUE")" archives && mkdir root &&
        tar -C root --strip-components=1 -xf archives/segue-\(version)-linux-$(uname -m).tar.xz
        """)
      #expect(built.status == 0, "\(built.errors)")
      let root = playground["root"]
      for part in [
        "bin/segue-decode", "lib/systemd/user/segue.socket", "share/applications/segue.desktop",
        "share/bash-completion/completions/segue", "share/doc/segue/LICENSE", "share/doc/segue/copyright",
        "share/fish/vendor_completions.d/segue.fish", "share/icons/hicolor/scalable/apps/segue.svg",
        "share/zsh/site-functions/_segue",
      ] { #expect(FileManager.default.fileExists(atPath: "\(root)/\(part)"), "\(part)") }
      #expect(try playground.shell("root/bin/segue --version").output == "\(version)\n")
      let pages = try playground.shell("man -M '\(root)/share/man' -w segue segue-decode segue-config segue-protocol")
      #expect(pages.lines.count == 4, "\(pages.errors)")
      let unit = try playground.shell("grep ^ExecStart= root/lib/systemd/user/segue.service")
      #expect(unit.output == "ExecStart=/usr/local/bin/segue serve\n", "\(unit.errors)")
    }
  }
}
