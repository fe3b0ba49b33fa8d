// SPDX-License-Identifier: GPL-3.0-or-later

import CPulse
import Platform
public import SystemPackage

extension PulseServer {
  /// A sink of the server, to which an output can play.
  public struct Sink: Sendable, Hashable {
    public let name: String
    /// The description for people.
    public let title: String
  }

  /// The sinks of the server, in its order; `nil` if there is no server, or it does not answer. Blocks for up to four
  /// seconds.
  public static var sinks: [Sink]? {
    guard let connection = SinkConnection(), connection.open() else { return nil }
    return connection.ask()
  }

  /// The longest time between two attempts to connect to a server that is missing, in milliseconds.
  private static let connectionInterval: UInt64 = 10_000

  /// Calls `receive` with the sinks of the server, at first and whenever one comes or goes, and with `nil` while there
  /// is no server. Returns only if libpulse is not installed: this is for a thread of its own, which sleeps meanwhile.
  ///
  /// - Parameter socket: The socket of the server, if it is known. As soon as it appears, the server is connected to.
  public static func followSinks(at socket: FilePath?, _ receive: ([Sink]?) -> Void) {
    var watch = ArrivalWatch(for: socket)
    while let connection = SinkConnection() {
      if connection.open() {
        connection.follow {
          watch.restart()
          receive($0)
        }
      }
      receive(nil)
      while !watch.wait(longest: connectionInterval) {}
    }
    receive(nil)
  }
}

/// A connection to the server that only asks for the sinks. Used by one thread, and by libpulse within its calls.
@safe
private final class SinkConnection {
  /// How long to wait until the server accepts the connection, for which the service manager may have to start it, and
  /// for an answer, in milliseconds.
  private static let (connectionTime, answerTime): (UInt64, UInt64) = (3_000, 1_000)

  private let library: UnsafePointer<PulseLibrary>
  private let mainloop: OpaquePointer
  private let context: OpaquePointer
  private var sinks: [PulseServer.Sink] = []
  /// Whether a sink has come or gone since the server was asked.
  private var isOutdated = true

  init?() {
    guard let library = unsafe PulseLibraryLoad(), let mainloop = unsafe library.pointee.mainloop_new() else {
      return nil
    }
    guard
      let context = unsafe library.pointee.context_new_with_proplist(
        library.pointee.mainloop_get_api(mainloop), "Segue", nil)
    else {
      unsafe library.pointee.mainloop_free(mainloop)
      return nil
    }
    unsafe (self.library, self.mainloop, self.context) = unsafe (library, mainloop, context)
  }

  deinit {
    unsafe library.pointee.context_disconnect(context)
    unsafe library.pointee.context_unref(context)
    unsafe library.pointee.mainloop_free(mainloop)
  }

  /// What libpulse passes to the callbacks.
  private var userData: UnsafeMutableRawPointer { unsafe Unmanaged.passUnretained(self).toOpaque() }

  private static func connection(_ userData: UnsafeMutableRawPointer?) -> SinkConnection? {
    unsafe userData.map { unsafe Unmanaged<SinkConnection>.fromOpaque($0).takeUnretainedValue() }
  }

  private var isOpen: Bool { unsafe library.pointee.context_get_state(context) == PA_CONTEXT_READY }

  /// Connects to the server; returns `false` if there is none.
  func open() -> Bool {
    guard unsafe library.pointee.context_connect(context, nil, PA_CONTEXT_NOAUTOSPAWN, nil) >= 0 else { return false }
    return iterate(for: Self.connectionTime) {
      let state = unsafe library.pointee.context_get_state(context)
      return state == PA_CONTEXT_READY ? true : state == PA_CONTEXT_FAILED ? false : nil
    }
  }

  /// Returns the sinks; `nil` if the server does not answer.
  func ask() -> [PulseServer.Sink]? {
    sinks = []
    guard
      let question = unsafe library.pointee.context_get_sink_info_list(
        context, { unsafe SinkConnection.receive($1, $3) }, userData)
    else { return nil }
    defer { unsafe library.pointee.operation_unref(question) }
    let hasEnded = iterate(for: Self.answerTime) {
      unsafe library.pointee.operation_get_state(question) == PA_OPERATION_RUNNING ? nil : true
    }
    return hasEnded && isOpen ? sinks : nil
  }

  /// Calls `receive` with the sinks, now and whenever one comes or goes, until the server ends the connection.
  func follow(_ receive: ([PulseServer.Sink]) -> Void) {
    unsafe library.pointee.context_set_subscribe_callback(
      context, { unsafe SinkConnection.receive(event: $1, $3) }, userData)
    let operation = unsafe library.pointee.context_subscribe(context, PA_SUBSCRIPTION_MASK_SINK, nil, nil)
    if let operation = unsafe operation { unsafe library.pointee.operation_unref(operation) }
    while isOpen {
      if isOutdated {
        isOutdated = false
        guard let sinks = ask() else { return }
        receive(sinks)
      }
      guard isOutdated || exchange(timeout: -1) else { return }
    }
  }

  /// Exchanges messages with the server until `result` is known, and returns it. Returns `false` if that takes longer
  /// than this number of milliseconds.
  private func iterate(for milliseconds: UInt64, until result: () -> Bool?) -> Bool {
    let deadline = MonotonicInstant.now.advanced(byMilliseconds: milliseconds)
    while true {
      if let result = result() { return result }
      guard MonotonicInstant.now < deadline, exchange(timeout: 20_000) else { return false }
    }
  }

  /// Waits for messages, for this number of microseconds at most unless it is negative; returns `false` if that fails.
  private func exchange(timeout: Int32) -> Bool {
    unsafe library.pointee.mainloop_prepare(mainloop, timeout) >= 0 && library.pointee.mainloop_poll(mainloop) >= 0
      && library.pointee.mainloop_dispatch(mainloop) >= 0
  }

  private static func receive(_ info: UnsafePointer<pa_sink_info>?, _ userData: UnsafeMutableRawPointer?) {
    guard let info = unsafe info, let connection = unsafe connection(userData), let name = unsafe info.pointee.name
    else { return }
    let title = unsafe info.pointee.description.map { unsafe String(cString: $0) } ?? ""
    connection.sinks.append(.init(name: unsafe String(cString: name), title: title))
  }

  /// Receives the report that something has happened to a sink: that it was changed does not matter.
  private static func receive(event: pa_subscription_event_type_t, _ userData: UnsafeMutableRawPointer?) {
    let kind = event.rawValue & PA_SUBSCRIPTION_EVENT_TYPE_MASK.rawValue
    guard kind != PA_SUBSCRIPTION_EVENT_CHANGE.rawValue else { return }
    unsafe connection(userData)?.isOutdated = true
  }
}
