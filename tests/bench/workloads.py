"""All workloads, by name."""

import chain
import dynamicnet
import elementwise
import mlp
import modes
import overhead

WORKLOADS = {name: workload._replace(name=name)
             for module in (chain, mlp, dynamicnet, elementwise, modes, overhead) for name, workload in module.workloads()}
