// SPDX-License-Identifier: GPL-3.0-or-later

/* TagLib is C++: only CTagLib includes its headers. This module only links the library. */
