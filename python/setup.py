# SPDX-License-Identifier: MIT
"""The wheel holds shared libraries of one platform and no code for one version of Python: py3-none-PLATFORM."""

import re
from pathlib import Path

from setuptools import Distribution, setup
from wheel.bdist_wheel import bdist_wheel


class PlatformWheel(bdist_wheel):
    def finalize_options(self):
        super().finalize_options()
        self.root_is_pure = False

    def get_tag(self):
        return "py3", "none", super().get_tag()[2]


class WithLibraries(Distribution):
    def has_ext_modules(self):
        return True


def version():
    text = (Path(__file__).parent / "version.h").read_text()
    return ".".join(re.search(rf"WIT_VERSION_{part}\s+(\d+)", text).group(1) for part in ("MAJOR", "MINOR", "PATCH"))


setup(version=version(), cmdclass={"bdist_wheel": PlatformWheel}, distclass=WithLibraries)
