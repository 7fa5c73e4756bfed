"""The laboratory: data sets, labels, rivals, measures and benchmarks. It proves the product and is no part of it.

Whoever imports it can open its webs by name, as in ``webkb.tar.xz:university=cornell``.
"""

from focused.simulation.known_webs import make_known
from lab.webs.kinds import KINDS

make_known(*KINDS)
