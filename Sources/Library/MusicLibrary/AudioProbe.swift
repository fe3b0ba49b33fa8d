public import SystemPackage

/// Opens a file as sound, for the formats whose headers the tag library cannot read; `nil` where it is no sound
/// that can be played.
///
/// It is called with regular files that are not empty, on any thread, on several at once.
public typealias AudioProbe = @Sendable (FilePath) -> ProbedAudio?
