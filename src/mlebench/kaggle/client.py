"""Kaggle as this package needs it."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

from mlebench.errors import (
    CompetitionUnavailableError,
    CredentialsError,
    KaggleError,
    RulesNotAcceptedError,
)
from mlebench.kaggle.facts import CompetitionFacts, DataFile, Notebook, SubmissionScores, Survey, suffix_of
from mlebench.kaggle.library import competitions_of, request, require_library
from mlebench.kaggle.patience import Patience
from mlebench.kaggle.refusals import Subject
from mlebench.kaggle.session import Session

if TYPE_CHECKING:
    import threading
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    import requests

PAGE_SIZE = 200
"""Rows asked for at a time where Kaggle answers in pages."""
MOST_PAGES = 1000
"""A server that always names a next page is not followed for ever."""
AT_ONCE = 4
"""Questions under way at the same time when many competitions are asked about."""


class KaggleClient:
    """Speaks to Kaggle with the user's credentials; making one does nothing, the first call authenticates.

    Calls may come from several threads. Each raises KaggleError: CredentialsError, RulesNotAcceptedError,
    CompetitionUnavailableError, RateLimitError, NetworkError; and MissingExtraError without the extra `kaggle`.
    """

    def __init__(self, patience: Patience | None = None) -> None:
        self._session = Session(patience or Patience())

    def whoami(self) -> str:
        """Return the account's name, after Kaggle took the credentials."""
        credentials, subject = self._session.credentials, Subject("the account")
        if credentials.username is not None:
            asked = request("ApiListCompetitionsRequest", page_size=1)
            self._session.call(subject, lambda kaggle: competitions_of(kaggle).list_competitions(asked))
            return credentials.username

        def introspect(kaggle: Any) -> Any:
            asked = request("IntrospectTokenRequest", token=kaggle.http_client()._api_token)
            return kaggle.security.oauth_client.introspect_token(asked)

        answer = self._session.call(subject, introspect)
        if not answer.active or not answer.username:
            raise CredentialsError(
                f"The Kaggle token from {credentials.origin} has run out; make a new one in your account's settings."
            )
        return str(answer.username)

    def competition(self, competition_id: str) -> CompetitionFacts:
        """Return what Kaggle says of a competition."""
        asked = request("ApiGetCompetitionRequest", competition_name=competition_id)
        answer = self._call(competition_id, lambda kaggle: competitions_of(kaggle).get_competition(asked))
        return CompetitionFacts(
            id=competition_id,
            title=answer.title,
            url=answer.url or f"https://www.kaggle.com/c/{competition_id}",
            entered=answer.user_has_entered,
            deadline=answer.deadline,
            metric=answer.evaluation_metric or None,
        )

    def files(self, competition_id: str) -> list[DataFile]:
        """Return the files of a competition's data, with their bytes."""
        asked = request("ApiListDataFilesRequest", competition_name=competition_id)
        pages = self._pages(competition_id, asked, lambda kaggle: competitions_of(kaggle).list_data_files(asked))
        return [DataFile(file.name, file.total_bytes) for page in pages for file in page.files]

    def archive_size(self, competition_id: str) -> int | None:
        """Return the bytes of a competition's archive, if Kaggle tells; RulesNotAcceptedError if it would refuse."""
        with self._open_archive(competition_id) as answer:
            length = answer.headers.get("Content-Length", "")
        return int(length) if length.isdigit() else None

    def survey(self, competition_ids: Iterable[str]) -> Survey:
        """Ask for sizes and accepted rules of several competitions at once.

        Raises only what concerns them all: CredentialsError, NetworkError, RateLimitError and MissingExtraError.
        """
        survey = Survey()

        def ask(name: str) -> None:
            try:
                size = self.archive_size(name)
            except RulesNotAcceptedError:
                survey.accepted[name] = False
            except CompetitionUnavailableError as error:
                survey.problems[name] = str(error)
            else:
                survey.accepted[name] = True
                if size is not None:
                    survey.sizes[name] = size

        with ThreadPoolExecutor(AT_ONCE) as pool:
            futures = [pool.submit(ask, name) for name in dict.fromkeys(competition_ids)]
            try:
                for future in futures:
                    future.result()
            finally:
                pool.shutdown(cancel_futures=True)
        return survey

    def download(
        self,
        competition_id: str,
        target: Path,
        progress: Callable[[int, int | None], None] | None = None,
        cancel: threading.Event | None = None,
    ) -> Path:
        """Fetch a competition's archive to `target`, going on with what an earlier call began.

        The bytes go to `target` + .part, with what they are bytes of in .part.json beside it, and get their name when
        length and, where Kaggle tells one, hash are right. `progress` is called with the bytes that are there and
        those of the whole; setting `cancel` ends the call with TransferError. Raises, beside KaggleError,
        TransferError, ChecksumError (the bytes are kept as `target` + .damaged) and DiskFullError.
        """
        require_library()  # which brings requests
        from mlebench.kaggle.transfer import fetch

        return fetch(
            lambda: self._open_archive(competition_id),
            target,
            Subject.of(competition_id),
            self._session.patience,
            progress,
            cancel,
        )

    def pages(self, competition_id: str) -> dict[str, str]:
        """Return the texts of a competition's pages by their names, HTML or Markdown, in Kaggle's order."""
        asked = request("ApiListCompetitionPagesRequest", competition_name=competition_id)
        answer = self._call(competition_id, lambda kaggle: competitions_of(kaggle).list_competition_pages(asked))
        return {page.name: page.content for page in answer.pages if page.content}

    def leaderboard(self, competition_id: str) -> list[float]:
        """Return the scores of the private leaderboard, best first (the public one where no other was)."""
        asked = request("ApiGetLeaderboardRequest", competition_name=competition_id)
        pages = self._pages(competition_id, asked, lambda kaggle: competitions_of(kaggle).get_leaderboard(asked))
        rows = [row.score for page in pages for row in page.submissions]
        try:
            return [float(score) for score in rows if score]
        except ValueError as error:
            raise KaggleError(
                f"The leaderboard of {competition_id} holds a score that is no number: {error}."
            ) from error

    def kernel(self, ref: str) -> Notebook:
        """Return a public notebook or script, named OWNER/SLUG."""
        owner, _, slug = ref.partition("/")
        asked = request("ApiGetKernelRequest", user_name=owner, kernel_slug=slug)
        answer = self._session.call(
            Subject(f"the notebook {ref}"), lambda kaggle: kaggle.kernels.kernels_api_client.get_kernel(asked)
        )
        if answer.blob is None or not answer.blob.source:
            raise CompetitionUnavailableError(f"Kaggle does not hand out the source of the notebook {ref}.")
        return Notebook(ref, answer.blob.source, suffix_of(answer.blob.language, answer.blob.kernel_type))

    def submit(self, competition_id: str, file: Path, message: str) -> int:
        """Make a (late) submission and return its reference.

        The file may be sent several times, but it is submitted once only: where the answer is lost, NetworkError is
        raised, and the competition's page shows whether it arrived.
        """
        from mlebench.kaggle.submitting import submit

        return submit(self._session, competition_id, file, message)

    def submission_scores(self, competition_id: str, ref: int) -> SubmissionScores:
        """Return what came of a submission."""
        from mlebench.kaggle.submitting import scores

        return scores(self._session, competition_id, ref)

    def _open_archive(self, competition_id: str) -> requests.Response:
        asked = request("ApiDownloadDataFilesRequest", competition_name=competition_id)
        answer: requests.Response = self._call(
            competition_id, lambda kaggle: competitions_of(kaggle).download_data_files(asked)
        )
        return answer

    def _call(self, competition_id: str, function: Callable[[Any], Any]) -> Any:
        return self._session.call(Subject.of(competition_id), function)

    def _pages(self, competition_id: str, asked: Any, function: Callable[[Any], Any]) -> Iterator[Any]:
        asked.page_size = PAGE_SIZE
        for _ in range(MOST_PAGES):
            answer = self._call(competition_id, function)
            yield answer
            if not answer.next_page_token:
                return
            asked.page_token = answer.next_page_token
        raise KaggleError(f"Kaggle's answer about {competition_id} does not end.")
