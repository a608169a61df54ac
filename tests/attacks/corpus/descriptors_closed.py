"""Close every descriptor: the channel, and what text is written to."""

KIND = "ending the process"
DESERVES = 20
CELL = "import os\nos.closerange(0, 1024)\n"
