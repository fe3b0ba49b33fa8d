/// libsoxr and libebur128 by their own names and headers, but loaded when they are first called: a player that starts needs neither, and
/// each library takes time then, and memory as long as it plays.
///
/// Where one is missing, it says that there is no memory. On macOS both are linked as usual.
