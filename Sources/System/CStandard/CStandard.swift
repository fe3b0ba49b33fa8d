// SPDX-License-Identifier: GPL-3.0-or-later

// The C library of the system, whose module has another name on each system.
#if canImport(Darwin)
  @_exported public import Darwin
#elseif canImport(Glibc)
  @_exported public import Glibc
#elseif canImport(Musl)
  @_exported public import Musl
#endif
