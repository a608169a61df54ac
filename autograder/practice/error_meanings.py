"""The errors of torch and Python, and what to look for: one row per error."""

UNPACKING = (
    "The exercise returns several things: `return first, second`. The check unpacked your result and got a "
    "different number of values."
)
UNPACKED = (
    "This line unpacks what the call returns, and the number of values does not match. Does the call return "
    "one thing, or several?"
)
SEVERAL = "Return one value, not several."
AXES = (
    "The tensor has fewer axes than this line expects. Counted from the end (−1, −2), an axis keeps its "
    "meaning for any number of leading ones. Do you need every axis that you name?"
)

# What JAX says of a mistake: looked through first.
OF_JAX = (
    (
        r"Attempted boolean conversion of traced array",
        "You decide with `if` (or `and`, `not`, `while`) on a value that does not exist yet: while JAX "
        "traces, an array has only a shape and a dtype. `jnp.where` chooses between arrays.",
    ),
    (
        r"__array__\(\) method was called on traced array|numpy.ndarray conversion",
        "NumPy cannot compute with a tracer, because it has no values. `jnp` has a function of the same name.",
    ),
    (
        r"__index__\(\) method was called on traced array|Shapes must be 1D sequences of concrete values",
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
        "A tracer leaked: a value computed in one call is kept (in a global, a default, an attribute) and "
        "used in the next. Return it instead.",
    ),
    (
        r"immutable and do not support in-place item assignment|does not support item assignment",
        "JAX arrays are immutable: `x = x.at[i].set(…)` returns a new one.",
    ),
    (
        r"Array boolean indices must be concrete|NonConcreteBooleanIndex",
        "The size of an array after a boolean index depends on its values. `jnp.where(mask, x, other)` keeps the size.",
    ),
    (
        r"dot_general requires contracting dimensions to have the same shape, got \((\d+),\) and \((\d+),\)",
        "In `a @ b` the columns of a ({0}) must equal the rows of b ({1}). Print both shapes. Is a transpose "
        "missing, or one too many?",
    ),
    (
        r"Incompatible types for matmul arguments: (\S+) and (\S+)|eq got incompatible shapes for broadcasting",
        "The shapes don't fit: print both. `.T` reverses all axes; `jnp.swapaxes(x, -2, -1)` swaps the last two.",
    ),
    (
        r"Cannot mutate '(\w+)' from different trace level",
        "You set an attribute of the module in a call. It holds parameters only: keep the value in a variable.",
    ),
    (
        r"annotated with nnx.static|assigned to static attribute",
        "flax refuses to keep arrays or modules this way: a list of modules is an `nnx.List`, and a table is computed "
        "in the call.",
    ),
    (
        r"can't set attribute|object attribute '\w+' is read-only",
        "The attributes of a NamedTuple can't be set: `state._replace(…)` returns a new one.",
    ),
    (
        r"Einstein sum subscript '(.+?)' does not contain the correct number of indices",
        "`einsum` names one letter for each axis, and `{0}` doesn't fit the array. `...` stands for any leading axes.",
    ),
    (
        r"not does not accept dtype",
        "`~` takes booleans and integers only, and a mask may hold floats: compare, `mask == 0`.",
    ),
    (
        r"Incompatible shapes for broadcasting: (?:shapes=)?\[?(.+?)\]?$",
        "Broadcasting compares shapes from the right, and these are incompatible: {0}. A size of 1 fits any size.",
    ),
    (
        r"cannot reshape array of shape \((.*?)\) \(size (\d+)\) into shape",
        "A reshape keeps the number of entries, and ({0}) has {1} of them. Which size did you divide?",
    ),
    (
        r"(?:object|Tracer) has no attribute '?"
        r"(unsqueeze|view|permute|masked_fill|transpose_|size|dim|numpy|detach|contiguous)\b",
        "`.{0}` is a method of PyTorch's tensors. JAX's arrays have NumPy's methods, and `jnp` has the functions.",
    ),
)

# What torch says → what to look for. The groups of the pattern fill the braces.
MEANINGS = (
    *OF_JAX,
    (
        r"is an? \w*(Error|Exception), not a tensor",
        "Errors are raised, not returned: use `raise` instead of `return`.",
    ),
    (
        r"only one element tensors|cannot be converted to (a )?Scalar|must be real number, not Tensor",
        "A function that takes a single number (`math`, `float`, `int`, `.item()`) got a whole tensor. torch "
        "has functions of the same names for tensors: `torch.exp`, `torch.sqrt`.",
    ),
    (
        r"but got float|of ints, not float|'float' object cannot be interpreted as an integer",
        "A size must be an integer, and `/` returns a float: divide with `//`.",
    ),
    (
        r"is not a Module subclass",
        "A container takes modules as separate arguments: instances (`nn.ReLU()`, not `nn.ReLU`), and not a "
        "list (`*layers` unpacks one).",
    ),
    (
        r"'(\w+)' object is not callable",
        "You call a {0} as if it were a function. Did you swap two arguments, or give a variable the name of "
        "a function?",
    ),
    (
        r"index (\d+) is out of bounds for dimension (\d+) with size (\d+)",
        "Axis {1} has {2} entries, and index {0} is past the last one. Is the index meant for another axis?",
    ),
    (
        r"step must be greater than zero",
        "A slice of a tensor cannot run backwards: `.flip(-1)` reverses its last axis.",
    ),
    (
        r"expected Tensor as element \d+ in argument \d+, but got (\w+)",
        "`cat` and `stack` join tensors, and one of the parts is a {0}: take the tensor out of it, or convert it.",
    ),
    (
        r"'dict' object has no attribute '(\w+)'",
        'Look up a dict by its keys: `…["{0}"]`.',
    ),
    (
        r"'list' object has no attribute '((?:named_)?(?:parameters|modules|children)|state_dict)'",
        "A Python list of modules has no `.{0}`: keep the modules in an nn.ModuleList.",
    ),
    (
        r"'(list|int|float)' object has no attribute '(\w+)'",
        "Tensors and arrays have `.{1}`, but this is a {0}: convert it with `torch.as_tensor` or `jnp.asarray`.",
    ),
    (
        r"Can't call numpy\(\) on Tensor that requires grad",
        "NumPy cannot follow gradients: use torch's function of the same name.",
    ),
    (
        r"mat1 and mat2 shapes cannot be multiplied \((\d+)x(\d+) and (\d+)x(\d+)\)",
        "In `a @ b` the columns of a ({1}) must equal the rows of b ({2}). Print both shapes. Is a transpose "
        "missing, or are two axes swapped?",
    ),
    (
        r"Expected size for first two dimensions of batch2 tensor to be: \[(\d+), (\d+)\] but got: \[(\d+), (\d+)\]",
        "In `a @ b` the columns of a ({1}) must equal the rows of b ({3}), and the leading dimensions must "
        "match. `b.transpose(-2, -1)` swaps only the last two axes of b.",
    ),
    (
        r"size of tensor a \((\d+)\) must match the size of tensor b \((\d+)\) at non-singleton dimension (\d+)",
        "Broadcasting compares shapes from the right: along axis {2} one tensor has {0} entries and the other "
        "{1}. Sizes must be equal, or one of them 1: use `keepdim=True`, or index with None.",
    ),
    (
        r"shape '\[(.*?)\]' is invalid for input of size (\d+)",
        "A reshape keeps the number of entries: {1} of them do not fill [{0}]. Which size did you divide, and which "
        "multiply?",
    ),
    (
        r"view size is not compatible",
        "After a transpose the entries are no longer contiguous in memory: use `reshape` (or "
        "`.contiguous().view`), which copies them.",
    ),
    (
        r"Sizes of tensors must match except in dimension",
        "`cat` joins tensors whose other sizes are equal. Print the shapes of the parts.",
    ),
    (
        r"(expected scalar type|expected m1 and m2 to have the same dtype|must have the same dtype)",
        "Two tensors have different dtypes. A layer needs floats (`.float()`), an index needs integers (`.long()`).",
    ),
    (
        r"not implemented for '(\w+)'",
        "torch does not support this for {0}: `&`, `|` and `~` need booleans (`.bool()`), a layer needs "
        "floats (`.float()`), an index needs integers (`.long()`).",
    ),
    (
        r"only supports boolean masks",
        "`masked_fill` needs a boolean mask, True where it fills. Compare a mask of 0 and 1 to get one: `mask == 0`.",
    ),
    (
        r"only implemented on integer and Boolean",
        "`~` wants booleans: `.bool()`, or compare, `mask == 0`.",
    ),
    (
        r"Expected target size",
        "`cross_entropy` expects the classes on axis 1: logits [N, C] and targets [N], or logits [B, C, T] "
        "and targets [B, T]. Print both shapes.",
    ),
    (
        r"return_types\.(\w+)",
        "With `dim`, `torch.{0}` returns values and indices: take `.values`, or the first of the two.",
    ),
    (r"Dimension out of range", AXES),
    (
        r"modified by an inplace operation",
        "An in-place operation (`+=`, `masked_fill_`, `x[...] =`) overwrote numbers that the gradient still needs.",
    ),
    (
        r"Boolean value of Tensor with more than one value is ambiguous",
        "Python needs a single True or False here, and a tensor has many. For an optional argument write `if "
        "mask is not None`.",
    ),
    (r"(not enough|too many) values to unpack|cannot unpack", UNPACKING),
    (
        r"NoneType, not a tensor",
        "Your function returns None. Does every path through it end in a `return`? (`print` returns nothing.)",
    ),
    (r"not a tensor", "Return tensors (or, where the exercise says so, numbers)."),
    (
        r"'NoneType' object",
        "Something is None: an argument that was not passed, or the result of a function without `return`.",
    ),
    (
        r"before Module.__init__\(\) call",
        "Call `super().__init__()` first in `__init__`: it prepares the module to hold layers.",
    ),
    (
        r"'tuple' object|not tuple|tuple indices|and 'tuple'|'tuple' and",
        "Several things at once, a tuple, are used as if they were one. Unpack them first: `values, attention = …`.",
    ),
    (
        r"name '(\w+)' is not defined",
        "There is nothing named {0} here. Is it spelled correctly, and have you run its cell?",
    ),
    (
        r"index out of range in self",
        "An index is past the end of its table: print the largest index and the table's size.",
    ),
    (
        r"leaf Variable that requires grad is being used in an in-place",
        "You overwrite the caller's tensor in place (`+=`, `masked_fill_`, `x[...] =`): make a new one.",
    ),
    (
        r"does not require grad and does not have a grad_fn",
        "The result is detached from the inputs: look for `.detach()`, `.data`, `.item()` or no_grad.",
    ),
)
