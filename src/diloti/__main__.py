"""`python -m diloti` is `diloti`."""

import sys

from diloti.cli import main

sys.exit(main())
