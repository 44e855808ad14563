"""Many workers: a graph in shards or in stages, on processes here or elsewhere, by Dask."""

from minigrad.workers.costs import Costs, measure_costs, simulate
from minigrad.workers.parallel import DataParallel, data_parallel
from minigrad.workers.partition import Partition, Stages, partition
from minigrad.workers.pool import Pool, WorkersError, connect, local

__all__ = [
    "Costs",
    "DataParallel",
    "Partition",
    "Pool",
    "Stages",
    "WorkersError",
    "connect",
    "data_parallel",
    "local",
    "measure_costs",
    "partition",
    "simulate",
]
