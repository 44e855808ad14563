"""The web site, built once for all tests that look at it."""

from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="session")
def site(tmp_path_factory):
    """The folder of the site that `minigrad site` builds of this course."""
    from minigrad.course import site

    if any(site.util.find_spec(name) is None for name in site.NEEDED):
        pytest.skip("the extra 'site' is not installed")
    folder = tmp_path_factory.mktemp("built") / "site"
    site.build(ROOT, folder)
    return folder
