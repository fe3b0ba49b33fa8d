// SPDX-License-Identifier: GPL-3.0-or-later

import CPulse

extension PulseServer {
  /// A sink of the server, to which an output can play.
  public struct Sink: Sendable, Hashable {
    public let name: String
    /// The description for people.
    public let title: String
  }

  /// The sinks of the server, in its order; empty if there is no server, or it does not answer. Blocks for up to a
  /// second.
  public static var sinks: [Sink] { SinkQuestion()?.answer() ?? [] }
}

/// A connection to the server that only asks for the sinks. Used by one thread, and by libpulse within its calls.
@safe
private final class SinkQuestion {
  /// How long to wait for the server, in milliseconds, and in how many steps.
  private static let (stepMilliseconds, stepCount): (Int32, Int) = (20, 50)

  private let library: UnsafePointer<PulseLibrary>
  private let mainloop: OpaquePointer
  private let context: OpaquePointer
  private var sinks: [PulseServer.Sink] = []

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

  func answer() -> [PulseServer.Sink] {
    guard unsafe library.pointee.context_connect(context, nil, PA_CONTEXT_NOAUTOSPAWN, nil) >= 0 else { return [] }
    let isReady = iterate {
      let state = unsafe library.pointee.context_get_state(context)
      return state == PA_CONTEXT_READY ? true : state == PA_CONTEXT_FAILED ? false : nil
    }
    let userData = unsafe Unmanaged.passUnretained(self).toOpaque()
    guard isReady,
      let question = unsafe library.pointee.context_get_sink_info_list(
        context, { unsafe SinkQuestion.receive($1, $3) }, userData)
    else { return [] }
    defer { unsafe library.pointee.operation_unref(question) }
    _ = iterate { unsafe library.pointee.operation_get_state(question) == PA_OPERATION_RUNNING ? nil : true }
    return sinks
  }

  /// Exchanges messages with the server until `result` returns a value. Returns `false` if that takes too long.
  private func iterate(until result: () -> Bool?) -> Bool {
    for _ in 0..<Self.stepCount {
      if let result = result() { return result }
      guard unsafe library.pointee.mainloop_prepare(mainloop, Self.stepMilliseconds * 1_000) >= 0,
        unsafe library.pointee.mainloop_poll(mainloop) >= 0,
        unsafe library.pointee.mainloop_dispatch(mainloop) >= 0
      else { return false }
    }
    return result() ?? false
  }

  private static func receive(_ info: UnsafePointer<pa_sink_info>?, _ userData: UnsafeMutableRawPointer?) {
    guard let info = unsafe info, let userData = unsafe userData, let name = unsafe info.pointee.name else { return }
    let question = unsafe Unmanaged<SinkQuestion>.fromOpaque(userData).takeUnretainedValue()
    let title = unsafe info.pointee.description.map { unsafe String(cString: $0) } ?? ""
    question.sinks.append(.init(name: unsafe String(cString: name), title: title))
  }
}
