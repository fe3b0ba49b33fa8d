import CTagLib
import MusicModel
import SystemPackage

/// What TagLib reads of one file, which is not asked where the file is as most are.
struct TagContents: Sendable {
  private(set) var fields = TagFields()
  /// `nil` where TagLib does not understand the sound.
  private(set) var audio: ProbedAudio?
  /// Whether the contents show it to be of a format that cannot be played.
  let isUnplayable: Bool
  /// Whether the length is no more than a guess that is known to be far off for some files.
  let isLengthGuessed: Bool

  /// Reads the regular file at `path`; `nil` where TagLib cannot open it or does not know its format. What TagLib alone
  /// makes of it is the same, and takes longer.
  init?(_ path: FilePath, byTagLibAlone isAlone: Bool = false) {
    guard
      let file = unsafe path.withPlatformString({ path in
        let plain = isAlone ? nil : unsafe PlainTagsRead(path)
        return unsafe plain ?? TagLibRead(path)
      })
    else { return nil }
    defer { unsafe file.pointee.release(file) }
    let properties = unsafe UnsafeBufferPointer(
      start: file.pointee.properties, count: file.pointee.propertyCount)
    for index in 0..<properties.count {
      let property = unsafe properties[index]
      let value = unsafe UnsafeRawBufferPointer(start: property.value, count: property.valueLength)
      let name = unsafe UnsafeRawBufferPointer(start: property.key, count: property.keyLength)
      unsafe fields.append(value, to: name)
    }
    isUnplayable = unsafe file.pointee.isUnplayable
    isLengthGuessed = unsafe file.pointee.isLengthGuessed
    let sampleRate = Int(unsafe file.pointee.sampleRate)
    let channels = Int(unsafe file.pointee.channels)
    let bits = Int(unsafe file.pointee.bitsPerSample)
    let milliseconds = unsafe file.pointee.lengthInMilliseconds
    if sampleRate > 0, channels > 0 {
      audio = ProbedAudio(
        summary: AudioSummary(sampleRate: sampleRate, channels: channels, bitDepth: bits > 0 ? bits : nil),
        duration: milliseconds > 0 ? .milliseconds(milliseconds) : nil)
    }
  }
}
