/* TagLib is C++: its headers are read by CTagLib's shim alone. This module only links the library. */
