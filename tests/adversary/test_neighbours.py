"""Two runs at the same time know nothing of each other."""

WAYS = {
    "word_in_files",
    "word_on_abstract_socket",
    "word_on_loopback",
    "word_by_datagrams",
    "word_in_shared_memory",
    "the_other_process",
}


def test_runs_side_by_side_do_not_meet(field, isolating):
    attacks = field.attack(isolating, "accomplice", "sender", "receiver", seconds=40)
    assert_both_were_there(attacks)
    assert attacks["receiver"].attempts.keys() == WAYS | {"looked"}
    assert attacks["receiver"].gained == {}


def test_they_do_where_nothing_protects(field):
    attacks = field.attack("process", "accomplice", "sender", "receiver", seconds=40)
    assert_both_were_there(attacks)
    assert attacks["receiver"].gained.keys() == WAYS - {"word_in_shared_memory"}


def assert_both_were_there(attacks):
    """By their own clocks, which are one; if this fails, the attack was none."""
    planted, left = (float(attacks["sender"].attempts[name]["what"]) for name in ("planted", "left"))
    assert planted < float(attacks["receiver"].attempts["looked"]["what"]) < left
