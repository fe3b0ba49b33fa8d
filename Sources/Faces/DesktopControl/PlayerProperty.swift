/// A property of MPRIS, by its name: those of the root interface, of the player, and of its
/// list of tracks.
enum PlayerProperty: String, Sendable, CaseIterable {
  case canQuit = "CanQuit"
  case canRaise = "CanRaise"
  case hasTrackList = "HasTrackList"
  case identity = "Identity"
  case desktopEntry = "DesktopEntry"
  case supportedURISchemes = "SupportedUriSchemes"
  case supportedMIMETypes = "SupportedMimeTypes"

  case playbackStatus = "PlaybackStatus"
  case loopStatus = "LoopStatus"
  case rate = "Rate"
  case shuffle = "Shuffle"
  case metadata = "Metadata"
  case volume = "Volume"
  case position = "Position"
  case minimumRate = "MinimumRate"
  case maximumRate = "MaximumRate"
  case canGoNext = "CanGoNext"
  case canGoPrevious = "CanGoPrevious"
  case canPlay = "CanPlay"
  case canPause = "CanPause"
  case canSeek = "CanSeek"
  case canControl = "CanControl"

  case tracks = "Tracks"
  case canEditTracks = "CanEditTracks"
}
