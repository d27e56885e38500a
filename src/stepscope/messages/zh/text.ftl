# A text that has no words of its own in any other language.

text-plain = { $text }
text-sentence = { $text }。
