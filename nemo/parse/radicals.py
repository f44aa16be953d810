"""CJK radicals that have no compatibility mapping in Unicode, with the character each stands for.

Kangxi radicals (U+2F00–2FD5) map by NFKC; of U+2E80–2EFF only two do. Source: the names in the Unicode chart
"CJK Radicals Supplement", e.g. U+2EDB CJK RADICAL C-SIMPLIFIED WIND is 风.
"""

_PAIRS = (
    "⺁厂⺂乛⺃乚⺄乙⺅亻⺆冂⺇几⺈刀⺉刂⺊卜⺋㔾⺌小⺍小⺎兀⺏尣⺐尢⺑尣⺒巳⺓幺⺔彑⺕彐⺖忄⺗心⺘扌⺙攵⺛旡⺜日⺝月⺞歹⺠民⺡氵⺢氺⺣灬"
    "⺤爫⺥爫⺦丬⺧牛⺨犭⺩王⺪疋⺫目⺬示⺭礻⺮竹⺯糹⺰纟⺱罓⺲罒⺳网⺴网⺵网⺶羊⺷羊⺸羊⺹老⺺肀⺻聿⺼月⺽臼⺾艹⺿艹⻀艹⻁虎⻂衤⻃西⻄西"
    "⻅见⻆角⻇角⻈讠⻉贝⻊足⻋车⻌辶⻍辶⻎辶⻏阝⻐钅⻑長⻒镸⻓长⻔门⻕阜⻖阝⻗雨⻘青⻙韦⻚页⻛风⻜飞⻝食⻞食⻟飠⻠饣⻡首⻢马⻣骨⻤鬼"
    "⻥鱼⻦鸟⻧卤⻨麦⻩黄⻪黾⻫齐⻬齐⻭齿⻮齿⻯竜⻰龙⻱亀⻲亀⻳龟"
)

RADICALS: dict[str, str] = {_PAIRS[i]: _PAIRS[i + 1] for i in range(0, len(_PAIRS), 2)}
