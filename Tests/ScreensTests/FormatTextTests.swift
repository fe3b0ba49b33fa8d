// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import PlayerFlow
import TestSupport
import Testing

@testable import Screens

@Suite struct FormatTextTests {
  @Test(
    arguments: [
      (.integer(bits: 8), "8 bits, 44100 Hz, stereo"), (.integer(bits: 32), "32 bits, 44100 Hz, stereo"),
      (.float(bits: 32), "32-bit float, 44100 Hz, stereo"),
      (.float(bits: 64), "64-bit float, 44100 Hz, stereo"), (.lossy, "lossy, 44100 Hz, stereo"),
    ] as [(SampleCoding, String)])
  func `A format describes the coding of its samples`(coding: SampleCoding, text: String) {
    let format = AudioFormat.of(44_100, channels: 2, coding: coding)
    #expect(FormatText.text(PlayerStatus.Format(format)) == text)
  }

  @Test func `DSD is described by its name, in files and in outputs`() {
    let format = AudioFormat.of(176_400, channels: 2, coding: .dsd)
    #expect(FormatText.text(PlayerStatus.Format(format)) == "DSD64, stereo")
    #expect(FormatText.text(PlayerStatus.Format(DeviceFormat(for: format))) == "DSD64, stereo")
    #expect(PlayerStatus.Format(format).sampleRate == 2_822_400)
  }
}
