// SPDX-License-Identifier: GPL-3.0-or-later

import Platform
public import SystemPackage

/// A chapter of a file.
public struct SourceChapter: Sendable, Hashable {
  /// The beginning, in milliseconds from that of the file.
  public let start: Int64
  public let title: String

  public init(start: Int64, title: String) {
    self.start = start
    self.title = title
  }

  /// The beginning.
  public var position: Duration { .milliseconds(start) }
}

/// Returns the chapters of a file, which is open in a decoder, in the order of their beginnings; empty if there are
/// none. It blocks until the disk has been read.
public typealias ChapterList = @Sendable (FilePath, any AudioDecoder) -> [SourceChapter]

extension [SourceChapter] {
  /// How far a position may be before the beginning of a chapter that it means: the frame nearest to the beginning may
  /// be the one before it.
  private static var tolerance: Duration { .milliseconds(1) }

  /// Returns the index of the chapter at `position`; `nil` before the first one. The chapters must be in the order of
  /// their beginnings.
  public func index(at position: Duration) -> Int? { lastIndex { $0.position <= position + Self.tolerance } }

  /// Returns the end of the chapter at `position`, or of what comes before the first one; `nil` if it ends with the
  /// file.
  public func end(at position: Duration) -> Duration? {
    let next = (index(at: position) ?? -1) + 1
    return next < count ? self[next].position : nil
  }

  /// Returns the index of the last chapter that satisfies `hasBegun`, as all before it do.
  fileprivate func lastIndex(where hasBegun: (SourceChapter) -> Bool) -> Int? {
    var (low, high) = (0, count)
    while low < high {
      let middle = low + (high - low) / 2
      if hasBegun(self[middle]) { low = middle + 1 } else { high = middle }
    }
    return low == 0 ? nil : low - 1
  }
}

extension SourceText {
  /// Creates what a file with these chapters says of its frame number `frame`; returns `nil` if there are no chapters.
  public init?(_ chapters: [SourceChapter], at frame: Int64, in format: AudioFormat) {
    guard !chapters.isEmpty else { return nil }
    self.init(
      chapters: chapters, chapterIndex: chapters.lastIndex { format.frame(at: $0.position) <= frame })
  }

  /// The title of the chapter to which the frames belong; `nil` if there is none.
  public var chapter: String? { chapterIndex.flatMap { chapters.indices.contains($0) ? chapters[$0].title : nil } }

  /// Returns the text with the chapters of the part of the file from `start` to `end`, or to the end of the file: the
  /// first one is that which is playing where the part begins.
  func ofPart(from start: Duration, to end: Duration?) -> SourceText {
    let first = chapters.index(at: start) ?? 0
    var text = self
    text.chapters = chapters[first...].prefix { chapter in end.map { chapter.position < $0 } ?? true }.map { chapter in
      let distance = Swift.max(.zero, chapter.position - start)
      return SourceChapter(start: Int64(clamping: distance.wholeMilliseconds), title: chapter.title)
    }
    text.chapterIndex = chapterIndex.map { Swift.max(0, $0 - first) }
    return text
  }
}
