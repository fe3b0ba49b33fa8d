// SPDX-License-Identifier: GPL-3.0-or-later

import CTagLib
import MusicModel
import SystemPackage

struct TagContents: Sendable, Equatable {
  private(set) var fields = TagFields()
  /// The audio; `nil` if TagLib does not understand it.
  private(set) var audio: ProbedAudio?
  /// Whether the file is an MP4 container, which may hold audio that cannot be played.
  private(set) var isMP4 = false
  /// Whether the duration is only a guess, which may be far off.
  private(set) var isLengthGuessed = false

  /// Reads the regular file at `path`. Returns `nil` if it cannot be opened, or if TagLib does not know its format.
  ///
  /// - Parameter usesOnlyTagLib: Whether TagLib also reads files that ``FastTags`` could read; the result is the same.
  init?(_ path: FilePath, byTagLibAlone usesOnlyTagLib: Bool = false) {
    guard var file = TagFile(path) else { return nil }
    if !usesOnlyTagLib, let tags = try? FastTags(of: &file, at: path) {
      self.init(tags, fileLength: file.length)
    } else {
      self.init(byTagLib: path, &file)
    }
  }

  private init(_ tags: FastTags, fileLength: Int) {
    for (name, value) in tags.values { fields.append(value, to: name) }
    if let sheet = tags.cueSheet { fields.append(sheet, to: TagField.cueSheet.name) }
    setAudio(
      sampleRate: tags.sampleRate, channels: tags.channels, bitDepth: tags.bitDepth, milliseconds: tags.milliseconds)
    isLengthGuessed = tags.isFLAC && isUnderstated(fileLength)
  }

  private init?(byTagLib path: FilePath, _ file: inout TagFile) {
    guard let result = unsafe path.withPlatformString({ unsafe TagLibRead($0) }) else { return nil }
    defer { unsafe result.pointee.release(result) }
    let properties = unsafe UnsafeBufferPointer(start: result.pointee.properties, count: result.pointee.propertyCount)
    for index in 0..<properties.count {
      let property = unsafe properties[index]
      let value = unsafe UnsafeRawBufferPointer(start: property.value, count: property.valueLength)
      let name = unsafe UnsafeRawBufferPointer(start: property.key, count: property.keyLength)
      fields.append(unsafe String(decoding: value, as: UTF8.self), to: unsafe String(decoding: name, as: UTF8.self))
    }
    let bits = Int(unsafe result.pointee.bitsPerSample)
    let (sampleRate, milliseconds) = unsafe (Int(result.pointee.sampleRate), Int(result.pointee.lengthInMilliseconds))
    setAudio(
      sampleRate: sampleRate, channels: Int(unsafe result.pointee.channels), bitDepth: bits > 0 ? bits : nil,
      milliseconds: milliseconds)
    switch unsafe result.pointee.format {
    case TagFLAC:
      isLengthGuessed = isUnderstated(file.length)
      guard fields.cueSheet == nil else { break }
      let sheet = FLACCueSheet.text(of: &file, sampleRate: sampleRate, milliseconds: milliseconds)
      if let sheet { fields.append(sheet, to: TagField.cueSheet.name) }
    case TagMP4: isMP4 = true
    case TagOgg: isLengthGuessed = OggPageHeader.isChained(&file)
    case TagMPEGLayer3:
      let (start, isStated) = unsafe (Int(result.pointee.firstFrame), result.pointee.isLengthStated)
      isLengthGuessed = MPEGFrame.isLengthGuessed(&file, at: start, isStated: isStated)
    default: break
    }
  }

  /// Whether the stated length is so small that even uncompressed audio would not fill a file of this length.
  private func isUnderstated(_ fileLength: Int) -> Bool {
    guard let audio, let duration = audio.duration, let bitDepth = audio.summary.bitDepth else { return false }
    let sampleCount = duration / .seconds(1) * Double(audio.summary.sampleRate) * Double(audio.summary.channels)
    return sampleCount * Double(bitDepth) < Double(fileLength) * 8
  }

  private mutating func setAudio(sampleRate: Int, channels: Int, bitDepth: Int?, milliseconds: Int) {
    guard sampleRate > 0, channels > 0 else { return }
    audio = ProbedAudio(
      summary: AudioSummary(sampleRate: sampleRate, channels: channels, bitDepth: bitDepth),
      duration: milliseconds > 0 ? .milliseconds(milliseconds) : nil)
  }
}
