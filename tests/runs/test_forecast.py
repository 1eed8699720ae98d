"""The maximum of hours and disk that a plan takes."""

from mlebench.runs.forecast import Forecast
from mlebench.sandbox.limits import GiB, Limits


def test_a_forecast_bounds_hours_and_disk(arena, submit):
    plan = arena.plan(arena.agent("tested", submit), seeds=5, limits=Limits(seconds=3600, grace=0, disk=GiB))
    forecast = Forecast.of(plan, arena.folder / "runs" / "new", at_a_time=2)
    assert (forecast.runs, forecast.done, forecast.hours, forecast.disk) == (5, 0, 3.0, 2 * GiB)
    assert forecast.disk_free > 0
    assert forecast.money is None
