// SPDX-License-Identifier: GPL-3.0-or-later

import MusicModel
import Platform
import SystemPackage

@testable import CueSheets
@testable import Tagging

enum CueSheetCheck {
  /// Returns the problem in the cue sheet in `bytes`, or in the tracks into which it divides files.
  static func problem(in bytes: [UInt8]) -> String? {
    guard let sheet = try? CueSheet(bytes) else { return nil }
    if sheet != (try? CueSheet(LegacyText.decode(bytes))) { return "read from text, the sheet differs" }
    if !sheet.tracks.contains(where: \.isAudio) { return "no audio track" }
    return problem(of: sheet) ?? TextRules.firstProblem(sheet.tracks) { problem(of: $0, in: sheet) }
      ?? TextRules.firstProblem(sheet.files.indices.prefix(4)) { problem(of: sheet, file: $0) }
  }

  private static func problem(of sheet: CueSheet) -> String? {
    if sheet.problems.count > CueSheet.problemLimit { return "\(sheet.problems.count) problems" }
    if sheet.problems.contains(where: { $0.line < 1 || $0.reason.isEmpty }) { return "a problem in line 0" }
    if Set(sheet.files).count != sheet.files.count { return "a file is listed twice" }
    if sheet.tracks.count > CueSheet.trackNumbers.count { return "\(sheet.tracks.count) tracks" }
    return TextRules.firstProblem(sheet.files) { $0.isEmpty ? "a file without a name" : nil }
      ?? problem(of: sheet.texts)
  }

  private static func problem(of texts: CueSheet.Texts) -> String? {
    let all = [texts.title, texts.performer, texts.songwriter] + texts.remarks.values.map { $0 }
    return TextRules.firstProblem(all) { text in
      text.map { $0.isEmpty || $0.utf8.contains { $0 < 0x20 } } ?? false ? "a text with a control character" : nil
    }
  }

  private static func problem(of track: CueSheet.Track, in sheet: CueSheet) -> String? {
    guard let start = track.playbackStart else { return "track \(track.number) has no start" }
    guard sheet.files.indices.contains(start.file), start.frame >= 0,
      CueSheet.trackNumbers.contains(track.number)
    else { return "track \(track.number) begins at \(start)" }
    return problem(of: track.texts)
  }

  private static func problem(of sheet: CueSheet, file: Int) -> String? {
    var previousFrame = -1
    for track in sheet.tracks where track.playbackStart?.file == file {
      guard let frame = track.playbackStart?.frame, frame > previousFrame else {
        return "track \(track.number) begins too early"
      }
      previousFrame = frame
    }
    let claim = SheetClaim(sheet, file: file, claimHash: 1)
    return TextRules.firstProblem([nil, .zero, .seconds(200), .seconds(1 << 40)] as [Duration?]) { duration in
      var fileTrack = Track(path: FilePath("/music/album.flac"), title: "album")
      fileTrack.duration = duration
      return TextRules.firstProblem(claim.tracks(of: fileTrack, fields: TagFields()).tracks) {
        TagCheck.problem(of: $0.track)
      }
    }
  }
}
