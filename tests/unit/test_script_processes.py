"""Scripts run in forked processes as they would in a Python of their own."""

import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from multiprocessing import forkserver
from types import SimpleNamespace

import pytest
from snakemake.benchmark import BenchmarkRecord
from snakemake.script import PythonScript

from turingstats.workflow.script_processes import fork_script, fork_scripts

pytestmark = pytest.mark.skipif(
    sys.platform != "linux", reason="processes are forked on Linux only"
)


@pytest.fixture
def script(tmp_path, monkeypatch):
    """A script that is run as Snakemake runs one; call it with its text."""
    monkeypatch.setattr(PythonScript, "execute_script", PythonScript.execute_script)
    monkeypatch.setattr(sys.modules["__main__"], "__spec__", sys.modules["__main__"].__spec__)
    dag = SimpleNamespace(needrun_jobs=lambda: [None])
    fork_scripts(SimpleNamespace(subprocess_exec=False, dag=dag))
    place = {"container_img": None, "conda_env": None, "env_modules": None, "bench_record": None}

    def run(text, **changed):
        path = tmp_path / "script.py"
        path.write_text(text)
        PythonScript.execute_script(SimpleNamespace(**place | changed), str(path))

    return run


def test_the_libraries_are_imported_already(script, tmp_path):
    found = tmp_path / "found.txt"
    script(f"import sys; open({str(found)!r}, 'w').write(__name__ + str('pandas' in sys.modules))")
    assert found.read_text() == "__main__True"


def test_a_failed_script_gives_its_code(script):
    with pytest.raises(subprocess.CalledProcessError) as failed:
        script("import sys; sys.exit(3)")
    assert failed.value.returncode == 3


def test_a_killed_script_gives_its_signal(script):
    with pytest.raises(subprocess.CalledProcessError) as failed:
        script("import os, signal; os.kill(os.getpid(), signal.SIGKILL)")
    assert failed.value.returncode == -9


def test_a_script_that_ends_while_another_starts_keeps_its_code(tmp_path, monkeypatch):
    read, path = forkserver.read_signed, tmp_path / "script.py"
    path.write_text("")

    def read_late(pipe):
        if threading.current_thread() is not threading.main_thread():
            time.sleep(0.5)
        return read(pipe)

    monkeypatch.setattr(forkserver, "read_signed", read_late)
    with ThreadPoolExecutor(1) as pool:
        first = pool.submit(fork_script, str(path), None)
        while not first.done():
            fork_script(str(path), None)
        first.result()


def test_time_and_memory_are_measured(script):
    record = BenchmarkRecord()
    script("import time; time.sleep(0.7)", bench_record=record)
    assert record.running_time >= 0.7
    assert record.max_rss > 10  # MB


def test_another_environment_has_a_python_of_its_own(script):
    # Snakemake asks that environment for its Python, which needs more of a script than it has here.
    with pytest.raises(AttributeError):
        script("", conda_env="/somewhere")


def test_a_step_in_a_process_of_its_own_has_a_python_of_its_own():
    before = PythonScript.execute_script
    fork_scripts(SimpleNamespace(subprocess_exec=True))
    assert PythonScript.execute_script is before


def test_an_error_names_the_script(tmp_path):
    path = tmp_path / "script.py"
    path.write_text("1 / 0")
    with pytest.raises(subprocess.CalledProcessError, match=r"script\.py"):
        fork_script(str(path), None)
