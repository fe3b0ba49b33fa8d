// SPDX-License-Identifier: GPL-3.0-or-later

#if os(Linux)
  import CStandard
  import SystemPackage

  /// An inotify(7) instance: a queue of events in the directories that it watches.
  final class Inotify: Sendable {
    /// The events to request for a directory, and options for watching it.
    struct Request: OptionSet {
      let rawValue: UInt32

      init(rawValue: UInt32) { self.rawValue = rawValue }
      private init(_ mask: InotifyEvent.Mask) { rawValue = mask.rawValue }

      /// All changes of the directory's entries, and of the directory itself. Files that are deleted while open cause
      /// no further events.
      static let entries: Request = [
        Request([
          .created, .deleted, .written, .movedFrom, .movedTo, .attributes, .selfDeleted, .selfMoved,
        ]),
        Request(rawValue: UInt32(IN_EXCL_UNLINK)),
      ]
      /// Events for new names, and for changes of attributes.
      static let arrivals = Request([.created, .movedTo, .attributes])
      /// Events for the removal of the directory itself.
      static let departure = Request([.selfDeleted, .selfMoved])
      /// Adds to the events that were requested earlier, instead of replacing them.
      static let adding = Request(rawValue: UInt32(IN_MASK_ADD))
      /// Watches the directory only if the path is not a link.
      static let notFollowingLinks = Request(rawValue: UInt32(IN_DONT_FOLLOW))
    }

    private let file: FileDescriptor

    /// Creates an instance that watches nothing.
    ///
    /// - Throws: `Errno`; `tooManyOpenFiles` if the user has too many instances (`fs.inotify.max_user_instances`).
    init() throws(Errno) {
      let number = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
      guard number >= 0 else { throw Errno(rawValue: errno) }
      file = FileDescriptor(rawValue: number)
    }

    deinit { try? file.close() }

    var descriptor: Int32 { file.rawValue }

    /// Watches a directory and returns its watch descriptor: the existing one if the directory is already watched, by
    /// whatever path.
    ///
    /// - Throws: `Errno`; `noSpace` if the user has too many watches, `notDirectory` if it is not a directory.
    func watch(_ path: [UInt8], _ request: Request) throws(Errno) -> Int32 {
      let name = path.map { CChar(bitPattern: $0) } + [0]
      let (watch, code) = unsafe name.withUnsafeBufferPointer { name -> (Int32, Int32) in
        guard let start = name.baseAddress else { return (-1, EINVAL) }
        let watch = unsafe inotify_add_watch(
          file.rawValue, start, request.rawValue | UInt32(IN_ONLYDIR))
        return (watch, errno)
      }
      guard watch >= 0 else { throw Errno(rawValue: code) }
      return watch
    }

    /// Ends a watch, which may have ended already.
    func end(_ watch: Int32) { _ = inotify_rm_watch(file.rawValue, watch) }

    /// Returns the pending events, as many as fit into `buffer`. Never blocks.
    func read(_ buffer: inout [UInt8]) -> [InotifyEvent] {
      let count = try? unsafe buffer.withUnsafeMutableBytes { try unsafe file.read(into: $0) }
      return InotifyEvent.parse(buffer[..<(count ?? 0)])
    }
  }

  /// An event of inotify(7).
  struct InotifyEvent: Equatable {
    /// The kind of an event, as the bits of inotify(7).
    struct Mask: OptionSet, Hashable {
      let rawValue: UInt32

      init(rawValue: UInt32) { self.rawValue = rawValue }
      private init(_ bits: Int32) { rawValue = UInt32(bitPattern: bits) }

      static let created = Mask(Int32(IN_CREATE))
      static let deleted = Mask(Int32(IN_DELETE))
      /// A file that was open for writing was closed.
      static let written = Mask(Int32(IN_CLOSE_WRITE))
      /// A name was moved away from here.
      static let movedFrom = Mask(Int32(IN_MOVED_FROM))
      /// A name was moved to here.
      static let movedTo = Mask(Int32(IN_MOVED_TO))
      /// Permissions, times, owner or links changed.
      static let attributes = Mask(Int32(IN_ATTRIB))
      static let selfDeleted = Mask(Int32(IN_DELETE_SELF))
      static let selfMoved = Mask(Int32(IN_MOVE_SELF))
      static let unmounted = Mask(Int32(IN_UNMOUNT))
      /// Events were lost.
      static let overflowed = Mask(Int32(IN_Q_OVERFLOW))
      /// The watch has ended.
      static let watchRemoved = Mask(Int32(IN_IGNORED))
      static let isDirectory = Mask(Int32(IN_ISDIR))
    }

    /// The watch descriptor; -1 if events were lost.
    var watch: Int32
    var mask: Mask
    /// A number that the two events of one move share; 0 for other events.
    var cookie: UInt32 = 0
    /// The name in the watched directory; empty if the event is about the directory itself.
    var name: ArraySlice<UInt8> = []

    /// The size of an event without its name, in bytes.
    private static let headerSize = 16

    /// Parses the events in bytes that were read from inotify. An incomplete event at the end is ignored.
    static func parse(_ bytes: ArraySlice<UInt8>) -> [InotifyEvent] {
      var events: [InotifyEvent] = []
      var rest = bytes
      while rest.count >= headerSize {
        let start = rest.startIndex
        let length = Int(word(rest, at: start + 12))
        guard length <= rest.count - headerSize else { break }
        let padded = rest[start + headerSize..<start + headerSize + length]
        events.append(
          InotifyEvent(
            watch: Int32(bitPattern: word(rest, at: start)), mask: Mask(rawValue: word(rest, at: start + 4)),
            cookie: word(rest, at: start + 8), name: padded.prefix { $0 != 0 }))
        rest = rest[padded.endIndex...]
      }
      return events
    }

    /// Returns the four bytes at `index`, in this machine's byte order, as a number.
    private static func word(_ bytes: ArraySlice<UInt8>, at index: Int) -> UInt32 {
      var little: UInt32 = 0
      for offset in (0..<4).reversed() { little = little << 8 | UInt32(bytes[index + offset]) }
      return UInt32(littleEndian: little)
    }
  }
#endif
