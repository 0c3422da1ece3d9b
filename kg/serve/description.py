"""What the endpoint says of itself: the SPARQL 1.1 service description."""

from kg.query import FORMATS

_FORMAT = "http://www.w3.org/ns/formats/"
_NAMES = {
    "json": "SPARQL_Results_JSON",
    "csv": "SPARQL_Results_CSV",
    "tsv": "SPARQL_Results_TSV",
    "xml": "SPARQL_Results_XML",
    "ttl": "Turtle",
    "nt": "N-Triples",
    "jsonld": "JSON-LD",
    "rdf": "RDF_XML",
}


def description(endpoint: str, form: str) -> bytes:
    """The service description for an endpoint's address, in an RDF format of `kg.query.FORMATS`."""
    import pyoxigraph as ox

    sd = "http://www.w3.org/ns/sparql-service-description#"
    service = ox.NamedNode(endpoint)
    kind = ox.NamedNode("http://www.w3.org/1999/02/22-rdf-syntax-ns#type")
    triples = [
        ox.Triple(service, kind, ox.NamedNode(sd + "Service")),
        ox.Triple(service, ox.NamedNode(sd + "endpoint"), service),
        ox.Triple(service, ox.NamedNode(sd + "supportedLanguage"), ox.NamedNode(sd + "SPARQL11Query")),
        *(ox.Triple(service, ox.NamedNode(sd + "resultFormat"), ox.NamedNode(_FORMAT + name)) for name in _NAMES.values()),
    ]
    return ox.serialize(triples, format=getattr(ox.RdfFormat, FORMATS[form].engine)) or b""
