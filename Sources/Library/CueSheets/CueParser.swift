// SPDX-License-Identifier: GPL-3.0-or-later

import MusicModel

/// Parses a cue sheet line by line, in time proportional to the length of the text.
struct CueParser {
  private var sheet = CueSheet()
  private var fileIndexes: [String: Int] = [:]
  /// The index of the file named by the last `FILE` line; `nil` if there is none.
  private var file: Int?
  /// The track that the last `TRACK` line started, and the number of that line (`trackLine`).
  private var track: CueSheet.Track?
  private var trackLine = 0
  /// Whether the following lines belong to a track that is skipped.
  private var isSkipping = false
  private var line = 0
  /// The start and the number of the last accepted track in each file, by the index of the file.
  private var lastTracks: [Int: (frame: Int, number: Int)] = [:]

  mutating func parse(_ text: String) -> CueSheet {
    var text = text
    text.withUTF8 { bytes in
      var start = 0
      while start <= bytes.count {
        var end = start
        while end < bytes.count, unsafe bytes[end] != 0x0A, unsafe bytes[end] != 0x0D { end += 1 }
        line += 1
        unsafe read(CueLine(UnsafeBufferPointer(rebasing: bytes[start..<end])))
        let isCRLF = unsafe end + 1 < bytes.count && bytes[end] == 0x0D && bytes[end + 1] == 0x0A
        start = end + (isCRLF ? 2 : 1)
      }
    }
    endTrack()
    return sheet
  }

  private mutating func read(_ line: CueLine) {
    switch line.command {
    case "FILE": beginFile(line.fileName)
    case "TRACK": beginTrack(line.arguments)
    case _ where isSkipping: break
    case "TITLE": set(\.title, line.value)
    case "PERFORMER": set(\.performer, line.value)
    case "SONGWRITER": set(\.songwriter, line.value)
    case "REM": remark(line.remark)
    case "CATALOG": sheet.catalog = line.value ?? sheet.catalog
    case "ISRC": track?.isrc = line.value
    case "INDEX": index(line.arguments)
    case "PREGAP": if let frames = gap(line.arguments) { track?.pregap = frames }
    case "POSTGAP": if let frames = gap(line.arguments) { track?.postgap = frames }
    default: break
    }
  }

  // MARK: Files and tracks

  private mutating func beginFile(_ name: String?) {
    guard let name else {
      file = nil
      return addProblem("FILE without a name")
    }
    // A track may begin in one file and continue in the next, so it does not end here.
    if let known = fileIndexes[name] {
      file = known
    } else {
      file = sheet.files.count
      fileIndexes[name] = sheet.files.count
      sheet.files.append(name)
    }
  }

  private mutating func beginTrack(_ arguments: [String]) {
    endTrack()
    isSkipping = true
    guard let number = arguments.first.flatMap({ CueLine.number($0) }),
      CueSheet.trackNumbers.contains(number)
    else { return addProblem("TRACK needs a number up to \(CueSheet.trackNumbers.upperBound)") }
    guard file != nil else { return addProblem("TRACK \(number) has no FILE") }
    guard sheet.tracks.count < CueSheet.trackNumbers.count else {
      return addProblem("more than \(CueSheet.trackNumbers.count) tracks")
    }
    isSkipping = false
    let kind = arguments.dropFirst().first?.uppercased() ?? "AUDIO"
    track = CueSheet.Track(number: number, isAudio: kind == "AUDIO")
    trackLine = line
  }

  /// Ends the current track, and adds it to the sheet if it begins at a valid position.
  private mutating func endTrack() {
    guard var track else { return }
    self.track = nil
    guard var beginning = track.start ?? track.pregapStart else {
      return addProblem("track \(track.number) has no INDEX", at: trackLine)
    }
    if let pregap = track.pregapStart, pregap.file == beginning.file, pregap.frame < beginning.frame,
      lastTracks[pregap.file] == nil, !sheet.tracks.isEmpty
    {
      beginning = pregap
    }
    track.playbackStart = beginning
    if let last = lastTracks[beginning.file], beginning.frame <= last.frame {
      return addProblem("track \(track.number) does not begin after track \(last.number)", at: trackLine)
    }
    lastTracks[beginning.file] = (beginning.frame, track.number)
    sheet.tracks.append(track)
  }

  private mutating func index(_ arguments: [String]) {
    guard track != nil, let file else { return addProblem("INDEX outside a track") }
    guard arguments.count >= 2, let number = CueLine.number(arguments[0]),
      let frame = CueLine.frames(arguments[1])
    else { return addProblem("INDEX needs a number and a time (MM:SS:FF)") }
    let position = CueSheet.Position(file: file, frame: frame)
    switch number {
    case 0: if track?.pregapStart == nil { track?.pregapStart = position }
    case 1: if track?.start == nil { track?.start = position }
    default: break
    }
  }

  private mutating func gap(_ arguments: [String]) -> Int? {
    guard let frames = arguments.first.flatMap({ CueLine.frames($0) }) else {
      addProblem("PREGAP or POSTGAP needs a time (MM:SS:FF)")
      return nil
    }
    return frames
  }

  // MARK: Texts

  private mutating func set(_ field: WritableKeyPath<CueSheet.Texts, String?>, _ value: String?) {
    guard let value else { return }
    if track != nil { track?.texts[keyPath: field] = value } else { sheet.texts[keyPath: field] = value }
  }

  private mutating func remark(_ remark: (key: String, value: String)?) {
    guard let remark else { return }
    let isOfAlbum = track == nil || remark.key.hasPrefix("REPLAYGAIN_ALBUM_")
    if remark.key == "COMPOSER" {
      set(\.songwriter, remark.value)
    } else if isOfAlbum {
      if sheet.texts.remarks.count < Self.remarkLimit { sheet.texts.remarks[remark.key] = remark.value }
    } else if let count = track?.texts.remarks.count, count < Self.remarkLimit {
      track?.texts.remarks[remark.key] = remark.value
    }
  }

  /// The maximum number of remarks that are stored for a track or for the album.
  private static let remarkLimit = 64

  private mutating func addProblem(_ reason: String, at problemLine: Int? = nil) {
    guard sheet.problems.count < CueSheet.problemLimit else { return }
    sheet.problems.append(CueSheet.Problem(line: problemLine ?? line, reason: reason))
  }
}

/// A line of a cue sheet: a command and its arguments.
struct CueLine {
  /// The maximum length of a value in bytes; longer values are ignored.
  private static let valueLimit = 4_096
  /// The file types that may follow a file name.
  private static let fileKinds: Set<String> = [
    "WAVE", "WAV", "MP3", "AIFF", "AIF", "BINARY", "MOTOROLA", "FLAC", "OGG", "OPUS", "APE", "WV",
  ]

  /// The first word in upper case; "" on a blank line.
  let command: String
  private let rest: [UInt8]

  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    var start = 0
    while unsafe start < bytes.count && Self.isBlank(bytes[start]) { start += 1 }
    var end = start
    while unsafe end < bytes.count && !Self.isBlank(bytes[end]) { end += 1 }
    // No command is longer than this.
    command =
      end - start > 10
      ? "" : unsafe String(decoding: bytes[start..<end], as: UTF8.self).uppercased()
    var last = bytes.count
    while unsafe last > end && Self.isBlank(bytes[last - 1]) { last -= 1 }
    while unsafe end < last && Self.isBlank(bytes[end]) { end += 1 }
    rest = unsafe command.isEmpty ? [] : Array(bytes[end..<last])
  }

  /// The text after the command, without surrounding quotation marks; `nil` if it is blank or too long.
  var value: String? { Self.text(Self.unquoted(rest[...]) ?? rest[...]) }

  /// The words after the command, at most three.
  var arguments: [String] {
    rest.split(maxSplits: 3, whereSeparator: Self.isBlank).prefix(3).map {
      String(decoding: $0.prefix(64), as: UTF8.self)
    }
  }

  /// The file name after `FILE`, without quotation marks or the file type; `nil` if there is none.
  var fileName: String? {
    if let quoted = Self.unquoted(rest[...]) { return Self.text(quoted) }
    guard let blank = rest.lastIndex(where: Self.isBlank),
      Self.fileKinds.contains(String(decoding: rest[(blank + 1)...].prefix(16), as: UTF8.self).uppercased())
    else { return Self.text(rest[...]) }
    return Self.text(rest[..<blank])
  }

  /// The key (in upper case) and the value after `REM`; `nil` if there are none.
  var remark: (key: String, value: String)? {
    guard let blank = rest.firstIndex(where: Self.isBlank), blank <= 64 else { return nil }
    let value = rest[blank...].drop(while: Self.isBlank)
    guard let text = Self.text(Self.unquoted(value) ?? value) else { return nil }
    return (String(decoding: rest[..<blank], as: UTF8.self).uppercased(), text)
  }

  /// Parses a number of at most nine decimal digits.
  static func number(_ text: some StringProtocol) -> Int? {
    guard (1...9).contains(text.utf8.count),
      text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
    else { return nil }
    return Int(text)
  }

  /// Parses a time MM:SS:FF into CD frames. The minutes may have up to nine digits.
  static func frames(_ text: String) -> Int? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { number($0) }
    guard parts.count == 3, numbers.count == 3, numbers[1] < 60,
      numbers[2] < TrackSegment.framesPerSecond
    else { return nil }
    // The result is at most 75 * 60 * 10^9, which fits in a 64-bit integer.
    let (seconds, secondsOverflow) = numbers[0].multipliedReportingOverflow(by: 60)
    let (frames, framesOverflow) = seconds.multipliedReportingOverflow(by: TrackSegment.framesPerSecond)
    let (sum, sumOverflow) = frames.addingReportingOverflow(
      numbers[1] * TrackSegment.framesPerSecond + numbers[2])
    return secondsOverflow || framesOverflow || sumOverflow ? nil : sum
  }

  /// Returns the bytes between a leading quotation mark and the last one, or `nil` if the first byte is not a quotation
  /// mark.
  private static func unquoted(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    let mark = UInt8(ascii: "\"")
    guard bytes.first == mark else { return nil }
    let inner = bytes.dropFirst()
    guard let end = inner.lastIndex(of: mark) else { return inner }
    return inner[..<end]
  }

  /// Decodes bytes as text. Control characters become spaces, and spaces at the ends are removed. Returns `nil` if
  /// nothing is left, or if there are too many bytes.
  private static func text(_ bytes: ArraySlice<UInt8>) -> String? {
    guard bytes.count <= valueLimit else { return nil }
    let cleaned = bytes.map { $0 < 0x20 || $0 == 0x7F ? 0x20 : $0 }
    guard let first = cleaned.firstIndex(where: { $0 != 0x20 }),
      let last = cleaned.lastIndex(where: { $0 != 0x20 })
    else { return nil }
    return String(decoding: cleaned[first...last], as: UTF8.self)
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0 }
}
