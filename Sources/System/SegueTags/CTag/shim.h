/* TagLib is C++: its headers are read by TagLibShim alone. This module only links the library. */
