"""The study as it is asked for: data sets generated or gone on with, then the document written."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from diloti.core.errors import N_
from diloti.lab.data.dataset import Dataset, DatasetError
from diloti.lab.data.generating import generate_all
from diloti.lab.executors.executor import Executor
from diloti.lab.study.answers import answer_all, study_table
from diloti.lab.study.document import DOCUMENT, FIGURES, write_document, write_figures
from diloti.lab.study.pictures import draw_pictures
from diloti.lab.study.plan import Sizes, jobs_of

DATA = "data"
"""The folder of the data sets, in that of the study."""


def run_study(
    sizes: Sizes,
    seed: int,
    folder: Path,
    *,
    executor: Executor,
    watch: Callable[[int], object] = lambda _games: None,
) -> Path:
    """Make the study in a folder, and return the file of its document.

    Data sets that are there are not made again. `watch` is told how many games there are. The same
    sizes and seed give the same bytes, whoever does the work. `DatasetError` where the folder holds
    something else.
    """
    if folder.is_dir() and any(folder.iterdir()) and not (folder / DATA).is_dir():
        raise DatasetError(N_("{folder} is not empty, and holds no study"), folder=folder)
    jobs = jobs_of(sizes, seed)
    places = {
        folder / DATA / group / _file_name(name): (group, name)
        for group, named in jobs.items()
        for name in named
    }
    made = generate_all(
        {place: jobs[group][name] for place, (group, name) in places.items()},
        executor=executor,
        watch=watch,
    )
    datasets: dict[str, dict[str, Dataset]] = {group: {} for group in jobs}
    for dataset, (group, name) in zip(made, places.values()):
        datasets[group][name] = dataset
    tables = {"study": study_table(sizes, seed), **answer_all(sizes, datasets)}
    figures = folder / FIGURES
    figures.parent.mkdir(exist_ok=True)
    figures.write_text(write_figures(tables), encoding="utf-8")
    draw_pictures(tables, figures.parent)
    document = folder / DOCUMENT
    document.write_text(write_document(tables), encoding="utf-8")
    return document


def _file_name(name: str) -> str:
    """A name as that of a folder."""
    return re.sub(r"[^a-z0-9_]+", "-", name.lower()).strip("-")
