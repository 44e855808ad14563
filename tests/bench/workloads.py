"""All workloads, by name."""

import chain
import mlp
import overhead

WORKLOADS = {name: workload._replace(name=name)
             for module in (chain, mlp, overhead) for name, workload in module.workloads()}
