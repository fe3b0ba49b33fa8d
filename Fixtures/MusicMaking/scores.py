# SPDX-License-Identifier: GPL-3.0-or-later
"""The music: short pieces in the public domain, as note lists.

Melodies follow the originals; the accompaniments are plain arrangements.
The comment of each score names the length of a beat.
"""

from notation import Score, Voice

# Johann Pachelbel, Canon in D (about 1690). Beat: crotchet.
CANON_GROUND = "D3:1 A2 B2 F#2 G2 D2 G2 A2 | "
CANON_FIRST = "F#5:1 E5 D5 C#5 B4 A4 B4 C#5 | "
CANON_SECOND = "D5:1 C#5 B4 A4 G4 F#4 G4 E4 | "
CANON_THIRD = "D4:.5 F#4 A4 G4 F#4 D4 F#4 E4 D4 B3 D4 A4 G4 B4 A4 G4 | "
CANON_FOURTH = "F#4:.5 D4 E4 C#5 D5 F#5 A5 A4 B4 G4 A4 F#4 D4 D5 D5:.75 C#5:.25 | "
CANON = Score(88, 1.5, (
    Voice("pluck", 0.0, 0.9, CANON_GROUND * 4 + "D2+D3:4"),
    Voice("strings", -0.5, 0.5,
          CANON_FIRST + CANON_SECOND + CANON_THIRD + CANON_FOURTH + "D5:3"),
    Voice("strings", 0.5, 0.5,
          "R:8 | " + CANON_FIRST + CANON_SECOND + CANON_THIRD + "F#4:3"),
    Voice("strings", 0.1, 0.4, "R:16 | " + CANON_FIRST + CANON_SECOND + "A4:3"),
))

# Johann Sebastian Bach, Prelude in C, BWV 846 (1722), bars 1 to 4.
# Beat: semiquaver.
PRELUDE_IN_C = Score(300, 2.0, (
    Voice("pluck", 0.15, 0.8,
          "R:2 G4:1 C5 E5 G4 C5 E5 R:2 G4:1 C5 E5 G4 C5 E5 | "
          "R:2 A4:1 D5 F5 A4 D5 F5 R:2 A4:1 D5 F5 A4 D5 F5 | "
          "R:2 G4:1 D5 F5 G4 D5 F5 R:2 G4:1 D5 F5 G4 D5 F5 | "
          "R:2 G4:1 C5 E5 G4 C5 E5 R:2 G4:1 C5 E5 G4 C5 E5 | C5:6"),
    Voice("pluck", -0.15, 0.8,
          "C4:8 C4 | C4 C4 | B3 B3 | C4 C4 | C3+C4:6"),
    Voice("pluck", 0.0, 0.7,
          "R:1 E4:7 R:1 E4:7 | R:1 D4:7 R:1 D4:7 | "
          "R:1 D4:7 R:1 D4:7 | R:1 E4:7 R:1 E4:7 | E4+G4:6"),
))

# Ludwig van Beethoven, Bagatelle "Fuer Elise" WoO 59 (1810), bars 1 to 8.
# Beat: semiquaver.
FUER_ELISE = Score(285, 2.0, (
    Voice("piano", 0.2, 0.8,
          "E5:1 D#5 | E5 D#5 E5 B4 D5 C5 | A4:3 C4:1 E4 A4 | B4:3 E4:1 G#4 B4 | "
          "C5:3 E4:1 E5 D#5 | E5 D#5 E5 B4 D5 C5 | A4:3 C4:1 E4 A4 | "
          "B4:3 E4:1 C5 B4 | A4:8"),
    Voice("piano", -0.2, 0.6,
          "R:2 | R:6 | A2:2 E3:1 A3:3 | E2:2 E3:1 G#3:3 | A2:2 E3:1 A3:3 | "
          "R:6 | A2:2 E3:1 A3:3 | E2:2 E3:1 G#3:3 | A2:1 E3 A3:6"),
))

# Erik Satie, Gymnopedie No. 1 (1888), the opening. Beat: crotchet.
GYMNOPEDIE = Score(78, 2.0, (
    Voice("piano", 0.2, 0.9,
          "R:6 | R:1 F#5 A5 | G5 F#5 C#5 | B4 C#5 D5 | A4:3 | F#4:6"),
    Voice("piano", -0.1, 0.35,
          "R:1 B3+D4+F#4:2 | R:1 A3+C#4+F#4:2 | " * 4),
    Voice("piano", -0.3, 0.7, "G2:3 D2 G2 D2 G2 D2 G2 D2"),
))

# Johannes Brahms, "Wiegenlied" op. 49 no. 4 (1868). Beat: crotchet.
LULLABY = Score(96, 2.0, (
    Voice("music box", 0.2, 0.7,
          "A5:.5 A5 | C6:1.5 A5:.5 A5:1 | C6:2 A5:.5 C6 | F6:1 E6:1.5 D6:.5 | "
          "D6:1 C6 G5:.5 A5 | Bb5:1 G5 G5:.5 A5 | Bb5:2 G5:.5 Bb5 | "
          "E6:.5 D6 C6:1 E6 | F6:3"),
    Voice("music box", -0.3, 0.4,
          "R:1 | F4:1 A4+C5 A4+C5 | F4 A4+C5 A4+C5 | F4 A4+C5 Bb4+D5 | "
          "F4 A4+C5 R | C4 E4+Bb4 E4+Bb4 | C4 E4+Bb4 E4+Bb4 | "
          "C4 E4+Bb4 E4+Bb4 | F4 A4 C5"),
))

# Edvard Grieg, "Morning Mood" from Peer Gynt op. 23 (1875). Beat: quaver.
MORNING_FLUTE = (
    "B5:1 G#5 F#5 E5 F#5 G#5 | B5 G#5 F#5 E5 F#5:.5 G#5 F#5 G#5 | "
    "B5:1 G#5 B5 C#6 G#5 C#6 | B5 G#5 F#5 E5:3 | "
)
MORNING_OBOE = (
    "B4:1 G#4 F#4 E4 F#4 G#4 | B4 G#4 F#4 E4 F#4:.5 G#4 F#4 G#4 | "
    "B4:1 G#4 B4 C#5 G#4 C#5 | B4 G#4 F#4 E4:4"
)
MORNING_CHORDS = "E3+B3+G#4:6 E3+B3+G#4 | E3+B3+G#4:3 C#3+G#3+E4 | E3+B3+G#4:6 | "
MORNING_MOOD = Score(168, 2.0, (
    Voice("flute", 0.35, 0.8, MORNING_FLUTE),
    Voice("strings", -0.35, 0.6, "R:24 | " + MORNING_OBOE),
    Voice("organ", 0.0, 0.22, MORNING_CHORDS * 2),
))

# Scott Joplin, "The Entertainer" (1902), the first strain. Beat: semiquaver.
ENTERTAINER_THEME = (
    "D4:1 D#4 | E4 C5:2 E4:1 C5:2 E4:1 C5:6 C5+C6:1 D5+D6 D#5+D#6 | "
    "E5+E6 C5+C6 D5+D6 E5+E6:2 B4+B5:1 D5+D6:2 | C5+C6:6 "
)
ENTERTAINER_BASS = (
    "R:2 | C3:2 G3+C4+E4 Bb2 G3+C4+E4 | A2 F3+A3+C4 G2 E3+G3+C4 | "
    "G2 E3+G3+C4 G2 F3+G3+B3 | C3 E3+G3+C4 C3 "
)
ENTERTAINER = Score(310, 1.5, (
    Voice("piano", 0.2, 0.6, ENTERTAINER_THEME * 2),
    Voice("piano", -0.2, 0.5, ENTERTAINER_BASS * 2),
))

# "Greensleeves", English traditional (16th century). Beat: quaver.
GREENSLEEVES = Score(186, 2.0, (
    Voice("pluck", 0.25, 1.0,
          "A4:1 | C5:2 D5:1 E5:1.5 F5:.5 E5:1 | D5:2 B4:1 G4:1.5 A4:.5 B4:1 | "
          "C5:2 A4:1 A4:1.5 G#4:.5 A4:1 | B4:2 G#4:1 E4:2 A4:1 | "
          "C5:2 D5:1 E5:1.5 F5:.5 E5:1 | D5:2 B4:1 G4:1.5 A4:.5 B4:1 | "
          "C5:1.5 B4:.5 A4:1 G#4:1.5 F#4:.5 G#4:1 | A4:5"),
    Voice("pluck", -0.25, 0.6,
          "R:1 | A2:1 E3 A3 C4 A3 E3 | G2 D3 G3 B3 G3 D3 | F2 C3 F3 A3 F3 C3 | "
          "E2 B2 E3 G#3 E3 B2 | A2 E3 A3 C4 A3 E3 | G2 D3 G3 B3 G3 D3 | "
          "A2 E3 A3 E2 B2 E3 | A2 E3 A3:3"),
))

# Christian Petzold, Minuet in G (about 1725). Beat: crotchet.
MINUET_OPENING = (
    "D5:1 G4:.5 A4 B4 C5 | D5:1 G4 G4 | E5 C5:.5 D5 E5 F#5 | G5:1 G4 G4 | "
    "C5 D5:.5 C5 B4 A4 | B4:1 C5:.5 B4 A4 G4 | "
)
MINUET = Score(152, 1.8, (
    Voice("pluck", 0.25, 0.9,
          MINUET_OPENING + "F#4:1 G4:.5 A4 B4 G4 | A4:3 | "
          + MINUET_OPENING + "A4:1 B4:.5 A4 G4 F#4 | G4:3"),
    Voice("pluck", -0.25, 0.7,
          "G3+B3+D4:2 A3:1 | B3:3 | C4 | B3 | A3 | G3 | D4:1 B3 G3 | "
          "D4 D3:.5 C4 B3 A3 | B3:2 A3:1 | G3 B3 G3 | C4:3 | "
          "B3:1 C4:.5 B3 A3 G3 | A3:2 F#3:1 | G3:2 B3:1 | C4 D4 D3 | G3:2 G2:1"),
))

# Ludwig van Beethoven, the theme of "Ode to Joy" (1824). Beat: crotchet.
JOY_OPENING = "F#4:1 F#4 G4 A4 | A4 G4 F#4 E4 | D4 D4 E4 F#4 | "
ODE_TO_JOY = Score(116, 1.8, (
    Voice("organ", 0.15, 0.8,
          JOY_OPENING + "F#4:1.5 E4:.5 E4:2 | " + JOY_OPENING + "E4:1.5 D4:.5 D4:3"),
    Voice("organ", -0.15, 0.3,
          "D3+A3+D4:4 | A2+E3+C#4 | D3+A3+D4 | D3+A3:1.5 A2+E3+C#4:2.5 | "
          "D3+A3+D4:4 | A2+E3+C#4 | D3+A3+D4 | A2+E3+C#4:1.5 D3+A3:3.5"),
))

# "Auld Lang Syne", Scottish traditional (printed 1799). Beat: crotchet.
AULD_LANG_SYNE = Score(112, 2.0, (
    Voice("flute", 0.25, 0.8,
          "C4:1 | F4:1.5 F4:.5 F4:1 A4 | G4:1.5 F4:.5 G4:1 A4 | "
          "F4:1.5 F4:.5 A4:1 C5 | D5:3 D5:1 | C5:1.5 A4:.5 A4:1 F4 | "
          "G4:1.5 F4:.5 G4:1 A4 | F4:1.5 D4:.5 D4:1 C4 | F4:4"),
    Voice("pluck", -0.25, 0.8,
          "R:1 | F2:1 C3 F3 A3 | C3 G3 Bb3 C4 | F2 C3 F3 A3 | Bb2 F3 Bb3 D4 | "
          "F2 C3 F3 A3 | C3 G3 Bb3 C4 | D3 Bb2 G2 C3 | F2 C3 F3+A3:2"),
))

# "Sakura sakura", Japanese traditional (Edo period). Beat: crotchet.
SAKURA_CALL = "A4:1 A4 B4:2 | A4:1 A4 B4:2 | "
SAKURA = Score(112, 2.0, (
    Voice("pluck", 0.15, 1.0,
          SAKURA_CALL
          + "A4:1 B4 C5 B4 | A4 B4:.5 A4 F4:2 | E4:1 C4 E4 F4 | E4 E4:.5 C4 B3:2 | "
          + SAKURA_CALL + "E4:1 F4 B4:.5 A4 F4:1 | E4:4"),
    Voice("pluck", -0.15, 0.6,
          "A3:2 E3 | A3 E3 | F3 A3 | F3 D3 | A3 C4 | A3 E3 | "
          "A3 E3 | A3 E3 | A3 F3 | E3:1 B3 E4:2"),
))

# Taki Rentaro, "Kojo no tsuki" (1901), in A minor. Beat: crotchet.
KOJO_PHRASE = "E4:1 E4 A4 B4 | C5 B4 A4:2 | "
KOJO_NO_TSUKI = Score(124, 1.5, (
    Voice("flute", 0.0, 0.8,
          KOJO_PHRASE + "F4:1 F4 E4 D#4 | E4:4 | " + KOJO_PHRASE
          + "F4:1 D4 E4 E4 | A3:3"),
    Voice("pluck", 0.0, 0.7,
          "A2:2 E3 | A2 E3 | D3 B2 | E3:1 B3 E4:2 | A2 E3 | A2 E3 | D3 E3 | A2:3"),
))

# "Chocho", the German tune "Haenschen klein" (18th century), sung in Japan
# since 1881. Beat: crotchet.
CHOCHO = Score(172, 1.2, (
    Voice("music box", 0.0, 0.8,
          "G5:1 E5 E5:2 | F5:1 D5 D5:2 | C5:1 D5 E5 F5 | G5 G5 G5:2 | "
          "G5:1 E5 E5 E5 | F5 D5 D5 D5 | C5 E5 G5 G5 | E5 E5 E5:2"),
    Voice("music box", 0.0, 0.4,
          "C4:2 G4 | B3 G4 | C4 G4 | B3 G4 | C4 G4 | B3 G4 | C4 B3 | C4:4"),
))
