// Nothing in this target is called directly: its functions replace those of the Swift library.
