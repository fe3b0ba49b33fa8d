// SPDX-License-Identifier: GPL-3.0-or-later

import Flux
import Platform
import PlayerPort
import Synchronization
import Terminal
import UserSettings

/// The level meter and the spectrum, which come from the player.
extension FullScreenView {
  /// The frames of the sound that a view observes.
  struct SoundFeed {
    let bands: Int
    let inbox: SoundInbox
    let subscription: Subscription
  }

  /// Observes the sound while it is shown, and only then.
  func updateSound() {
    var bands: Int?
    if isShown, model.area(of: .levels) != nil { bands = 0 }
    if isShown, let area = model.area(of: .spectrum) {
      bands = FullScreenDrawing.spectrum(in: area, drawing.spectrumForm).bandCount
    }
    guard bands != sound?.bands else { return }
    sound?.subscription.cancel()
    (sound, drawing.sound) = (nil, nil)
    guard let bands else { return }
    let inbox = SoundInbox()
    let subscription = player.observeSound(bands: bands) { [events] frame in
      if inbox.put(frame) { events.post(.soundArrived) }
    }
    sound = SoundFeed(bands: bands, inbox: inbox, subscription: subscription)
  }

  /// Shows the newest frame of the sound.
  func receiveSound() {
    guard let sound, let frame = sound.inbox.take() else { return }
    drawing.sound = frame
    guard sound.bands > 0, frame.spectrum == nil else { return }
    model.memory.side = .levels
    model.show("the spectrum needs the library FFTW (libfftw3f), which is not installed", isError: true)
  }
}

extension SpectrumDrawing.Form {
  /// Creates the form for a style on a terminal of type `$TERM`. The fonts of consoles have neither eighths of blocks
  /// nor braille.
  init(_ style: SpectrumStyle, type: String?, isASCII: Bool) {
    self = isASCII ? .ascii : type == "linux" ? .halves : style == .braille ? .braille : .bars
  }
}

/// The newest frame of the sound, on its way to the main thread.
final class SoundInbox: Sendable {
  private let frame = Mutex<SoundFrame?>(nil)

  /// Stores a frame. Returns whether the last one has been taken, so that this one has to be announced.
  func put(_ new: SoundFrame) -> Bool {
    frame.withLock { frame in
      defer { frame = new }
      return frame == nil
    }
  }

  func take() -> SoundFrame? { frame.withLock { $0.take() } }
}
