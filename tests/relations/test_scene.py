from kg.relations.scene import build_scene
from tests.relations.helpers import marked


def test_mentions_become_one_unit_that_shows_the_type():
    text, entities = marked("We train [[KiteNet|Model]] on [[ImageNet 256×256|Dataset]]. It gains 2.5 points.")
    scene = build_scene(text, entities)
    assert " ".join(scene.words) == "we train <Model> on <Dataset> . it gains 0 points ."
    assert scene.at == ((2,), (4,))
    assert scene.sentence == (0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1)
    assert (scene.begins, scene.stops) == ((0, 6), (6, 11))
    assert [text.clean[start:][:3] for start in scene.starts[:3]] == ["We ", "tra", "Kit"]


def test_a_coordinated_span_is_one_unit_of_several_entities():
    text, entities = marked("We do audio and video generation.")
    from kg.model import EntityType, Found, Mention, Span

    span = Span(6, 32)
    both = tuple(
        Found(name, EntityType.TASK, (Mention(span, text.clean[6:32], EntityType.TASK, "test", 1.0),), 1.0, "test")
        for name in ("audio generation", "video generation")
    )
    scene = build_scene(text, both)
    assert scene.words == ("we", "do", "<Task>", ".")
    assert scene.inside == {2: (0, 1)}
    assert not entities


def test_an_empty_text_has_an_empty_scene():
    text, entities = marked("")
    assert build_scene(text, entities).words == ()
