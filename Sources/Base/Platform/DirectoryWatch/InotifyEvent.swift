#if os(Linux)
  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #endif

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
