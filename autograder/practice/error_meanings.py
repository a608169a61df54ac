"""What torch and Python say of a slip, and what to look for: a row an error."""

UNPACKING = (
    "The exercise returns several things: `return first, second`. The check took what came apart and found another "
    "number of parts."
)
UNPACKED = (
    "This line takes apart what its call gives, and that has another number of parts: does the call return one thing, "
    "or several?"
)
SEVERAL = "Your answer gives several things where one is due: return that one alone."
AXES = (
    "There are fewer axes than this line counts on. Counted from the end (−1, −2) an axis keeps its meaning for any "
    "number of leading ones; and is every axis needed that you name?"
)

# What JAX says of a slip: looked through first.
OF_JAX = (
    (
        r"Attempted boolean conversion of traced array",
        "You decide with `if` (or `and`, `not`, `while`) on a value that does not exist yet: while JAX traces, an "
        "array has a shape and a dtype only. `jnp.where` chooses between arrays.",
    ),
    (
        r"__array__\(\) method was called on traced array|numpy.ndarray conversion",
        "NumPy cannot compute with a tracer, which has no numbers. `jnp` has a function of the same name.",
    ),
    (
        r"__index__\(\) method was called on traced array",
        "A shape, a range or an index depends on a value that does not exist while JAX traces. Take it from a "
        "shape, or pass it as a Python number (`static_argnums`).",
    ),
    (
        r"Abstract tracer value encountered where concrete value is expected|"
        r"concrete value is expected|Attempted (int|float)\(\)",
        "An `int()`, `float()` or `.item()` asks for a value that does not exist while JAX traces: keep it an array.",
    ),
    (
        r"Encountered an unexpected tracer|leaked",
        "A tracer leaked: something that was computed during one call is kept (in a global, a default, an attribute) "
        "and used in the next. Return it instead.",
    ),
    (
        r"immutable and do not support in-place item assignment|does not support item assignment",
        "Arrays of JAX are immutable: `x = x.at[i].set(…)` returns a new one.",
    ),
    (
        r"Array boolean indices must be concrete|NonConcreteBooleanIndex",
        "A boolean index gives an array whose size depends on values. `jnp.where(mask, x, other)` keeps the size.",
    ),
    (
        r"dot_general requires contracting dimensions to have the same shape, got \((\d+),\) and \((\d+),\)",
        "In `a @ b` the columns of a ({0}) must equal the rows of b ({1}). `jnp.swapaxes(b, -2, -1)` swaps them.",
    ),
    (
        r"Incompatible shapes for broadcasting: (?:shapes=)?\[?(.+?)\]?$",
        "Broadcasting compares shapes from the right, and these do not fit: {0}. A size of 1 fits anything.",
    ),
    (
        r"cannot reshape array of shape \((.*?)\) \(size (\d+)\) into shape",
        "A reshape keeps the number of entries, and there are {1} of them in ({0}). Which size did you divide?",
    ),
    (
        r"object has no attribute '(unsqueeze|view|permute|masked_fill|transpose_|size|dim|numpy|detach|contiguous)'",
        "`.{0}` is a method of PyTorch's tensors. JAX's arrays have NumPy's methods, and `jnp` has the functions.",
    ),
)

# What torch says → what to look for. The groups of the pattern fill the braces.
MEANINGS = (
    *OF_JAX,
    (
        r"is an? \w*(Error|Exception), not a tensor",
        "An error is raised, not returned: `raise` in place of `return`, or in front of it.",
    ),
    (
        r"only one element tensors|cannot be converted to (a )?Scalar|must be real number, not Tensor",
        "What takes one number (`math`, `float`, `int`, `.item()`) got a whole tensor. torch has functions of the same "
        "names for tensors: `torch.exp`, `torch.sqrt`.",
    ),
    (
        r"but got float|of ints, not float|'float' object cannot be interpreted as an integer",
        "A size is an integer, and `/` gives a float: `//` divides without one.",
    ),
    (
        r"is not a Module subclass",
        "A container takes modules, one by one: made (`nn.ReLU()`, not `nn.ReLU`), and not in a list (`*layers` takes "
        "one apart).",
    ),
    (
        r"'(\w+)' object is not callable",
        "What stands in front of the parentheses is a {0} and no function: did two arguments change places, or does "
        "something have the name of a function?",
    ),
    (
        r"index (\d+) is out of bounds for dimension (\d+) with size (\d+)",
        "Axis {1} has {2} entries, and {0} lies beyond them: is the index meant for another axis?",
    ),
    (
        r"step must be greater than zero",
        "A slice of a tensor cannot run backwards: `.flip(-1)` turns its last axis round.",
    ),
    (
        r"expected Tensor as element \d+ in argument \d+, but got (\w+)",
        "`cat` and `stack` join tensors, and one of the parts is a {0}: take the tensor out of it, or make one.",
    ),
    (
        r"'dict' object has no attribute '(\w+)'",
        'A dict is asked by its keys: `…["{0}"]`.',
    ),
    (
        r"'(list|int|float)' object has no attribute '(\w+)'",
        "A tensor has `.{1}`, and this is a {0}: `torch.as_tensor` makes a tensor of it.",
    ),
    (
        r"Can't call numpy\(\) on Tensor that requires grad",
        "NumPy cannot follow gradients: torch has a function for the same.",
    ),
    (
        r"mat1 and mat2 shapes cannot be multiplied \((\d+)x(\d+) and (\d+)x(\d+)\)",
        "In `a @ b` the columns of a ({1}) must equal the rows of b ({2}). Print both shapes: is a transpose missing, "
        "or did two axes change places?",
    ),
    (
        r"Expected size for first two dimensions of batch2 tensor to be: \[(\d+), (\d+)\] but got: \[(\d+), (\d+)\]",
        "In `a @ b` the columns of a ({1}) must equal the rows of b ({3}), and the leading dimensions must fit. "
        "`b.transpose(-2, -1)` swaps the last two axes of b and leaves the others alone.",
    ),
    (
        r"size of tensor a \((\d+)\) must match the size of tensor b \((\d+)\) at non-singleton dimension (\d+)",
        "Broadcasting compares shapes from the right: along axis {2} one tensor has {0} entries and the other {1}. "
        "Equal sizes fit, and so does a size of 1: `keepdim=True` or indexing with None makes one.",
    ),
    (
        r"shape '\[(.*?)\]' is invalid for input of size (\d+)",
        "A reshape keeps the number of entries: {1} of them do not fill [{0}]. Which size did you divide, and which "
        "multiply?",
    ),
    (
        r"view size is not compatible",
        "After a transpose the entries no longer lie one after the other: `reshape` (or `.contiguous().view`) copies "
        "them into order.",
    ),
    (
        r"Sizes of tensors must match except in dimension",
        "`cat` joins tensors whose other sizes are equal. Print the shapes of its parts.",
    ),
    (
        r"(expected scalar type|expected m1 and m2 to have the same dtype|must have the same dtype)",
        "Two tensors have different dtypes. A layer wants floats (`.float()`), an index wants integers (`.long()`).",
    ),
    (
        r"not implemented for '(\w+)'",
        "torch does this for other dtypes than {0}: `&`, `|` and `~` want booleans (`.bool()`), a layer wants floats "
        "(`.float()`), an index integers (`.long()`).",
    ),
    (
        r"only supports boolean masks",
        "`masked_fill` wants booleans, True where it fills. A mask of 0 and 1 becomes one by comparing: `mask == 0`.",
    ),
    (
        r"only implemented on integer and Boolean",
        "`~` wants booleans: `.bool()`, or compare, `mask == 0`.",
    ),
    (
        r"Expected target size",
        "`cross_entropy` wants the classes on axis 1: logits [N, C] and targets [N], or logits [B, C, T] and targets "
        "[B, T]. Print both shapes.",
    ),
    (
        r"return_types\.(\w+)",
        "With `dim`, `torch.{0}` returns two things, values and indices: take `.values`, or the first of the two.",
    ),
    (r"Dimension out of range", AXES),
    (
        r"modified by an inplace operation",
        "An in-place operation (`+=`, `masked_fill_`, `x[...] =`) overwrote numbers that the gradient still needs.",
    ),
    (
        r"Boolean value of Tensor with more than one value is ambiguous",
        "Python asks a tensor for one yes or no. For an optional argument write `if mask is not None`.",
    ),
    (r"(not enough|too many) values to unpack|cannot unpack", UNPACKING),
    (
        r"NoneType, not a tensor",
        "Your function gives None. Does every way through it end in a `return`? (`print` gives nothing back.)",
    ),
    (r"not a tensor", "Return tensors (or, where the exercise says so, numbers)."),
    (
        r"'NoneType' object",
        "Something is None: an argument that was not given, or what a function without `return` gave.",
    ),
    (
        r"before Module.__init__\(\) call",
        "`super().__init__()` comes first in `__init__`: it makes the module that layers go into.",
    ),
    (
        r"'tuple' object|not tuple|tuple indices|and 'tuple'|'tuple' and",
        "A function gave several things at once. Take them apart: `values, attention = …`.",
    ),
    (r"name '(\w+)' is not defined", "There is nothing named {0} here: is it spelled so, and has its cell been run?"),
    (
        r"index out of range in self",
        "A table was asked for a row that it does not have: print the largest index, and the table's size.",
    ),
    (
        r"leaf Variable that requires grad is being used in an in-place",
        "What the caller gave is overwritten in place (`+=`, `masked_fill_`, `x[...] =`): make a new tensor.",
    ),
    (
        r"does not require grad and does not have a grad_fn",
        "Nothing connects the result with what it was made of: `.detach()`, `.data`, `.item()` or no_grad cut it.",
    ),
)
