#if os(Linux)
  import SystemPackage

  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #endif

  /// An instance of inotify(7): a queue of events of what it watches.
  final class Inotify: Sendable {
    /// What is asked for a directory.
    struct Request: OptionSet {
      let rawValue: UInt32

      init(rawValue: UInt32) { self.rawValue = rawValue }
      private init(_ mask: InotifyEvent.Mask) { rawValue = mask.rawValue }

      /// All that can happen to its entries, and to itself. Files that are deleted while open tell no more.
      static let entries: Request = [
        Request([
          .created, .deleted, .written, .movedFrom, .movedTo, .attributes, .selfDeleted, .selfMoved,
        ]),
        Request(rawValue: UInt32(IN_EXCL_UNLINK)),
      ]
      /// Names that come.
      static let arrivals = Request([.created, .movedTo, .attributes])
      /// That itself goes.
      static let departure = Request([.selfDeleted, .selfMoved])
      /// Besides what was asked before.
      static let more = Request(rawValue: UInt32(IN_MASK_ADD))
      /// Only where no link leads to it.
      static let unlinked = Request(rawValue: UInt32(IN_DONT_FOLLOW))
    }

    private let file: FileDescriptor

    /// An instance that watches nothing.
    ///
    /// - Throws: `Errno`; `tooManyOpenFiles` where the user has too many instances (`fs.inotify.max_user_instances`).
    init() throws(Errno) {
      let number = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
      guard number >= 0 else { throw Errno(rawValue: errno) }
      file = FileDescriptor(rawValue: number)
    }

    deinit { try? file.close() }

    /// What to poll for input.
    var descriptor: Int32 { file.rawValue }

    /// Watches a directory; gives its watch, which is the one it had where it was watched already, by whatever path.
    ///
    /// - Throws: `Errno`; `noSpace` where the user has too many watches, `notDirectory` for what is none.
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

    /// Ends a watch, which may be no more.
    func end(_ watch: Int32) { _ = inotify_rm_watch(file.rawValue, watch) }

    /// The events that wait, as many as `buffer` holds; none where none waits. Never blocks.
    func read(_ buffer: inout [UInt8]) -> [InotifyEvent] {
      let count = try? unsafe buffer.withUnsafeMutableBytes { try unsafe file.read(into: $0) }
      return InotifyEvent.parse(buffer[..<(count ?? 0)])
    }
  }

  /// One event as inotify(7) tells it.
  struct InotifyEvent: Equatable {
    /// What happened, by the system's bits.
    struct Mask: OptionSet, Hashable {
      let rawValue: UInt32

      init(rawValue: UInt32) { self.rawValue = rawValue }
      private init(_ bits: Int32) { rawValue = UInt32(bitPattern: bits) }

      /// A name was made.
      static let created = Mask(Int32(IN_CREATE))
      /// A name was deleted.
      static let deleted = Mask(Int32(IN_DELETE))
      /// A file that was open for writing was closed.
      static let written = Mask(Int32(IN_CLOSE_WRITE))
      /// A name was moved to elsewhere.
      static let movedFrom = Mask(Int32(IN_MOVED_FROM))
      /// A name was moved to here.
      static let movedTo = Mask(Int32(IN_MOVED_TO))
      /// Permissions, times, owner or links changed.
      static let attributes = Mask(Int32(IN_ATTRIB))
      /// What is watched was deleted itself.
      static let selfDeleted = Mask(Int32(IN_DELETE_SELF))
      /// What is watched was moved itself.
      static let selfMoved = Mask(Int32(IN_MOVE_SELF))
      /// What is watched was unmounted.
      static let unmounted = Mask(Int32(IN_UNMOUNT))
      /// Events were lost.
      static let overflowed = Mask(Int32(IN_Q_OVERFLOW))
      /// The watch is no more.
      static let watchRemoved = Mask(Int32(IN_IGNORED))
      /// The name is a directory's.
      static let isDirectory = Mask(Int32(IN_ISDIR))
    }

    /// What was watched; -1 where events were lost.
    var watch: Int32
    /// What happened.
    var mask: Mask
    /// The same for the two events of one move, otherwise 0.
    var cookie: UInt32 = 0
    /// The name in the directory that was watched; empty where it is this directory itself.
    var name: ArraySlice<UInt8> = []

    /// The bytes of an event before its name.
    private static let headerSize = 16

    /// The events in what was read from inotify; what is left of one that is cut short is passed over.
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

    /// Four bytes in this machine's order.
    private static func word(_ bytes: ArraySlice<UInt8>, at index: Int) -> UInt32 {
      var little: UInt32 = 0
      for offset in (0..<4).reversed() { little = little << 8 | UInt32(bytes[index + offset]) }
      return UInt32(littleEndian: little)
    }
  }
#endif
