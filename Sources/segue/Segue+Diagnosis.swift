// SPDX-License-Identifier: GPL-3.0-or-later

import ALSAPlayback
import Commands
import DatabaseFiles
import HelperDecoding
import LibraryIndex
import PulsePlayback
import QueueStorage
import SndfileDecoding

/// The services that check the installation.
extension Segue {
  static func diagnosisServices() -> DiagnosisServices {
    DiagnosisServices(
      libraries: {
        [
          ("libsndfile", SndfileDecoder.libraryVersion), ("SQLite", DatabaseReport.libraryVersion),
          ("libpulse", PulseServer.libraryVersion), ("libasound", SoundCard.libraryVersion),
          ("segue-decode", helpers.isInstalled ? "installed" : nil),
        ]
      },
      checkIndex: { directory in
        let (path, report) = LibraryIndex.report(in: directory)
        return (path, report.map(StoredFileReport.init))
      },
      checkState: { directory in
        let (path, report) = StateDatabase.report(in: directory)
        return (path, report.map(StoredFileReport.init))
      })
  }
}

extension StoredFileReport {
  fileprivate init(_ report: DatabaseReport) {
    self.init(byteCount: report.byteCount, version: report.version, problem: report.problem)
  }
}
