// SPDX-License-Identifier: GPL-3.0-or-later

import CoverDrawing

enum CoverCheck {
  private static let kinds: [TerminalGraphics] = [.symbols, .sixels, .kitty, .iTerm2]

  /// Returns the problem in the drawing of the picture in `bytes`.
  static func problem(in bytes: [UInt8]) -> String? {
    let canvas = CoverCanvas(columns: 8, rows: 4, graphics: kinds[bytes.count % 4], colours: .indexed256)
    guard let cover = DrawnCover(bytes, on: canvas) else { return nil }
    guard (1...canvas.columns).contains(cover.columns), (1...canvas.rows).contains(cover.rows) else {
      return "a cover of \(cover.columns) by \(cover.rows) cells"
    }
    switch cover.content {
    case .rows(let rows):
      if rows.count > canvas.rows { return "\(rows.count) rows" }
      return TextRules.firstProblem(rows) { $0.contains { $0.isNewline } ? "a row with a line break" : nil }
    case .image(let image): return image.isEmpty ? "an empty image" : nil
    }
  }
}
