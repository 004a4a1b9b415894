"""The papers' tables, played again: what they published beside what comes out here."""
