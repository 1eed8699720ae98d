from __future__ import annotations

import logging
from pathlib import Path
from typing import Annotated

import typer

from mlebench.cli.options import CompetitionIds, DataDir, Folders, Json, ListFile, Split, chosen_ids, open_registry
from mlebench.cli.output import print_json
from mlebench.errors import MLEBenchError, PreparationError, UsageError

logger = logging.getLogger(__name__)


def prepare(
    competition_id: CompetitionIds = None,
    all_: Annotated[bool, typer.Option("-a", "--all", help="All competitions of the split `all`.")] = False,
    lite: Annotated[bool, typer.Option("--lite", help="All competitions of the split `low`.")] = False,
    list_file: ListFile = None,
    split: Split = None,
    data_dir: DataDir = None,
    raw: Annotated[
        Path | None, typer.Option(help="The raw data of one competition: Kaggle's zip, or the folder it unpacks to.")
    ] = None,
    rehearsal: Annotated[
        bool, typer.Option("--rehearsal", help="Prepare tiny synthetic data with the real schema; needs no download.")
    ] = False,
    keep_raw: Annotated[bool, typer.Option("--keep-raw", help="Keep the unpacked raw data afterwards.")] = False,
    skip_verification: Annotated[
        bool, typer.Option("--skip-verification", help="Do not compare with the checksums on record.")
    ] = False,
    overwrite_checksums: Annotated[bool, typer.Option("--overwrite-checksums", hidden=True)] = False,
    overwrite_leaderboard: Annotated[bool, typer.Option("--overwrite-leaderboard", hidden=True)] = False,
    force: Annotated[bool, typer.Option("--force", help="Prepare again what is prepared already.")] = False,
    folder: Folders = None,
    json: Json = False,
) -> None:
    """Prepare competitions' data: split them anew into what agents get and the answers.

    Example: mlebench prepare -c spaceship-titanic --rehearsal
    """
    from mlebench.data import prepare as prepare_data

    registry = open_registry(data_dir, folder)
    splits = [name for name, wanted in (("all", all_), ("low", lite), (split, split is not None)) if wanted]
    if len(splits) > 1:
        raise UsageError("Say which competitions, in one way: --all, --lite or --split.")
    ids = chosen_ids(registry, competition_id, splits[0] if splits else None, list_file)
    if raw is not None and len(ids) != 1:
        raise UsageError("Raw data are those of one competition; name it with -c.")
    if overwrite_checksums or overwrite_leaderboard:
        logger.warning("Checksums and leaderboards on record are part of mlebench and are not overwritten.")
    competitions = [registry.get_competition(name) for name in ids]
    manifests, failures = [], []
    for competition in competitions:
        try:
            manifest = prepare_data(
                competition,
                raw=raw,
                rehearsal=rehearsal,
                keep_raw=keep_raw or raw is not None,
                skip_verification=skip_verification or overwrite_checksums,
                force=force,
            )
        except MLEBenchError as error:
            if len(competitions) == 1:
                raise
            failures.append((competition.label, error))
            logger.error("%s: %s", competition.label, error)
            continue
        manifests.append(manifest)
        logger.info("%s is prepared from %s data in %s.", competition.label, manifest.source, competition.prepared_dir)
    if json:
        print_json([manifest.model_dump(mode="json") for manifest in manifests])
    if failures:
        names = ", ".join(label for label, _ in failures)
        raise PreparationError(f"{len(failures)} of {len(competitions)} are not prepared: {names}.")
