extension CommandTable {
  /// What a client asks of the library, and has done with it.
  static let library = finding + listing + files + pictures + updating + stickers
}
