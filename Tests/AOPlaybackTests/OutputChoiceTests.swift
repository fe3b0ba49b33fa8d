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
      ("fifo:/tmp/a:b", .fifo("/tmp/a:b")),
    ] as [(String, OutputChoice)])
  func `an output is understood`(text: String, choice: OutputChoice) throws {
    #expect(try OutputChoice(parsing: text) == choice)
  }

  @Test(arguments: ["", ":", ":x", "wav", "wav:", "au", "raw:", "fifo", "fifo:"])
  func `an output without a driver, or a file without a name, is an error`(text: String) {
    #expect(throws: OutputError.self) { try OutputChoice(parsing: text) }
  }

  @Test(arguments: [
    ("raw:/tmp/nosuch-fifo", true, true), ("raw:/run/user/1000/nosuch-fifo", true, true),
    ("raw:/tmp/nosuch.raw", false, true), ("raw:nosuch", false, true), ("raw:/nosuch/fifo", false, true),
    ("raw:/", false, true), ("raw:/dev/null", false, false), ("raw:-", false, false),
    ("fifo:/tmp/nosuch-fifo", false, false),
    ("wav:/tmp/nosuch-fifo", false, false), ("silent", false, false),
  ])
  func `a file where a FIFO may be meant is a mistake`(text: String, playing: Bool, serving: Bool) throws {
    let choice = try OutputChoice(parsing: text)
    #expect((choice.mistake(isServing: false) != nil) == playing)
    #expect((choice.mistake(isServing: true) != nil) == serving)
  }
}
