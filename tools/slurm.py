"""A real Slurm of one node on this machine, in a folder of its own: `with run_slurm(folder) as cluster`.

Nothing of the system's configuration is read or changed, and all daemons end with the block.
"""

import contextlib
import ctypes
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "srun", "squeue", "scontrol", "scancel")
"""What Debian's packages slurm-wlm and munge install."""
PLUGIN = "snakemake-executor-plugin-slurm==2.8.0"
WAIT = 30
"""Seconds within which a daemon has to answer."""
PR_SET_PDEATHSIG = 1
# Jobs stay visible for a day, since there is no accounting.
CONFIGURATION = """\
ClusterName=turingstats
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={controller_port}
SlurmdPort={node_port}
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
CryptoType=crypto/munge
AuthInfo=socket={folder}/munge.socket
MpiDefault=none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SchedulerType=sched/backfill
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
SlurmdParameters=config_overrides
ReturnToService=2
MinJobAge=86400
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
NodeName={host} NodeAddr=127.0.0.1 CPUs={cores} RealMemory={memory}
PartitionName=debug Nodes={host} Default=YES MaxTime=INFINITE State=UP
"""


@dataclass(frozen=True)
class Submission:
    """A job of Slurm's: of one rule, or of a group."""

    number: str
    state: str
    comment: str
    cores: str
    memory: str
    submitted: str
    started: str
    ended: str

    def measure_seconds(self):
        """Measure the seconds that it took on its node."""
        started, ended = map(datetime.fromisoformat, (self.started, self.ended))
        return (ended - started).total_seconds()


@dataclass
class Cluster:
    """A Slurm that runs.

    Parameters
    ----------
    folder : pathlib.Path
        With its configuration, logs and state.
    """

    folder: Path
    daemons: list = field(default_factory=list)

    @property
    def environment(self):
        """Environment variables with which programs use this Slurm."""
        return {
            "SLURM_CONF": str(self.folder / "slurm.conf"),
            "PATH": f"{self.folder / 'bin'}:{os.environ['PATH']}",
        }

    def call(self, *command):
        """Call a program of Slurm's; return what it prints."""
        done = subprocess.run(
            command, env=os.environ | self.environment, capture_output=True, text=True
        )
        if done.returncode:
            raise RuntimeError(f"{' '.join(command)}: {done.stderr.strip()}")
        return done.stdout

    def list_jobs(self):
        """List all jobs that were ever submitted, as `Submission`."""
        columns = "--format=%i|%T|%k|%C|%m|%V|%S|%e"
        lines = self.call("squeue", "--noheader", "--all", "--states=all", "--sort=i", columns)
        return [Submission(*line.split("|")) for line in lines.splitlines() if line.strip()]

    def start(self, *command):
        """Start a daemon in the foreground, so that it ends when told."""
        log = (self.folder / f"{command[0]}.out").open("w")
        self.daemons.append(
            subprocess.Popen(
                command,
                env=os.environ | self.environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                preexec_fn=end_with_parent,
            )
        )

    def wait_for(self, is_ready, what):
        """Wait until a daemon is ready."""
        end = time.monotonic() + WAIT
        while not is_ready():
            ended = [daemon for daemon in self.daemons if daemon.poll() is not None]
            if ended or time.monotonic() > end:
                told = [path.read_text()[-2000:] for path in self.folder.glob("*.out")]
                raise RuntimeError("\n".join([f"{what} did not start", *told]))
            time.sleep(0.2)

    def is_idle(self):
        """Tell whether the node is there and takes jobs."""
        with contextlib.suppress(RuntimeError):
            return "IDLE" in self.call("scontrol", "show", "node")
        return False

    def stop(self):
        """Cancel all jobs and end all daemons."""
        with contextlib.suppress(RuntimeError):
            self.call("scancel", "--user", str(os.getuid()))
            self.wait_for(lambda: not self.call("squeue", "--noheader", "--states=R,CG"), "the end")
        for daemon in reversed(self.daemons):
            daemon.terminate()
            try:
                daemon.wait(WAIT)
            except subprocess.TimeoutExpired:
                daemon.kill()
                daemon.wait()


def end_with_parent():
    """Let this process be told to end when its parent does, even if that is killed."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)


def list_missing():
    """List the programs of Slurm's that are not installed."""
    return [program for program in PROGRAMS if not shutil.which(program)]


def install_plugin(folder):
    """Install the plugin that submits jobs into a folder for PYTHONPATH, apart from the environment."""
    target = Path(folder)
    if not target.exists():
        pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        # Whatever else it needs is in the environment.
        needed = [PLUGIN, "snakemake-executor-plugin-slurm-jobstep==0.6.1"]
        subprocess.run([*pip, "--no-deps", "--target", str(target), *needed], check=True)
    return target


def find_port():
    """Find a port that nobody listens on."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


@contextlib.contextmanager
def run_slurm(folder, cores=None):
    """Run a Slurm of one node until the end of the block.

    Parameters
    ----------
    folder : path-like
        For all its files; made anew. Its path must be short, since it holds a socket.
    cores : int, optional
        Of the node, as Slurm is told; those of this machine by default.

    Yields
    ------
    Cluster
    """
    folder = Path(folder).resolve()
    for name in ("state", "spool", "bin"):
        (folder / name).mkdir(parents=True)
    key = folder / "munge.key"
    key.touch(mode=0o600)
    key.write_bytes(os.urandom(1024))
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2**20
    text = CONFIGURATION.format(
        folder=folder,
        host=socket.gethostname().partition(".")[0],
        user=subprocess.check_output(["id", "-un"], text=True).strip(),
        controller_port=find_port(),
        node_port=find_port(),
        cores=cores or os.cpu_count(),
        memory=memory,
    )
    (folder / "slurm.conf").write_text(text, encoding="utf-8")
    # The plugin hides SLURM_CONF from what it calls on a node.
    srun = folder / "bin/srun"
    srun.write_text(f'#!/bin/sh\nSLURM_CONF={folder}/slurm.conf exec {shutil.which("srun")} "$@"\n')
    srun.chmod(0o755)
    cluster = Cluster(folder)
    try:
        cluster.start(
            *("munged", "--foreground", f"--socket={folder}/munge.socket", f"--key-file={key}"),
            *(f"--pid-file={folder}/munged.pid", f"--seed-file={folder}/munged.seed"),
            *(f"--log-file={folder}/munged.log", "--force"),
        )
        cluster.wait_for((folder / "munge.socket").exists, "munged")
        cluster.start("slurmctld", "-D")
        cluster.start("slurmd", "-D")
        cluster.wait_for(cluster.is_idle, "Slurm")
        yield cluster
    finally:
        cluster.stop()
