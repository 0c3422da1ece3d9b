from tests.rdf.conftest import windy

__all__ = ["windy"]
