"""User ids for jobs."""

from __future__ import annotations

import os
import pwd

import pytest

from mlebench.sandbox import users


def test_a_user_id_of_an_account_or_a_process_is_not_chosen(monkeypatch):
    account = pwd.getpwall()[0].pw_uid
    monkeypatch.setattr(users, "_USER_IDS", (account, os.getuid(), 59_999))
    assert users.choose_unused_uid() == 59_999


def test_it_is_an_error_if_all_user_ids_are_taken(monkeypatch):
    monkeypatch.setattr(users, "_USER_IDS", (os.getuid(),))
    with pytest.raises(IndexError):
        users.choose_unused_uid()
