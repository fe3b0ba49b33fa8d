#if os(Linux)
  import Testing

  @testable import Platform

  struct MountPointsTests {
    private let table = """
      22 1 254:0 / / rw,relatime - ext4 /dev/vda rw
      30 22 0:26 / /home/me/Music rw - tmpfs none rw
      31 22 0:27 / /home/me/Music/My\\040disc rw - tmpfs none rw
      32 22 0:28 / /home/me/Musical rw - tmpfs none rw
      short line

      """

    @Test func `What is mounted at or below a path is found, with blanks in names`() {
      func count(_ path: String) -> Int {
        MountPoints.lines(of: Array(table.utf8), at: Array(path.utf8)).count
      }
      #expect(count("/home/me/Music") == 2)
      #expect(count("/home/me/Music/My disc") == 1)
      #expect(count("/home/me/Music/My") == 0)
      #expect(count("/home") == 3)
      #expect(count("/") == 4)
    }
  }
#endif
