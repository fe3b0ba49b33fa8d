/// Reads the lines of a cue sheet one after the other. Time is in proportion to the text.
struct CueParser {
  private var sheet = CueSheet()
  private var fileNumbers: [String: Int] = [:]
  /// The file that the last `FILE` line named.
  private var file: Int?
  /// The track that the last `TRACK` line began, and that line.
  private var track: CueSheet.Track?
  private var trackLine = 0
  /// Whether what follows belongs to a track that is left out.
  private var isSkipping = false
  private var line = 0
  /// How far the kept tracks reach in each file.
  private var reached: [Int: (frame: Int, number: Int)] = [:]

  /// The sheet in `text`.
  mutating func parsed(_ text: String) -> CueSheet {
    var text = text
    text.withUTF8 { bytes in
      var start = 0
      while start <= bytes.count {
        var end = start
        while end < bytes.count, unsafe bytes[end] != 0x0A, unsafe bytes[end] != 0x0D { end += 1 }
        line += 1
        unsafe read(CueLine(UnsafeBufferPointer(rebasing: bytes[start..<end])))
        let isPair = unsafe end + 1 < bytes.count && bytes[end] == 0x0D && bytes[end + 1] == 0x0A
        start = end + (isPair ? 2 : 1)
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
      return complain("FILE without a name")
    }
    // A track may begin in one file and go on in the next, so it does not end here.
    if let known = fileNumbers[name] {
      file = known
    } else {
      file = sheet.files.count
      fileNumbers[name] = sheet.files.count
      sheet.files.append(name)
    }
  }

  private mutating func beginTrack(_ arguments: [String]) {
    endTrack()
    isSkipping = true
    guard let number = arguments.first.flatMap({ CueLine.number($0) }),
      CueSheet.trackNumbers.contains(number)
    else { return complain("TRACK without a number up to \(CueSheet.trackNumbers.upperBound)") }
    guard file != nil else { return complain("TRACK \(number) is in no file") }
    guard sheet.tracks.count < CueSheet.trackNumbers.count else {
      return complain("more than \(CueSheet.trackNumbers.count) tracks")
    }
    isSkipping = false
    let kind = arguments.dropFirst().first?.uppercased() ?? "AUDIO"
    track = CueSheet.Track(number: number, isAudio: kind == "AUDIO")
    trackLine = line
  }

  /// Keeps the present track, if it begins somewhere where it can.
  private mutating func endTrack() {
    guard var track else { return }
    self.track = nil
    guard var beginning = track.start ?? track.pregapStart else {
      return complain("track \(track.number) has no INDEX", at: trackLine)
    }
    if let pregap = track.pregapStart, pregap.file == beginning.file, pregap.frame < beginning.frame,
      reached[pregap.file] == nil, !sheet.tracks.isEmpty
    {
      beginning = pregap
    }
    track.beginning = beginning
    if let last = reached[beginning.file], beginning.frame <= last.frame {
      return complain("track \(track.number) does not begin behind track \(last.number)", at: trackLine)
    }
    reached[beginning.file] = (beginning.frame, track.number)
    sheet.tracks.append(track)
  }

  private mutating func index(_ arguments: [String]) {
    guard track != nil, let file else { return complain("INDEX outside of a track") }
    guard arguments.count >= 2, let number = CueLine.number(arguments[0]),
      let frame = CueLine.frames(arguments[1])
    else { return complain("INDEX without a number and a time MM:SS:FF") }
    let place = CueSheet.Place(file: file, frame: frame)
    switch number {
    case 0: if track?.pregapStart == nil { track?.pregapStart = place }
    case 1: if track?.start == nil { track?.start = place }
    default: break
    }
  }

  private mutating func gap(_ arguments: [String]) -> Int? {
    guard let frames = arguments.first.flatMap({ CueLine.frames($0) }) else {
      complain("a gap without a time MM:SS:FF")
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

  /// The most remarks that are kept of a track.
  private static let remarkLimit = 64

  private mutating func complain(_ reason: String, at place: Int? = nil) {
    guard sheet.problems.count < CueSheet.problemLimit else { return }
    sheet.problems.append(CueSheet.Problem(line: place ?? line, reason: reason))
  }
}
