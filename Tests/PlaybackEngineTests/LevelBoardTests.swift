import AudioCore
import Platform
import Testing

@testable import PlaybackEngine

struct LevelBoardTests {
  private static let start = MonotonicInstant(nanoseconds: 1_000_000_000)

  private static func show(
    _ samples: [Float], on board: LevelBoard, channels: Int = 2, gain: Float = 1, rate: Int = 300
  ) {
    unsafe samples.withUnsafeBufferPointer {
      unsafe board.show($0, channels: channels, gain: gain, sampleRate: rate, due: start)
    }
  }

  private static func levels(_ board: LevelBoard, milliseconds: UInt64) -> SoundLevels? {
    board.levels(at: start.advanced(byMilliseconds: milliseconds))
  }

  @Test func `Peak and mean of each channel are those of what is heard at the moment`() throws {
    let board = LevelBoard()
    // Ten frames to a thirtieth of a second.
    var loud: [Float] = []
    for frame in 0..<10 { loud += [frame.isMultiple(of: 2) ? 0.5 : -0.5, frame == 3 ? -1 : 0] }
    Self.show(loud + [Float](repeating: 0.25, count: 20), on: board)
    #expect(Self.levels(board, milliseconds: 0)?.peak == .init(left: 0.5, right: 1))
    let first = try #require(Self.levels(board, milliseconds: 20))
    #expect(first.rms.left == 0.5)
    #expect(abs(first.rms.right - 0.316_227_8) < 1e-6)
    #expect(Self.levels(board, milliseconds: 34)?.peak == .init(left: 0.25, right: 0.25))
    #expect(board.levels(at: MonotonicInstant(nanoseconds: 999_999_999)) == nil)
    #expect(Self.levels(board, milliseconds: 400) == nil)
  }

  @Test func `The volume counts, one channel is both, and of more the first two`() {
    let board = LevelBoard()
    Self.show([0.5, 0.5], on: board, channels: 1, gain: 0.5)
    #expect(Self.levels(board, milliseconds: 1)?.peak == .init(left: 0.25, right: 0.25))
    Self.show([0.1, 0.2, 0.9, 0.1, 0.2, 0.9], on: board, channels: 3)
    #expect(Self.levels(board, milliseconds: 1)?.peak == .init(left: 0.1, right: 0.2))
  }

  @Test func `What is older than the places is forgotten, and nothing is shown of nothing`() {
    let board = LevelBoard()
    #expect(Self.levels(board, milliseconds: 1) == nil)
    Self.show([], on: board)
    #expect(Self.levels(board, milliseconds: 1) == nil)
    for _ in 0..<2_000 { Self.show([1, 1], on: board) }
    #expect(Self.levels(board, milliseconds: 1)?.peak == .init(left: 1, right: 1))
  }
}
