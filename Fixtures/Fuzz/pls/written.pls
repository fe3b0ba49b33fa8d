[playlist]
X-GNOME-Title=Evening
File1=Low/01 Words.flac
Title1=Low - Words & <more>
Length1=123
File2=file:%23%E6%97%A5%E6%9C%AC%0A%5C%20%25.flac
Title2= - A - B C
Length2=-1
File3=https://radio.example/?a=1&b=2
Title3=Radio - 
Length3=-1
File4=file:///%FF%20
Length4=-1
NumberOfEntries=4
Version=2
