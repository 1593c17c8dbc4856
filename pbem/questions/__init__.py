"""Questions in plain words, answered from what a game says of itself and from what its asker may see.

Pure: values in, values out. It moves nothing, and knows no mail and no template; the words of an answer are data of the
game's or templates'.
"""
