"""Build hook: compiles the message catalogues (.po) to the .mo files that gettext reads."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

CATALOGUES = "src/diloti/words/catalogues"


class CatalogueHook(BuildHookInterface[Any]):
    """Writes a .mo next to every .po; with no .po there is nothing to do."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002
        """Compile the catalogues, before a wheel or an editable install is put together."""
        for po in sorted(Path(self.root, CATALOGUES).glob("*/LC_MESSAGES/*.po")):
            compile_catalogue(po)


def compile_catalogue(po: Path) -> None:
    """Compile one catalogue; messages marked fuzzy are left out."""
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import read_po

    with po.open("rb") as source:
        catalogue = read_po(source, locale=po.parent.parent.name, domain=po.stem)
    with po.with_suffix(".mo").open("wb") as target:
        write_mo(target, catalogue)
