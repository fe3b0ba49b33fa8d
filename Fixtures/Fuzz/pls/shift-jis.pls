[playlist]
File1=椎名林檎\ソ表.mp3
Title1=椎名林檎 - 本能
Length1=183
NumberOfEntries=1
Version=2
