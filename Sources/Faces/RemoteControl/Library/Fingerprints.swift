// SPDX-License-Identifier: GPL-3.0-or-later

import AcousticFingerprinting
import SystemPackage
import Tagging

extension CommandTable {
  /// The command that calculates the fingerprint of a song.
  static let fingerprints: [RemoteCommand] = [
    RemoteCommand("getfingerprint", .read, arguments: 1...1, lane: .reading) {
      arguments, context throws(ProtocolError) in
      let tracks = try LibraryTracks(context)
      guard case .file(let name)? = try? tracks.filePath(arguments[0]), let (path, _) = tracks.reach.file(name),
        let fingerprinter = try context.library.fingerprinter
      else { throw ProtocolError(.noExist, "No such song") }
      do throws(FingerprintError) {
        context.response.add("chromaprint", try fingerprinter.fingerprint(of: path))
      } catch {
        throw ProtocolError(.system, error.description)
      }
    }
  ]
}
