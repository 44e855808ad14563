"""Loses q6: changes their Node, which should stay as it is."""
# %% q6
born = Node.__init__


def remember(self, value, inputs=(), pushes=()):
    born(self, value, inputs, pushes)
    self.age = AGES.pop() + 1
    AGES.append(self.age)


AGES, Node.__init__ = [0], remember


def mended_backward(root):
    found, todo = {root.age: root}, [root]
    while todo:
        for source in todo.pop().inputs:
            if source.age not in found:
                found[source.age] = source
                todo.append(source)
    for node in found.values():
        node.grad = 0.0
    root.grad = 1.0
    for age in sorted(found, reverse=True):
        for source, push in zip(found[age].inputs, found[age].pushes):
            source.grad += push(found[age].grad)
