"""What traps of the second set share: boilerplate in other languages.

No defence may be developed on this set: only what it reports there counts.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from lab.webs.traps_html import Link, Template
from lab.webs.traps_trap import Trap

#: Words of a menu, and what stands below a page.
LANGUAGES: Mapping[str, tuple[str, ...]] = {
    "de": ("Startseite", "Über uns", "Kontakt", "Alle Rechte vorbehalten. Impressum und Datenschutz"),
    "fr": ("Accueil", "À propos", "Nous écrire", "Tous droits réservés. Mentions légales"),
    "es": ("Inicio", "Quiénes somos", "Contacto", "Todos los derechos reservados. Aviso legal"),
    "it": ("Pagina iniziale", "Chi siamo", "Contatti", "Tutti i diritti riservati. Note legali"),
    "nl": ("Beginpagina", "Over ons", "Contact", "Alle rechten voorbehouden. Voorwaarden"),
    "pl": ("Strona główna", "O nas", "Kontakt", "Wszelkie prawa zastrzeżone"),
}


def translated(language: str, name: str, layout: int) -> Template:
    """A template whose menu and footer speak a language."""
    start, about, contact, imprint = LANGUAGES[language]
    return Template(name, layout, [Link("/", start)], (), f"{about}. {contact}. {imprint}.")


class ForeignTrap(Trap):
    """A trap on hosts of its own with boilerplate in a language drawn for it."""

    @cached_property
    def template(self) -> Template:
        if self.site:
            return super().template
        return translated(self.of("language").choice(sorted(LANGUAGES)), self.host.partition(".")[0], self.layout)
