// Nothing of this target is called by its name: its functions take the place of the Swift library's.
