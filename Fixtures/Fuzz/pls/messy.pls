[Playlist]
numberofentries=99
FILE12 = Low/03.flac
Title12=Slide
file2=Low/02.flac
title2=Low - Fear
length2=133
Length7=9
File2=ignored.flac
Title12=ignored
File3=http://radio.example/
Length3=-1
File99999999999=too far
nonsense
