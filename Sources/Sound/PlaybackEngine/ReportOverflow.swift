// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore

/// The reports for which the ring to the control thread has no room, because the receiver of the engine's events blocks
/// that thread.
///
/// While it is blocked, it starts no generation and sets no next track. So there are at most a few ends and messages of
/// outputs, none of which is dropped, and a start for each source that was decoded before. Frames that are taken back
/// again and again, as by changes of the volume, are merged: the starts that they void are removed, and one report
/// covers later ones of the same frames. Should there still be too many, the oldest report of a start, a pause or a
/// resumption is dropped: the next one says what is audible by then.
struct ReportOverflow {
  /// The number of reports from which on some are dropped.
  static let capacity = 64

  private(set) var reports: [RenderReport] = []

  init() { reports.reserveCapacity(Self.capacity) }

  /// Adds `report` behind all others.
  mutating func add(_ report: RenderReport) {
    if report.kind == .takenBack {
      reports.removeAll { $0.isVoided(by: report) }
      if reports.contains(where: { $0.covers(report) }) { return }
    }
    if reports.count >= Self.capacity, let oldest = reports.firstIndex(where: \.isAboutAudibleFrame) {
      reports.remove(at: oldest)
    }
    reports.append(report)
  }

  /// Moves reports to `ring`, in order, as far as it has room. Returns whether all were moved.
  mutating func flush(to ring: ReportRing<RenderReport>) -> Bool {
    let count = reports.firstIndex { !ring.push($0) } ?? reports.count
    reports.removeFirst(count)
    return reports.isEmpty
  }
}

extension RenderReport {
  /// Whether the report says that a source starts, or resumes.
  var isStart: Bool {
    switch kind {
    case .started, .resumed: true
    case .held, .drained, .takenBack, .message: false
    }
  }

  /// Whether the frame with which a source starts or resumes was taken back, as `report` says.
  func isVoided(by report: RenderReport) -> Bool {
    isStart && generation == report.generation && number >= report.number
  }

  /// Whether this report, which was made before `later`, says that the same frames were taken back.
  fileprivate func covers(_ later: RenderReport) -> Bool {
    kind == .takenBack && generation == later.generation && number <= later.number
  }

  /// Whether a later report of the same kind says more.
  fileprivate var isAboutAudibleFrame: Bool { isStart || kind == .held }
}
