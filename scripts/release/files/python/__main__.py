"""`python -m execcomp`: the same as the command `execcomp`."""

import os
import subprocess
import sys

from execcomp import executable

if os.name == "nt":
    sys.exit(subprocess.call([executable(), *sys.argv[1:]]))
os.execv(executable(), ["execcomp", *sys.argv[1:]])
