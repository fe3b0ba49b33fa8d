// SPDX-License-Identifier: GPL-3.0-or-later

import CueSheets
import MusicModel
import Platform
import SystemPackage
import Tagging

/// The audio files in a directory that has cue sheets, from the directory's listing.
struct SiblingFiles {
  /// The names of all audio files.
  let names: [[UInt8]]
  /// The files that have not changed since they were indexed, by their indexes in `names`.
  let unchanged: [(index: Int, file: IndexedFiles.File, status: FileStatus)]
}

extension ScanWorker {
  /// Applies a directory's cue sheets to its files. Files whose tracks are now different are added to `unread`, and
  /// problems with the sheets to `problems`. Returns the sheets if they differ from those in the index, otherwise
  /// `nil`.
  ///
  /// If neither the sheets nor the files have changed, no sheet is opened.
  ///
  /// - Parameter directories: The subdirectories; a sheet may name files in them as well.
  func apply(
    _ sheets: [SheetFile], stored: [SheetFile], in visit: DirectoryVisit, to files: SiblingFiles,
    directories: [RelativePath], _ unread: inout [UnreadFile], _ problems: inout [FileResult],
    _ found: inout ScanMessage.Listed
  ) throws -> [SheetFile]? {
    let sheetsAreUnchanged =
      sheets.count == stored.count && zip(sheets, stored).allSatisfy { $0.isUnchanged(since: $1) }
    try requestFullScanIfPatternsChanged(from: stored, to: sheets, in: visit)
    let all = sheets
    let sheets = sheets.filter { !$0.isIgnoreFile }
    // If a subdirectory is new, the sheets must be read, because they may name its files.
    let subdirectoriesAreKnown = try directories.allSatisfy { try known?.directory($0) != nil }
    if sheetsAreUnchanged, subdirectoriesAreKnown, unread.isEmpty, found.missing.isEmpty {
      for file in files.unchanged { found.unchangedCount += file.file.trackCount }
      for sheet in sheets { found.problems += try problem(of: sheet, in: visit).map { [$0] } ?? [] }
      return nil
    }
    let sources = sheets.map {
      DirectorySheets.Source(plan.absolute($0.path(in: visit.path)), isInParent: $0.isInParent)
    }
    let applied = DirectorySheets(sources, files: files.names, in: plan.absolute(visit.path))
    for (number, names) in applied.subdirectories {
      for name in names { queue.add(sheet: sheets[number].name, above: visit.path.appending(name)) }
    }
    // If only this directory is read, the directories below it are left to a full scan. The sheets are not stored now,
    // so that the full scan finds them changed.
    let needsFullScan = !sheetsAreUnchanged && visit.id != nil && !plan.readsKnownDirectories && !directories.isEmpty
    if needsFullScan { inbox.post(.needsFullScan) }
    var claims: [[UInt8]: (claim: SheetClaim, sheet: SheetFile)] = [:]
    for (number, indexes) in applied.claimed.enumerated() {
      for index in indexes { claims[files.names[index]] = applied.claims[index].map { ($0, sheets[number]) } }
    }
    for index in unread.indices { unread[index].claim = claims[unread[index].name] }
    for (index, file, status) in files.unchanged {
      let claim = claims[files.names[index]]
      guard claim?.claim.claimHash ?? 0 != file.claimHash else {
        found.unchangedCount += file.trackCount
        continue
      }
      unread.append(
        UnreadFile(
          name: files.names[index], state: FileState(status), status: status, identity: .known(file.id),
          claim: claim))
    }
    let opened = Set(unread.lazy.map(\.name))
    for (number, sheet) in sheets.enumerated() {
      if let reason = applied.problems[number] {
        problems.append(
          FileResult(
            name: sheet.name, state: sheet.state, identity: .new, contents: .problem(reason.description)))
      } else if subdirectoriesAreKnown || applied.subdirectories[number] == nil,
        !applied.claimed[number].contains(where: { opened.contains(files.names[$0]) }),
        let problem = try problem(of: sheet, in: visit)
      {
        // The problem concerns files that are not read again, so it still exists.
        found.problems.append(problem)
      }
    }
    return sheetsAreUnchanged || needsFullScan ? nil : all
  }

  /// Returns the cue sheets in the parent directory that name files in this directory: those that were applied to it
  /// before, and those found by this scan.
  func parentSheets(_ visit: DirectoryVisit, _ stored: [SheetFile]) -> [SheetFile] {
    guard visit.path != .root else { return [] }
    let names = queue.sheets(above: visit.path).union(stored.filter(\.isInParent).map(\.name))
    return names.compactMap { name in
      let unseen = SheetFile(name: name, state: .unknown)
      guard let status = try? FileStatus(of: plan.absolute(unseen.path(in: visit.path))), status.kind == .regular
      else { return nil }
      return SheetFile(name: name, state: FileState(status))
    }
  }

  /// Requests a full scan if the ignore patterns of a known directory have changed, because they also affect the
  /// directories below.
  private func requestFullScanIfPatternsChanged(
    from former: [SheetFile], to present: [SheetFile], in visit: DirectoryVisit
  ) throws {
    guard visit.id != nil, !plan.readsKnownDirectories else { return }
    let (former, present) = (former.first(where: \.isIgnoreFile), present.first(where: \.isIgnoreFile))
    switch (former, present) {
    case (nil, nil): return
    case (let former?, let present?): if present.isUnchanged(since: former) { return }
    default: break
    }
    inbox.post(.needsFullScan)
  }

  /// Returns the row ID of the problem with a cue sheet, if the sheet has not changed since; otherwise `nil`.
  private func problem(of sheet: SheetFile, in visit: DirectoryVisit) throws -> Int64? {
    guard !sheet.isInParent, let problem = try known?.problem(visit.path.appending(sheet.name)),
      sheet.state.isUnchanged(since: problem.state)
    else { return nil }
    return problem.id
  }
}
