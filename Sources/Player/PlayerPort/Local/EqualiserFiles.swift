// SPDX-License-Identifier: GPL-3.0-or-later

import Equalising
import FoundationEssentials
import Platform
import PlayerFlow
package import SystemPackage
import UnicodeText

/// The profiles of the equaliser, as files in a directory, a file with the outputs to which they belong, and one with
/// the levels of crossfeed of outputs.
package struct EqualiserFiles {
  private static let suffix = ".txt"
  private static let bindingsName: FilePath.Component = "outputs.json"
  private static let crossfeedsName: FilePath.Component = "crossfeed.json"
  /// The maximum size of a file with outputs, in bytes.
  private static let outputsLimit = 1 << 18

  let directory: FilePath

  /// The names of the profiles, sorted.
  var names: [String] { Self.names(in: directory) }

  /// Returns the names of the profiles in a directory, sorted.
  package static func names(in directory: FilePath) -> [String] {
    let entries = (try? DirectoryListing(of: directory))?.entries ?? []
    return entries.map(\.name.string).filter { $0.hasSuffix(Self.suffix) }.map { String($0.dropLast(suffix.count)) }
      .filter { (try? Self.check($0)) != nil }.sorted()
  }

  /// Throws an error unless `name` can be the name of a profile.
  static func check(_ name: String) throws(PlayerError) {
    let isValid =
      !name.isEmpty && name.utf8.count <= 100 && !name.hasPrefix(".") && name != "off"
      && !name.unicodeScalars.contains { $0 == "/" || $0.properties.generalCategory == .control }
    guard !isValid else { return }
    throw PlayerError(
      .usage, "invalid name of a profile \"\(name.brief)\": use 1 to 100 bytes, no slash, no dot in front, and not off")
  }

  private func path(_ name: String) -> FilePath { directory.appending(name + Self.suffix) }

  /// Returns the text of a profile.
  func text(_ name: String) throws(PlayerError) -> String {
    try Self.check(name)
    let path = path(name)
    let bytes: [UInt8]?
    do throws(Errno) { bytes = try AtomicFile.read(path, limit: EqualiserReader.byteLimit) } catch {
      let reason =
        error == .fileTooLarge ? "has more than \(EqualiserReader.byteLimit) bytes" : "cannot be read: \(error)"
      throw PlayerError(.failure, "the profile \(path.shown) \(reason)")
    }
    guard let bytes else {
      let names = names
      let others =
        names.isEmpty ? "`segue equalizer import FILE` adds one" : "there are \(names.joined(separator: ", "))"
      throw PlayerError(.notFound, "there is no profile \"\(name.brief)\"; \(others)")
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns the contents of a profile.
  func read(_ name: String) throws(PlayerError) -> EqualiserReading {
    EqualiserReader.read(try text(name))
  }

  /// Stores a profile.
  func write(_ name: String, _ text: String) throws(PlayerError) {
    try Self.check(name)
    try store(text, in: path(name))
  }

  /// Deletes a profile.
  func delete(_ name: String) throws(PlayerError) {
    _ = try text(name)
    do throws(Errno) { try AtomicFile.remove(path(name)) } catch {
      throw PlayerError(.failure, "the profile \(path(name).shown) cannot be deleted: \(error)")
    }
  }

  private func store(_ text: String, in path: FilePath) throws(PlayerError) {
    do throws(Errno) { try AtomicFile.write(text.utf8, to: path) } catch {
      throw PlayerError(.failure, "cannot write \(path.shown): \(error)")
    }
  }

  // MARK: Outputs

  /// Returns the names of the profiles, by the names of their outputs.
  func bindings() throws(PlayerError) -> [String: String] { try values(in: Self.bindingsName, "names") }

  /// Returns the levels of crossfeed, by the names of their outputs.
  func crossfeeds() throws(PlayerError) -> [String: Crossfeed] {
    try values(in: Self.crossfeedsName, "levels (\(Crossfeed.allCases.map(\.rawValue).joined(separator: ", ")))")
  }

  private func values<Value: Decodable>(
    in file: FilePath.Component, _ kind: String
  ) throws(PlayerError) -> [String: Value] {
    let path = directory.appending(file)
    do {
      guard let bytes = try AtomicFile.read(path, limit: Self.outputsLimit) else { return [:] }
      return try JSONDecoder().decode([String: Value].self, from: Data(bytes))
    } catch {
      let reason = (error as? Errno)?.description ?? "it is no JSON object of \(kind)"
      throw PlayerError(.failure, "cannot read \(path.shown): \(reason); correct or remove it")
    }
  }

  /// Stores the names of the profiles, by the names of their outputs.
  func store(_ bindings: [String: String]) throws(PlayerError) {
    try store(JSONLine.text(bindings), in: directory.appending(Self.bindingsName))
  }

  /// Stores the levels of crossfeed, by the names of their outputs.
  func store(_ crossfeeds: [String: Crossfeed]) throws(PlayerError) {
    try store(JSONLine.text(crossfeeds), in: directory.appending(Self.crossfeedsName))
  }

  /// Returns the profiles and the levels of crossfeed by the names of their outputs, and what is wrong with those that
  /// cannot be read.
  func contents() -> (profiles: [String: NamedEqualiser], crossfeeds: [String: Crossfeed], problems: [String]) {
    var (profiles, crossfeeds, problems): ([String: NamedEqualiser], [String: Crossfeed], [String]) = ([:], [:], [])
    do throws(PlayerError) { crossfeeds = try self.crossfeeds() } catch { problems.append(error.message) }
    do throws(PlayerError) {
      for (output, name) in try bindings().sorted(by: { $0.key < $1.key }) {
        do throws(PlayerError) {
          profiles[output] = NamedEqualiser(name: name, profile: try read(name).profile)
        } catch {
          problems.append("the equalizer is off on \(output): \(error.message)")
        }
      }
    } catch { problems.append(error.message) }
    return (profiles, crossfeeds, problems)
  }
}
