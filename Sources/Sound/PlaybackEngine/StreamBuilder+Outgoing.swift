// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore

/// Starting a source while the one that was playing fades out.
extension StreamBuilder {
  /// Opens what was playing where it was interrupted; returns `nil` if that fails, or nothing of it can be mixed.
  func reader(of outgoing: OutgoingSource, reusing earlierReaders: [SourceReader]) -> SourceReader? {
    pipeline.watch.begin()
    // The end of what was written has been faded out, so this fades in.
    let reader = try? SourceReader(
      outgoing.source, at: outgoing.position, after: nil, reusing: earlierReaders, previousGain: 0, open: open,
      playsDSD: context.playsDSD, watch: pipeline.watch, isInterrupted: { [pipeline] in pipeline.isInterrupted }
    ) { _, _ in }
    guard pipeline.watch.end(), let reader, !reader.format.isDSD else { return nil }
    return reader
  }

  /// Starts `source`, mixed with `outgoing` over `length`, or over half of the source if that is shorter. If their
  /// formats differ, they are not mixed.
  func begin(
    _ source: PlaybackSource, at position: Duration, crossfadedWith outgoing: SourceReader, over length: Duration
  ) {
    guard let reader = opened(source, at: position, after: nil, previousGain: nil) else { return }
    let format = streamFormat(of: outgoing, after: nil)
    let isMixable = !reader.format.isDSD && streamFormat(of: reader, after: format).shape == format.shape
    guard isMixable, let fading = makePart(outgoing, format, isJoined: false) else {
      part = makePart(reader, streamFormat(of: reader, after: nil), isJoined: joinsFormats)
      return
    }
    let length = min(length, reader.rest.map { $0 / 2 } ?? length)
    fading.limit = format.frame(at: length)
    part = fading
    upcoming = UpcomingSource(
      reader: reader, format: streamFormat(of: reader, after: format), transition: .crossfade(length))
  }
}
