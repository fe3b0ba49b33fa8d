// SPDX-License-Identifier: GPL-3.0-or-later

import CFFmpeg
import DecodingProtocol
import SystemPackage

/// Reads the packets of one audio stream from a file, or from a server, in any container format. Only one thread may
/// use it.
@safe final class AudioDemuxer {
  /// The demuxers of containers that can hold audio, by FFmpeg's names. FFmpeg opens no file with any other, such as
  /// those of pictures, subtitles and playlists, although it looks at the first bytes with all of them.
  private static let formats = [
    "aac", "ac3", "adx", "aiff", "amr", "ape", "apm", "asf", "asf_o", "au", "avi", "brstm", "caf", "dsf", "dts",
    "dtshd", "eac3", "flac", "flv", "iff", "kvag", "libgme", "libmodplug", "libopenmpt", "loas", "matroska,webm",
    "mlp", "mmf", "mov,mp4,m4a,3gp,3g2,mj2", "mp3", "mpc", "mpc8", "mpeg", "mpegts", "ogg", "oma", "rm", "shn", "sox",
    "tak", "truehd", "tta", "voc", "vqf", "w64", "wav", "wv", "xa", "xwma",
  ].joined(separator: ",")

  /// How many bytes FFmpeg may read to recognise what a server sends without stating its length, which may take it a
  /// while to send.
  private static let liveProbeLimit: Int32 = 1 << 16

  /// How FFmpeg reads streams. Every piece of HLS gets a connection of its own, which can be looked at.
  private static let streamOptions = ["http_persistent": "0", "http_multiple": "0"]

  /// How many times in a row a demuxer may ask to be called again.
  private static let attemptLimit = 1_000

  /// The file; `nil` for what a server sends.
  private let input: FileInput?
  /// The wait for a server; `nil` for a file.
  let wait: NetworkWait?
  /// Called before every packet.
  private let onProgress: () -> Void
  var context: UnsafeMutablePointer<AVFormatContext>?
  /// The connection to a server; `nil` for a file.
  let connection: ServerConnection?
  private let packet: UnsafeMutablePointer<AVPacket>
  /// The audio stream; valid as long as this object.
  let stream: UnsafeMutablePointer<AVStream>
  /// FFmpeg's error number if reading ended because the data is damaged; otherwise `nil`.
  private(set) var endError: Int32?

  /// Opens the audio in the file of `descriptor`, which still belongs to the caller.
  ///
  /// - Parameters:
  ///   - descriptor: The file.
  ///   - options: Options of FFmpeg's demuxers.
  ///   - readsHeaderAlone: Whether the header of the container is enough, without a look at the audio.
  ///   - onProgress: Called before every packet that is read.
  /// - Throws: `DecodingRefusal` if the file contains no audio, or its format is unknown.
  convenience init(
    _ descriptor: FileDescriptor, options: [String: String] = [:], readsHeaderAlone: Bool = false,
    onProgress: @escaping () -> Void = {}
  ) throws(DecodingRefusal) {
    let input = try FileInput(descriptor)
    try unsafe self.init(input, nil, nil, onProgress) { context throws(DecodingRefusal) in
      guard let allocated = unsafe avformat_alloc_context() else { throw .noMemory }
      unsafe allocated.pointee.pb = input.context
      // A file that refers to other files or to addresses gets none of them.
      unsafe allocated.pointee.io_open = { _, _, _, _, _ in SegueAVErrorForbidden }
      unsafe context = allocated
      let code = unsafe Self.open(nil, options, nil, &context)
      guard code >= 0 else { throw Self.openError(code, input) }
      return unsafe try Self.chooseStream(of: context, input, readsHeaderAlone: readsHeaderAlone)
    }
  }

  /// Opens the audio that a server sends.
  ///
  /// - Parameters:
  ///   - connection: The connection to the server.
  ///   - demuxer: The name of FFmpeg's demuxer for it; `nil` if it has to be recognised.
  ///   - options: Options of FFmpeg's demuxers.
  ///   - readsHeaderAlone: Whether the header of the container is enough, without a look at the audio.
  ///   - wait: The wait for the server.
  /// - Throws: `DecodingRefusal` if it sends no audio.
  convenience init(
    _ connection: ServerConnection, demuxer: String?, options: [String: String] = [:], readsHeaderAlone: Bool = false,
    wait: NetworkWait
  ) throws(DecodingRefusal) {
    try unsafe self.init(nil, connection, wait, {}) { context throws(DecodingRefusal) in
      guard let allocated = unsafe avformat_alloc_context() else { throw .noMemory }
      unsafe allocated.pointee.io_open = { caller, connection, address, flags, options in
        guard let caller = unsafe caller, let connection = unsafe connection else { return SegueAVErrorInvalid }
        return unsafe ServerConnection.open(
          &connection.pointee, address, flags, options, wait: &caller.pointee.interrupt_callback)
      }
      unsafe allocated.pointee.interrupt_callback = wait.callback
      unsafe allocated.pointee.pb = connection.input
      if !connection.hasByteCount {
        unsafe allocated.pointee.format_probesize = Self.liveProbeLimit
        // Raw frames have no timestamps, for which it would wait for a second.
        unsafe allocated.pointee.max_ts_probe = 0
      }
      unsafe context = allocated
      let format = unsafe demuxer.flatMap { unsafe av_find_input_format($0) }
      let code = unsafe Self.open(
        connection.address, options.merging(Self.streamOptions) { $1 }, format, &context)
      guard code >= 0 else {
        throw ServerConnection.refusal(code, isEncrypted: false, connectionCount: wait.connectionCount)
      }
      return unsafe try Self.chooseStream(of: context, nil, readsHeaderAlone: readsHeaderAlone)
    }
  }

  private init(
    _ input: FileInput?, _ connection: ServerConnection?, _ wait: NetworkWait?, _ onProgress: @escaping () -> Void,
    _ open: (inout UnsafeMutablePointer<AVFormatContext>?) throws(DecodingRefusal) -> UnsafeMutablePointer<AVStream>
  ) throws(DecodingRefusal) {
    self.input = input
    self.connection = connection
    self.wait = wait
    self.onProgress = onProgress
    guard let packet = unsafe av_packet_alloc() else { throw .noMemory }
    unsafe self.packet = packet
    var opened: UnsafeMutablePointer<AVFormatContext>?
    do throws(DecodingRefusal) {
      unsafe stream = try open(&opened)
      unsafe context = opened
    } catch {
      unsafe avformat_close_input(&opened)
      var packet: UnsafeMutablePointer<AVPacket>? = unsafe packet
      unsafe av_packet_free(&packet)
      throw error
    }
  }

  deinit {
    var packet: UnsafeMutablePointer<AVPacket>? = unsafe packet
    unsafe av_packet_free(&packet)
    unsafe avformat_close_input(&context)
  }

  /// Opens the container; returns FFmpeg's error number, or 0. Frees the context if it fails.
  private static func open(
    _ address: String?, _ options: [String: String], _ format: UnsafePointer<AVInputFormat>?,
    _ context: inout UnsafeMutablePointer<AVFormatContext>?
  ) -> Int32 {
    var dictionary: OpaquePointer?
    defer { unsafe av_dict_free(&dictionary) }
    let formats = address == nil ? formats : formats + ",hls"
    unsafe av_dict_set(&dictionary, "format_whitelist", formats, 0)
    for (name, value) in options { unsafe av_dict_set(&dictionary, name, value, 0) }
    return unsafe avformat_open_input(&context, address, format, &dictionary)
  }

  /// Chooses the audio stream of a container; all other streams are skipped.
  private static func chooseStream(
    of context: UnsafeMutablePointer<AVFormatContext>?, _ input: FileInput?, readsHeaderAlone: Bool
  ) throws(DecodingRefusal) -> UnsafeMutablePointer<AVStream> {
    guard let opened = unsafe context else { throw .noMemory }
    unsafe streams(of: opened).forEach { stream in
      let isAudio = unsafe stream.pointee.codecpar.pointee.codec_type == AVMEDIA_TYPE_AUDIO
      unsafe stream.pointee.discard = isAudio ? AVDISCARD_DEFAULT : AVDISCARD_ALL
    }
    if !readsHeaderAlone {
      let found = unsafe avformat_find_stream_info(opened, nil)
      if found < 0 { throw openError(found, input) }
    }
    let number = unsafe av_find_best_stream(opened, AVMEDIA_TYPE_AUDIO, -1, -1, nil, 0)
    guard number >= 0, let chosen = unsafe opened.pointee.streams[Int(number)] else {
      throw DecodingRefusal(.unsupported, "contains no audio")
    }
    unsafe streams(of: opened).forEach { stream in
      if unsafe stream != chosen { unsafe stream.pointee.discard = AVDISCARD_ALL }
    }
    return unsafe chosen
  }

  private static func streams(
    of context: UnsafeMutablePointer<AVFormatContext>
  ) -> [UnsafeMutablePointer<AVStream>] {
    let streams = unsafe UnsafeBufferPointer(
      start: context.pointee.streams, count: Int(context.pointee.nb_streams))
    return unsafe streams.compactMap { unsafe $0 }
  }

  private static func openError(_ code: Int32, _ input: FileInput?) -> DecodingRefusal {
    if let failure = input?.failure { return DecodingRefusal(.unreadable, failure.description) }
    // What it answers if the format is not one of those above.
    if code == SegueAVErrorInvalid {
      return DecodingRefusal(.unsupported, "is in a format that FFmpeg does not decode")
    }
    return DecodingRefusal(.malformed, code: code)
  }

  /// The name of the container format, by FFmpeg; several names if one demuxer reads several formats.
  var containerName: String {
    unsafe (context?.pointee.iformat?.pointee.name).map { unsafe String(cString: $0) } ?? ""
  }

  /// The average bit rate of the audio stream, otherwise of the whole file, in bits per second; `nil` if it is unknown.
  var bitRate: Int64? {
    unsafe [stream.pointee.codecpar.pointee.bit_rate, context?.pointee.bit_rate ?? 0].first { $0 > 0 }
  }

  /// The bit rate that a station announces, in bits per second; `nil` if it announces none. Of several, as a station
  /// sends them by mistake, the first counts.
  var announcedBitRate: Int64? {
    let kilobits = tag("icy-br").flatMap { Int64($0.prefix { $0 != "," }) }
    return kilobits.flatMap { (1...1_000_000).contains($0) ? $0 * 1_000 : nil }
  }

  /// Whether the container is MP4 or QuickTime.
  var isMP4: Bool { containerName.hasPrefix("mov") }

  /// Whether the file has to be opened with ``simpleEditList``: FFmpeg would treat an edit of duration 0 as empty; it
  /// means that the duration is unknown.
  var needsSimpleEditList: Bool { isMP4 && duration == nil }

  /// The options with which FFmpeg does not interpret the durations of edits.
  static let simpleEditList = ["advanced_editlist": "0"]

  /// Whether the timestamps after a seek may be wrong: the container has none, or only some packets have one.
  var hasRoughTimestamps: Bool { isDurationEstimated || containerName == "ogg" }

  var isDurationEstimated: Bool {
    unsafe context?.pointee.duration_estimation_method == AVFMT_DURATION_FROM_BITRATE
  }

  /// The number of packets in the audio stream, if the container has a table of them.
  var packetCount: Int64? {
    let count = unsafe stream.pointee.nb_frames
    return (1..<1 << 31).contains(count) ? count : nil
  }

  /// The duration of the audio stream, in units of its time base; `nil` if it is unknown.
  var duration: Int64? {
    let duration = unsafe stream.pointee.duration
    return (1...FileNumber.limit).contains(duration) ? duration : nil
  }

  /// Whether the file has no other streams, so that its length is that of the audio.
  var isOnlyStream: Bool { unsafe context?.pointee.nb_streams == 1 }

  /// Returns the length that the container states for the audio stream, otherwise for the whole file, in frames; `nil`
  /// if it is unknown.
  func frameCount(atRate rate: Int64) -> Int64? {
    if let duration { return frames(inTimestamps: duration, atRate: rate) }
    guard let whole = unsafe context?.pointee.duration, whole > 0 else { return nil }
    return FileNumber.scaled(whole, by: rate, over: Int64(AV_TIME_BASE))
  }

  /// Returns the number of frames in a difference of timestamps; `nil` if it is absurdly large.
  func frames(inTimestamps difference: Int64, atRate rate: Int64) -> Int64? {
    let base = unsafe stream.pointee.time_base
    return FileNumber.scaled(difference, by: rate * Int64(base.num), over: Int64(base.den))
  }

  /// Returns the difference of timestamps for a number of frames; `nil` if it is absurdly large.
  func timestamps(inFrames count: Int64, atRate rate: Int64) -> Int64? {
    let base = unsafe stream.pointee.time_base
    return FileNumber.scaled(count, by: Int64(base.den), over: rate * Int64(base.num))
  }

  /// Whether timestamps are fine enough for every frame to have its own.
  func areTimestampsExact(atRate rate: Int64) -> Bool {
    let base = unsafe stream.pointee.time_base
    return base.num == 1 && rate > 0 && Int64(base.den) % rate == 0
  }

  /// The error with which the system failed to read the file; `nil` if it did not.
  var readFailure: Errno? { input?.failure }

  /// Whether pieces of `count` frames have different timestamps, even if these are rounded: a piece is longer than two
  /// units.
  func distinguishesPieces(of count: Int64, atRate rate: Int64) -> Bool {
    let base = unsafe stream.pointee.time_base
    return base.den > 0 && 2 * rate * Int64(base.num) < count * Int64(base.den)
  }

  /// Returns the value of a tag of the file or of the audio stream; `nil` if there is none.
  func tag(_ name: String) -> String? { tagBytes(name).map { String(decoding: $0, as: UTF8.self) } }

  /// Returns the value of a tag, in the encoding in which it was sent; `nil` if there is none.
  func tagBytes(_ name: String) -> [UInt8]? {
    let entry =
      unsafe av_dict_get(stream.pointee.metadata, name, nil, 0) ?? av_dict_get(context?.pointee.metadata, name, nil, 0)
    return unsafe (entry?.pointee.value).map { unsafe Self.bytes(of: $0) }
  }

  /// The tags of the file, and those of the audio stream.
  var tags: SourceTags {
    var tags = SourceTags()
    unsafe Self.add(context?.pointee.metadata, to: &tags)
    unsafe Self.add(stream.pointee.metadata, to: &tags)
    return tags
  }

  private static func add(_ dictionary: OpaquePointer?, to tags: inout SourceTags) {
    var entry = unsafe av_dict_get(dictionary, "", nil, AV_DICT_IGNORE_SUFFIX)
    while let current = unsafe entry {
      if let name = unsafe current.pointee.key, let value = unsafe current.pointee.value {
        unsafe tags.append(SourceTags.Entry(name: bytes(of: name), value: bytes(of: value)))
      }
      unsafe entry = av_dict_get(dictionary, "", current, AV_DICT_IGNORE_SUFFIX)
    }
  }

  private static func bytes(of text: UnsafePointer<CChar>) -> [UInt8] {
    unsafe UnsafeBufferPointer(start: text, count: strlen(text)).map { UInt8(bitPattern: $0) }
  }

  /// Returns the first picture in the file of at most `limit` bytes; `nil` if there is none.
  func picture(limit: Int) -> [UInt8]? {
    guard let context = unsafe context else { return nil }
    let pictures = unsafe Self.streams(of: context).lazy.compactMap { stream -> [UInt8]? in
      let (data, size) = unsafe (stream.pointee.attached_pic.data, Int(stream.pointee.attached_pic.size))
      let isPicture = unsafe stream.pointee.disposition & AV_DISPOSITION_ATTACHED_PIC != 0
      guard isPicture, let data = unsafe data, (1...limit).contains(size) else { return nil }
      return unsafe Array(UnsafeBufferPointer(start: data, count: size))
    }
    return unsafe pictures.first
  }

  /// Passes the next packet of the audio stream to `body`, which must not keep it, and returns its result; returns
  /// `nil` at the end of the file.
  func withNextPacket<Result>(_ body: (UnsafeMutablePointer<AVPacket>) -> Result) -> Result? {
    guard let context = unsafe context else { return nil }
    var attempts = 0
    while true {
      onProgress()
      let code = unsafe av_read_frame(context, packet)
      guard code >= 0 else {
        attempts += 1
        if code == SegueAVErrorAgain, attempts < Self.attemptLimit { continue }
        if code != SegueAVErrorEnd { endError = code }
        return nil
      }
      wait?.begin()
      defer { unsafe av_packet_unref(packet) }
      if unsafe packet.pointee.stream_index == stream.pointee.index { return unsafe body(packet) }
    }
  }

  /// Seeks to a packet that begins at `timestamp`, in units of the stream's time base, or before it; returns whether
  /// that succeeded.
  func seek(to timestamp: Int64) -> Bool {
    guard let context = unsafe context else { return false }
    endError = nil
    return unsafe av_seek_frame(context, stream.pointee.index, timestamp, AVSEEK_FLAG_BACKWARD) >= 0
  }

  /// The chapters of the file.
  var chapters: SourceMarks {
    let chapters = unsafe UnsafeBufferPointer(
      start: context?.pointee.chapters, count: Int(context?.pointee.nb_chapters ?? 0))
    let entries = unsafe chapters.prefix(SourceMarks.countLimit).compactMap { chapter -> SourceMarks.Entry? in
      guard let chapter = unsafe chapter?.pointee,
        let start = unsafe FileNumber.scaled(
          chapter.start, by: 1_000 * Int64(chapter.time_base.num), over: Int64(chapter.time_base.den))
      else { return nil }
      let title = unsafe av_dict_get(chapter.metadata, "title", nil, 0)?.pointee.value
      return unsafe SourceMarks.Entry(start: start, title: title.map { unsafe Self.bytes(of: $0) } ?? [])
    }
    return SourceMarks(entries)
  }
}

/// Arithmetic with the numbers that a file states, which may be anything.
enum FileNumber {
  /// The largest number that is believed. The sum of several such numbers does not overflow.
  static let limit: Int64 = 1 << 60

  /// Returns `value * factor / divisor`; `nil` if that is not defined, or beyond ``limit``.
  static func scaled(_ value: Int64, by factor: Int64, over divisor: Int64) -> Int64? {
    guard abs(max(value, -limit)) <= limit, (0...limit).contains(factor), (1...limit).contains(divisor) else {
      return nil
    }
    let result = av_rescale(value, factor, divisor)
    return (-limit...limit).contains(result) ? result : nil
  }
}
