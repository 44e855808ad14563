"""All workloads, by name."""

import chain
import dynamicnet
import elementwise
import layers
import mlp
import modes
import overhead

WORKLOADS = {name: workload._replace(name=name)
             for module in (chain, mlp, dynamicnet, elementwise, layers, modes, overhead) for name, workload in module.workloads()}
