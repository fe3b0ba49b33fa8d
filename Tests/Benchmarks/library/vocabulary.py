# SPDX-License-Identifier: GPL-3.0-or-later
"""Reproducible words and names in many scripts: a few of them frequent, most of them rare, as in real text."""

import random
from functools import lru_cache

COMMON = (
    "the of and a in love you me to my on for night with is it blue time all no heart day from be one live your i this "
    "like man world down home light song black red way dream life we girl what little back up good never moon rain sun "
    "fire train street river sky road remix blues waltz suite sonata symphony concerto demo edit version").split()
ALPHABETS = {
    "latin": (20_000, "b c d f g h j k l m n p r s t v w z br ch dr fl gr pl qu sh st th tr".split(),
              "a e i o u ai ea ee io ou é ö ü å ø".split()),
    "cyrillic": (4_000, "б в г д ж з к л м н п р с т ф х ч ш".split(), "а е и о у ы э ю я ё".split()),
    "greek": (2_000, "β γ δ ζ θ κ λ μ ν π ρ σ τ φ χ".split(), "α ε η ι ο υ ω ά έ ό".split()),
    "japanese": (4_000, list("夜月花雪風空海光夢歌心時音春秋君愛世界東京"), list("あいうえおかきくけこさしすせそたちつてとのはひふへほカキクコサシスタテトラリルレロン")),
    "korean": (2_000, list("가나다라마바사아자차카타파하"), list("고노도로모보소오조초코토포호강남달람맘")),
    "arabic": (1_000, list("بتجحدرزسشصضطعغفقكلمنه"), list("اوي")),
    "hebrew": (1_000, list("בגדהזחטכלמנספצקרשת"), list("אויע")),
    "thai": (1_000, list("กขคงจชดตทนบปพมยรลวส"), list("าะิีุูเแโ")),
}
SCRIPTS = random.Random("scripts").choices(
    list(ALPHABETS), weights=[78, 6, 2, 6, 3, 2, 1, 2], k=4_096)
GENRES = (
    "Rock;Jazz;Pop;Classical;Electronic;Folk;Hip-Hop;Metal;Blues;Soul;Ambient;Country;Reggae;Punk;Techno;House;R&B;"
    "Soundtrack;Indie;Hard Bop;Free Jazz;Opera;Baroque;Chanson;Fado;Flamenco;Tango;Samba;Bossa Nova;Dub;Ska;Grime;"
    "Drum and Bass;Trance;Post-Rock;Shoegaze;Krautrock;Drone;Noise;Musique concrète;Enka;演歌;J-Pop;K-Pop;Шансон;"
    "Ρεμπέτικο;Raï;Qawwali;Gamelan;Afrobeat;Highlife;Zydeco;Bluegrass;Gospel;Swing;Big Band;Ragtime;Minimal;Spoken Word"
).split(";")

# Common album titles.
STOCK = ["Greatest Hits", "Live", "The Best Of", "Unplugged", "Anthology", "Demo", "Singles", "Gold", "EP", "Untitled"]


def rank(source: random.Random, count: int) -> int:
    """A random number below `count`; small ones are much more frequent."""
    return min(count - 1, int(count ** source.random()) - 1)


@lru_cache(maxsize=None)
def word(script: str, number: int) -> str:
    if script == "latin" and number < len(COMMON):
        return COMMON[number]
    _, first, second = ALPHABETS[script]
    source = random.Random(f"{script}/{number}")
    return "".join(source.choice(first) + source.choice(second) for _ in range(source.choice([1, 2, 2, 2, 3, 3])))


def words(source: random.Random, script: str, count: int) -> str:
    """A text of `count` words, of which the last is chosen uniformly."""
    size = ALPHABETS[script][0]
    found = [word(script, rank(source, size)) for _ in range(count)]
    found[-1] = word(script, source.randrange(size))
    return "".join(found) if script in ("japanese", "thai") else " ".join(text.capitalize() for text in found)


@lru_cache(maxsize=1 << 18)
def artist(number: int) -> tuple[str, str, str | None]:
    """The script, the name and the sort name of an artist."""
    source = random.Random(f"artist/{number}")
    script = SCRIPTS[number * 7 % len(SCRIPTS)]
    size = ALPHABETS[script][0]
    parts = [word(script, source.randrange(size)) for _ in range(source.choice([1, 2, 2, 2, 3]))]
    if script == "japanese":
        kana = ALPHABETS[script][2]
        return script, "".join(parts), "".join(source.choices(kana[:33], k=5)) if source.random() < 0.5 else None
    name = " ".join(part.capitalize() for part in parts)
    if script == "latin" and source.random() < 0.2:
        return script, "The " + name, name + ", The" if source.random() < 0.5 else None
    if len(parts) == 2 and source.random() < 0.3:
        return script, name, ", ".join(reversed(name.split(" ")))
    return script, name, None
