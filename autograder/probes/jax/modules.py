"""Build a student's flax module from known weights, without drawing any, and run it as a pure function of them."""

from collections import Counter
from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace
from functools import lru_cache, partial

import jax
import numpy as np
from flax import nnx
from jax.extend.core import ClosedJaxpr, Literal
from jax.interpreters.partial_eval import dce_jaxpr

from autograder.probes.calling import call
from autograder.probes.jax.interpreter import run
from autograder.probes.jax.purity import attributes_watched, globals_watched
from autograder.probes.jax.rngs import rngs_of
from autograder.probes.jax.track import key_of
from autograder.probes.jax.transforms import called, program_of
from autograder.probes.side_effects import noticed_inside
from autograder.probes.torch.modules import ParameterMismatch

SEED = 5
CONTRACT = {  # where torch's checkpoint numbers the parts of a Sequential
    "linear_net.0.": "linear_net.linear_in.",
    "linear_net.3.": "linear_net.linear_out.",
    "input_net.1.": "input_layer.",
    "output_net.0.": "output_hidden.",
    "output_net.1.": "output_norm.",
    "output_net.4.": "output_layer.",
}


def name_in_flax(name: str) -> str:
    """The name in the contract of a parameter of torch's.

    >>> name_in_flax("layers.0.linear_net.3.weight"), name_in_flax("output_net.1.weight")
    ('layers.0.linear_net.linear_out.kernel', 'output_norm.scale')
    """
    for theirs, ours in CONTRACT.items():
        name = name.replace(theirs, ours)
    part, _, kind = name.rpartition(".")
    return f"{part}.{('scale' if 'norm' in part else 'kernel') if kind == 'weight' else kind}"


def weights_in_flax(weights: dict) -> dict[str, np.ndarray]:
    """Torch's weights under the names of the contract: a kernel is the transpose of a weight."""
    return {name_in_flax(name): np.array(np.asarray(array).T, order="C") for name, array in weights.items()}


@dataclass
class Module:
    """What a class makes of its arguments: its graph, the names of its leaves, and their numbers where known.

    Attributes:
        learned: for each leaf, whether it is an `nnx.Param`.
        counterparts: the name in the contract → that of the leaf which holds it.
        drawn: for each leaf, whether it depends on the keys that the constructor was given.
        programs: what was traced in any case; `asked` counts how often this case asked each question.
    """

    graph: nnx.GraphDef
    structure: jax.tree_util.PyTreeDef
    names: list[str]
    learned: list[bool]
    program: ClosedJaxpr
    drawn: list[bool]
    leaves: list
    counterparts: dict[str, str]
    student: Callable
    programs: dict[tuple, tuple]
    asked: Counter

    @property
    def shapes(self) -> dict[str, list[int]]:
        avals = (var.aval for var in self.program.jaxpr.outvars)
        return {name: list(aval.shape) for name, aval in zip(self.names, avals, strict=True)}

    def start(self, *wanted: str) -> dict[str, np.ndarray]:
        """The numbers that these leaves begin with; nothing else is drawn."""
        used = [name in wanted for name in self.names]
        jaxpr, _ = dce_jaxpr(self.program.jaxpr, used, instantiate=True)
        found = run(self.program.replace(jaxpr=jaxpr), key_of(SEED))
        return dict(zip((name for name in self.names if name in wanted), found, strict=True))

    @property
    def layers(self) -> int:
        """How many layers its parameters belong to."""
        return len({name.split(".")[1] for name in self.names if name.count(".") > 1})

    @property
    def stack(self) -> str:
        """The attribute that holds the layers in a list."""
        lists = (parts[0] for name in self.names if (parts := name.split("."))[1:2] and parts[1].isdecimal())
        found = next(lists, None)
        if found is None:
            raise LookupError("the layers aren't in an nnx.List of the module, such as `self.layers`")
        return found

    def part(self, name: str) -> str:
        """The attribute that holds this part of the contract."""
        held = [own for expected, own in self.counterparts.items() if expected.partition(".")[0] == name]
        return held[0].partition(".")[0] if held else name

    def run(
        self,
        function: Callable,
        *arguments,
        parts: dict | None = None,
        way: Callable = called,
        question: Hashable = None,
    ):
        """`function(module, *arguments)`, pure in the parameters; with `parts`, others in the place of its own.

        A part is named by its attribute, or by its number in the list `layers`. A `question` says everything that
        `function` depends on besides its arguments: cases with the same question and the same shapes share its program.
        """

        def whole(leaves, *arguments):
            module = nnx.merge(self.graph, jax.tree.unflatten(self.structure, leaves))
            for name, part in (parts or {}).items():
                if name.isdecimal():
                    layers = getattr(module, self.stack)
                    if int(name) >= len(layers):
                        raise LookupError(f"there is no layer number {name}: `{self.stack}` holds {len(layers)}")
                    layers[int(name)] = part
                else:
                    setattr(module, self.part(name), part)
            with attributes_watched(module):
                return function(module, *arguments)

        if question is None or parts or way is not called:
            return way(whole, self.leaves, *arguments)
        return called(whole, self.leaves, *arguments, trace=partial(self._traced_before, question))

    def _traced_before(self, question: Hashable, function: Callable, *arguments) -> tuple:
        """The program of a function, shared by the cases that ask the same question, as with `jax.jit`.

        A question that a case asks twice is traced twice, because a second call may return something else. A function
        whose trace has side effects is traced in every case.
        """
        leaves, structure = jax.tree.flatten(arguments)
        key = (question, structure, *((leaf.shape, leaf.dtype) for leaf in leaves))
        self.asked[key] += 1
        place = (*key, self.asked[key])
        if place in self.programs:
            return self.programs[place]
        with noticed_inside() as noticed, globals_watched(self.student):
            program = program_of(function, *arguments)
        if not noticed:
            self.programs[place] = program
        return program


def build(student: Callable, order: str, arguments: dict, weights: dict | None = None) -> Module:
    """`student(**arguments)` with these weights, of the names of the contract; it draws where `order` has `rngs`.

    A leaf that has no counterpart there, by name or else by shape, begins as the student says. Without weights nobody
    looks at the parameters, and they are zeros.
    """
    made = replace(_traced(student, order, tuple(arguments.items())), asked=Counter())
    made.counterparts = _counterparts(made.shapes, {name: list(w.shape) for name, w in (weights or {}).items()})
    held = {own: weights[expected] for expected, own in made.counterparts.items()}
    if not weights:
        learned = [name for name, is_learned in zip(made.names, made.learned, strict=True) if is_learned]
        held |= {name: np.zeros(made.shapes[name], np.float32) for name in learned}
    others = made.start(*(name for name in made.names if name not in held))
    made.leaves = [held[name] if name in held else jax.device_put(others[name]) for name in made.names]
    return made


def refuse_other_names(module: Module, weights: dict) -> None:
    """A `ParameterMismatch` where the parameters are not exactly these, in names and shapes."""
    expected = {name: list(array.shape) for name, array in sorted(weights.items())}
    found = {name: shape for name, shape in sorted(module.shapes.items())}
    if expected != found:
        raise ParameterMismatch(expected, found)


@lru_cache(maxsize=8)
def _traced(student: Callable, order: str, arguments: tuple) -> Module:
    """The constructor as a program: JAX traces it, and nobody runs it. Most cases of an exercise share theirs."""
    box = []

    def make(key):
        draws = {"rngs": rngs_of(default=key)} if "rngs" in order.split() else {}  # of this trace: they count
        graph, state = nnx.split(_with_arrays(call(student, order, **dict(arguments), **draws)))
        paths, structure = jax.tree_util.tree_flatten_with_path(state)
        learned = {".".join(map(str, path)) for path, leaf in nnx.to_flat_state(state) if isinstance(leaf, nnx.Param)}
        names = [_name(path) for path, _ in paths]
        box.append((graph, structure, names, [name in learned for name in names]))
        return [leaf for _, leaf in paths]

    program = jax.make_jaxpr(make)(key_of(SEED))
    graph, structure, names, are_learned = box[-1]
    return Module(graph, structure, names, are_learned, program, _of_inputs(program), [], {}, student, {}, Counter())


def _of_inputs(program: ClosedJaxpr) -> list[bool]:
    """For each output of a program, whether it depends on an input."""
    known = {*program.jaxpr.invars}
    for step in program.jaxpr.eqns:
        if any(atom in known for atom in step.invars if not isinstance(atom, Literal)):
            known.update(step.outvars)
    return [not isinstance(atom, Literal) and atom in known for atom in program.jaxpr.outvars]


def _with_arrays(module: nnx.Module) -> nnx.Module:
    """The module, whose arrays are state also while it is traced: flax would take a tracer for a part of the graph."""
    for _, part in nnx.iter_modules(module):
        for name, value in list(vars(part).items()):
            if isinstance(value, jax.core.Tracer):
                setattr(part, name, nnx.data(value))
    return module


def _name(path) -> str:
    keys = [str(getattr(key, "key", getattr(key, "idx", getattr(key, "name", key)))) for key in path]
    return ".".join(keys[:-1] if keys[-1] == "value" else keys)


def _counterparts(own: dict[str, list[int]], expected: dict[str, list[int]]) -> dict[str, str]:
    """Name in the contract → the leaf that holds it: of this name, or else of this shape and the likest name."""
    found = {name: name for name in sorted(expected) if own.get(name) == expected[name]}
    for alike in ALIKE:
        for name in sorted(expected.keys() - found.keys()):
            for other in sorted(own.keys() - set(found.values())):
                if own[other] == expected[name] and alike(name, other):
                    found[name] = other
                    break
    return found


ALIKE = (
    lambda expected, own: expected.partition(".")[2] == own.partition(".")[2] != "",  # the part is renamed
    lambda expected, own: expected.rpartition(".")[2] == own.rpartition(".")[2],
    lambda expected, own: True,
)
