/* TagLib is C++: only CTagLib includes its headers. This module only links the library. */
