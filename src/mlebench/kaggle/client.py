"""The client for Kaggle."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

from mlebench.errors import CompetitionUnavailableError, CredentialsError, KaggleError, RulesNotAcceptedError
from mlebench.kaggle import submissions
from mlebench.kaggle.download import download_file
from mlebench.kaggle.errors import Subject, expect, expect_text, reading_answer
from mlebench.kaggle.models import CompetitionInfo, DataFile, Notebook, SubmissionScores, Survey, source_suffix
from mlebench.kaggle.remote_file import length_of
from mlebench.kaggle.retry import RetryPolicy
from mlebench.kaggle.sdk import competition_api, make_request
from mlebench.kaggle.session import Session

if TYPE_CHECKING:
    import threading
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    import requests

PAGE_SIZE = 200
"""Rows per page of a paged response."""
MAX_PAGES = 1000
"""Limit for a server that always names a next page."""
SURVEY_THREADS = 4
"""Concurrent requests of a survey."""


class KaggleClient:
    """A client with the user's credentials.

    Creating one sends no request; the first call authenticates. Calls may come from several threads. Every call
    raises KaggleError if Kaggle rejects it or cannot be reached, and MissingExtraError without the extra `kaggle`.

    Parameters
    ----------
    policy
        Limits of retries, waits and timeouts.
    """

    def __init__(self, policy: RetryPolicy | None = None) -> None:
        self._session = Session(policy or RetryPolicy())

    def whoami(self) -> str:
        """Return the account's name after Kaggle has accepted the credentials."""
        credentials, subject = self._session.credentials, Subject("the account")
        if credentials.username is not None:
            request = make_request("ApiListCompetitionsRequest", page_size=1)
            self._session.call(subject, lambda sdk: competition_api(sdk).list_competitions(request))
            return credentials.username

        def introspect(sdk: Any) -> Any:
            request = make_request("IntrospectTokenRequest", token=sdk.http_client()._api_token)
            return sdk.security.oauth_client.introspect_token(request)

        with reading_answer(subject):
            answer = self._session.call(subject, introspect)
            is_valid, name = bool(answer.active and answer.username), str(answer.username)
        if not is_valid:
            raise CredentialsError(
                f"The Kaggle token from {credentials.origin} has expired; create a new one in your account's settings."
            )
        return name

    def competition(self, competition_id: str) -> CompetitionInfo:
        """Return a competition's title, address, deadline and metric, and whether this account has joined it."""
        request = make_request("ApiGetCompetitionRequest", competition_name=competition_id)
        with reading_answer(Subject.of(competition_id)):
            answer = self._call(competition_id, lambda sdk: competition_api(sdk).get_competition(request))
            return CompetitionInfo(
                id=competition_id,
                title=expect_text(answer.title),
                url=expect_text(answer.url or f"https://www.kaggle.com/c/{competition_id}"),
                entered=expect(answer.user_has_entered, bool),
                deadline=answer.deadline,
                metric=expect_text(answer.evaluation_metric or "") or None,
            )

    def files(self, competition_id: str) -> list[DataFile]:
        """Return the names and sizes of a competition's data files."""
        request = make_request("ApiListDataFilesRequest", competition_name=competition_id)
        pages = self._pages(competition_id, request, lambda sdk: competition_api(sdk).list_data_files(request))
        with reading_answer(Subject.of(competition_id)):
            files = [file for page in pages for file in page.files]
            return [DataFile(expect_text(file.name), expect(file.total_bytes, int)) for file in files]

    def archive_size(self, competition_id: str) -> int | None:
        """Return the bytes of a competition's archive, or None if Kaggle does not say."""
        with self._open_archive(competition_id) as response:
            return length_of(response.headers)

    def survey(self, competition_ids: Iterable[str]) -> Survey:
        """Request archive sizes and accepted rules of several competitions concurrently.

        Problems with single competitions become part of the result.

        Raises
        ------
        CredentialsError, NetworkError, RateLimitError, MissingExtraError
            No competition can be asked about.
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

        with ThreadPoolExecutor(SURVEY_THREADS) as pool:
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
        """Download a competition's archive, and resume an earlier partial download.

        Parameters
        ----------
        competition_id
            The competition's id at Kaggle.
        target
            Path of the complete archive. Until size and hash are verified, the bytes are in `target` + .part.
        progress
            Called with the bytes so far and the total, or None if Kaggle does not say.
        cancel
            Stops the download with TransferError when it is set.

        Returns
        -------
        Path
            `target`.

        Raises
        ------
        KaggleError
            Kaggle refuses the data (CredentialsError, RulesNotAcceptedError, CompetitionUnavailableError), cannot be
            reached (NetworkError, RateLimitError), or the connection breaks too often (TransferError).
        ChecksumError
            Size or hash are wrong; the bytes are kept as `target` + .damaged.
        DiskFullError
            The archive does not fit on the disk.
        """
        return download_file(
            lambda: self._open_archive(competition_id),
            target,
            Subject.of(competition_id),
            self._session.policy,
            progress,
            cancel,
        )

    def pages(self, competition_id: str) -> dict[str, str]:
        """Return the texts of a competition's pages by name, HTML or Markdown, in Kaggle's order."""
        request = make_request("ApiListCompetitionPagesRequest", competition_name=competition_id)
        with reading_answer(Subject.of(competition_id)):
            answer = self._call(competition_id, lambda sdk: competition_api(sdk).list_competition_pages(request))
            return {expect_text(page.name): expect_text(page.content) for page in answer.pages if page.content}

    def leaderboard(self, competition_id: str) -> list[float]:
        """Return the scores of the private leaderboard (the public one if there is no other), best first."""
        request = make_request("ApiGetLeaderboardRequest", competition_name=competition_id)
        pages = self._pages(competition_id, request, lambda sdk: competition_api(sdk).get_leaderboard(request))
        with reading_answer(Subject.of(competition_id)):
            texts = [expect_text(row.score) for page in pages for row in page.submissions if row.score]
        scores = []
        for text in texts:
            score = submissions.parse_score(text)
            if score is None:
                raise KaggleError(
                    f"The leaderboard of {competition_id} has a score that is not a number: {text!r:.80}."
                )
            scores.append(score)
        return scores

    def kernel(self, ref: str) -> Notebook:
        """Return a public notebook or script by its name, OWNER/SLUG."""
        owner, _, slug = ref.partition("/")
        request = make_request("ApiGetKernelRequest", user_name=owner, kernel_slug=slug)
        subject = Subject(f"the notebook {ref}")
        with reading_answer(subject):
            answer = self._session.call(subject, lambda sdk: sdk.kernels.kernels_api_client.get_kernel(request))
            if answer.blob is None or not answer.blob.source:
                raise CompetitionUnavailableError(f"Kaggle does not provide the source of the notebook {ref}.")
            suffix = source_suffix(expect_text(answer.blob.language), expect_text(answer.blob.kernel_type))
            return Notebook(ref, expect_text(answer.blob.source), suffix)

    def submit(self, competition_id: str, file: Path, message: str) -> int:
        """Make a (late) submission.

        The upload is repeated if it fails. The submission itself is sent only once: if the response is lost,
        NetworkError is raised, and the competition's page shows whether it arrived.

        Parameters
        ----------
        competition_id
            The competition's id at Kaggle.
        file
            The file to submit.
        message
            The description that Kaggle shows with it.

        Returns
        -------
        int
            The reference for `submission_scores`.
        """
        return submissions.submit(self._session, competition_id, file, message)

    def find_submission(self, competition_id: str, message: str) -> int | None:
        """Return the reference of the account's latest submission with a description; None if there is none.

        Parameters
        ----------
        competition_id
            The competition's id at Kaggle.
        message
            The whole description.
        """
        request = make_request("ApiListSubmissionsRequest", competition_name=competition_id)
        pages = self._pages(competition_id, request, lambda sdk: competition_api(sdk).list_submissions(request))
        with reading_answer(Subject.of(competition_id)):
            found = (one.ref for page in pages for one in page.submissions if one.description == message)
            return next((expect(ref, int) for ref in found), None)

    def submission_scores(self, competition_id: str, ref: int) -> SubmissionScores:
        """Return the state and the scores of a submission by its reference."""
        return submissions.fetch_scores(self._session, competition_id, ref)

    def _open_archive(self, competition_id: str) -> requests.Response:
        request = make_request("ApiDownloadDataFilesRequest", competition_name=competition_id)
        response: requests.Response = self._call(
            competition_id, lambda sdk: competition_api(sdk).download_data_files(request)
        )
        return response

    def _call(self, competition_id: str, function: Callable[[Any], Any]) -> Any:
        return self._session.call(Subject.of(competition_id), function)

    def _pages(self, competition_id: str, request: Any, function: Callable[[Any], Any]) -> Iterator[Any]:
        request.page_size = PAGE_SIZE
        for _ in range(MAX_PAGES):
            answer = self._call(competition_id, function)
            yield answer
            if not answer.next_page_token:
                return
            request.page_token = answer.next_page_token
        raise KaggleError(f"Kaggle's response about {competition_id} has more than {MAX_PAGES:,} pages.")
