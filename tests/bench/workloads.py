"""All workloads, by name."""

import chain
import cores
import dynamicnet
import elementwise
import lane
import layers
import loops
import memory
import mlp
import modes
import overhead

MODULES = (chain, mlp, dynamicnet, elementwise, cores, lane, layers, loops, memory, modes, overhead)
WORKLOADS = {
    name: workload._replace(name=name)
    for module in MODULES
    for name, workload in module.workloads()
}
