// SPDX-License-Identifier: GPL-3.0-or-later

// Nothing in this target is called directly: its functions replace those of the Swift library.
