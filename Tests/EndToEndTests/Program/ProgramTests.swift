import Testing

/// The built program, tried from outside.
@Suite(.serialized) enum ProgramTests {}
