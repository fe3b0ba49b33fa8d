import Testing

/// What is heard through a sound server, in real time. Each test has a server of its own, so that several run at once.
@Suite enum HeardLane {}
