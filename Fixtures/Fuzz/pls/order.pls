[playlist]
X-GNOME-Title=T
File3=c.mp3
Length3=-1
Title3= - A - B
File1=file:a%0Ab.mp3
file1=second
Title2=no file
File999999999=d
File0 = ./e
NumberOfEntries=9
Version=2