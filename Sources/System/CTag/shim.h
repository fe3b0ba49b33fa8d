/* TagLib is C++: its headers are read by CTagLib alone. This module only links the library. */
