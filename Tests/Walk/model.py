# SPDX-License-Identifier: GPL-3.0-or-later
"""What the player must have after the edits that it has acknowledged."""

from collections.abc import Callable
from dataclasses import dataclass, field

# An item is a pair of its ID, or `None` if it has just been added, and its URI, or `None` if that is not known.
Items = list[tuple[int | None, str | None]]
# An edit of the queue: its name and its arguments.
Edit = tuple


def applied(edit: Edit, items: Items) -> Items | None:
    """The items after an edit; `None` if the player must refuse it."""
    items, count = list(items), len(items)
    ids = [item[0] for item in items]
    match edit:
        case ("addid", uri, position):
            position = count if position is None else position
            return None if position > count else items[:position] + [(None, uri)] + items[position:]
        case ("delete", start, end):
            return None if start > count else items[:start] + items[max(start, end):]
        case ("deleteid", number):
            return None if number not in ids else [item for item in items if item[0] != number]
        case ("move", start, end, target):
            if not start < end <= count or target > count - (end - start):
                return None
            rest = items[:start] + items[end:]
            return rest[:target] + items[start:end] + rest[target:]
        case ("moveid", number, target):
            return None if number not in ids else applied(("move", (at := ids.index(number)), at + 1, target), items)
        case ("swap", one, other):
            if max(one, other) >= count:
                return None
            items[one], items[other] = items[other], items[one]
            return items
        case ("swapid", one, other):
            if one not in ids or other not in ids:
                return None
            return applied(("swap", ids.index(one), ids.index(other)), items)
        case ("clear",):
            return []
    raise AssertionError(edit)


# A check of the queue: returns what was expected if `new` cannot follow from `old`, in which no ID exceeds `last`.
Check = Callable[[Items, Items, int], str | None]


def exactly(expected: Items, *others: Items) -> Check:
    """The queue is one of these."""
    def check(old: Items, new: Items, last: int) -> str | None:
        for items in (expected, *others):
            if len(items) == len(new) and all(
                (number > last if want is None else want == number) and uri in (None, seen)
                for (want, uri), (number, seen) in zip(items, new)
            ):
                return None
        return " or ".join(str(items) for items in (expected, *others))
    return check


def unchanged(old: Items, new: Items, last: int) -> str | None:
    """The queue is as before."""
    return None if old == new else f"unchanged: {old}"


def permuted(start: int = 0, end: int | None = None) -> Check:
    """The items from `start` to `end` are in any order; the others are unchanged."""
    def check(old: Items, new: Items, last: int) -> str | None:
        stop = len(old) if end is None else end
        if old[:start] == new[:start] and old[stop:] == new[stop:] and sorted(old) == sorted(new):
            return None
        return f"the same with {start} to {stop} in any order: {old}"
    return check


def inserted(position: int | None, fits: Callable[[list[str]], bool]) -> Check:
    """New items whose URIs fit were inserted at `position`; anywhere if that is `None`."""
    def check(old: Items, new: Items, last: int) -> str | None:
        added = [place for place, (number, _) in enumerate(new) if number > last]
        place = added[0] if added else 0
        if new[:place] + new[place + len(added):] == old and fits([uri for _, uri in new[place:place + len(added)]]):
            if not added or position in (None, place):
                return None
        return f"fitting items inserted at {position} into {old}"
    return check


def reduced(old: Items, new: Items, last: int) -> str | None:
    """Some items may be gone."""
    rest = iter(old)
    return None if all(item in rest for item in new) else f"part of {old}"


def replaced(old: Items, new: Items, last: int) -> str | None:
    """All items are new."""
    return None if all(number > last for number, _ in new) else f"only items with IDs above {last}"


def either(*checks: Check) -> Check:
    """One of the checks holds."""
    def check(old: Items, new: Items, last: int) -> str | None:
        failures = [check(old, new, last) for check in checks]
        return None if None in failures else " or ".join(failures)
    return check


def consumed(old: Items, new: Items, last: int) -> str | None:
    """While items are consumed, no item may come back."""
    known = {number for number, _ in old}
    return None if all(number in known or number > last for number, _ in new) else f"nothing but new ones and {old}"


@dataclass
class Model:
    """The state that the player has acknowledged."""

    items: Items = field(default_factory=list)
    # The highest ID so far.
    last: int = 0
    # What the queue was after each edit, as IDs; `None` for an ID that is not known.
    past: set[tuple[int | None, ...]] = field(default_factory=lambda: {()})
    modes: dict[str, str] = field(default_factory=dict)
    playlists: dict[str, list[str]] = field(default_factory=dict)
    ratings: dict[str, str] = field(default_factory=dict)
    # The version of the queue, and the songs and their lines that a client has that reads only changes.
    version: int = 0
    view: list[list[str]] = field(default_factory=list)
    state: str = "stop"
    volume: str = "100"
    output: bool = True
    # Whether playback may stop after a track or an album.
    stops: bool = False

    def take(self, items: Items) -> None:
        self.items = items
        self.remember(items)
        self.last = max([self.last] + [number for number, _ in items])

    def remember(self, items: Items) -> None:
        """Records that the queue was this for a while."""
        self.past.add(tuple(number for number, _ in items))

    def was(self, items: Items) -> bool:
        """Whether the queue was this before."""
        ids = [number for number, _ in items]
        return any(
            len(past) == len(ids) and all(one in (None, other) for one, other in zip(past, ids)) for past in self.past)
