// SPDX-License-Identifier: GPL-3.0-or-later

import ALSAPlayback
import AcousticFingerprinting
import Commands
import DatabaseFiles
import FourierTransform
import HelperDecoding
import LibraryIndex
import Logging
import Network
import Platform
import PulsePlayback
import QueueStorage
import SndfileDecoding
import SystemPackage
import TimeStretching
import UnicodeText

/// The services that check the installation.
extension Segue {
  static func diagnosisServices() -> DiagnosisServices {
    DiagnosisServices(
      libraries: {
        [
          ("libsndfile", SndfileDecoder.libraryVersion), ("SQLite", DatabaseReport.libraryVersion),
          ("libpulse", PulseServer.libraryVersion), ("libasound", SoundCard.libraryVersion),
          ("FFTW", FourierTransform.libraryVersion), ("libcurl", HTTPClient.libraryVersion),
          ("libchromaprint", AcousticFingerprinter.libraryVersion),
          ("Rubber Band", TimeStretcher.isAvailable ? "installed" : nil),
          ("segue-decode", helpers.isInstalled ? "installed" : nil),
        ]
      },
      checkIndex: { directory in
        let (path, report) = LibraryIndex.report(in: directory)
        return (path, report.map(StoredFileReport.init))
      },
      checkState: { directory in
        QueueDirectory.reports(in: directory).map { ($0.path, $0.report.map(StoredFileReport.init)) }
      })
  }
}

extension StoredFileReport {
  fileprivate init(_ report: DatabaseReport) {
    self.init(byteCount: report.byteCount, version: report.version, problem: report.problem)
  }
}

/// A log handler that appends messages to a file, one line each. Each line begins with the milliseconds since logging
/// started.
struct FileLogHandler: LogHandler {
  var metadata: Logger.Metadata = [:]
  var logLevel: Logger.Level = .info

  private let file: FileDescriptor
  private let start = MonotonicInstant.now

  /// Creates a handler that appends to the file at `path`. The file is created if it does not exist.
  init(path: FilePath) throws {
    file = try FileDescriptor.open(
      path, .writeOnly, options: [.append, .create, .closeOnExec], permissions: [.ownerReadWrite])
  }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    let milliseconds = (MonotonicInstant.now.nanoseconds - start.nanoseconds) / 1_000_000
    let line = "\(milliseconds) ms \(event.level) \(AddressSecrets.removed(from: "\(event.message)"))".safeForTerminal
    // A log that cannot be written must not stop playback.
    _ = try? file.writeAll((line + "\n").utf8)
  }
}
