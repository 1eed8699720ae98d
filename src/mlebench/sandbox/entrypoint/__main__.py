"""Run the folder around this file as a package: `python -I -S FOLDER SOURCE [STATUS]`."""

import os
import sys

# Python puts the folder itself on the path, which makes its modules importable, but not as one package.
folder = sys.path.pop(0)
sys.path.append(os.path.dirname(folder))  # noqa: PTH120 - importing pathlib would cost 3 ms of each start
__import__(os.path.basename(folder) + ".main").main.main()  # noqa: PTH119
