import AOPlayback
import AudioCore
import SystemPackage
import TestSupport
import Testing

@Suite struct OutputChoiceTests {
  @Test(
    arguments: [
      ("silent", .silent(speed: 1)), ("silent:20", .silent(speed: 20)), ("pulse", .live(driver: "pulse", device: nil)),
      ("pulse:", .live(driver: "pulse", device: nil)),
      ("alsa:hw:0,1", .live(driver: "alsa", device: "hw:0,1")),
      ("wav:out.wav", .file(driver: "wav", "out.wav")), ("raw:a:b", .file(driver: "raw", "a:b")),
      ("au:/tmp/x y", .file(driver: "au", "/tmp/x y")), ("wav:-", .file(driver: "wav", "-")),
    ] as [(String, OutputChoice)])
  func `an output is understood`(text: String, choice: OutputChoice) throws {
    #expect(try OutputChoice(parsing: text) == choice)
  }

  @Test(arguments: ["", ":", ":x", "wav", "wav:", "au", "raw:"])
  func `an output without a driver, or a file without a name, is an error`(text: String) {
    #expect(throws: OutputError.self) { try OutputChoice(parsing: text) }
  }
}
