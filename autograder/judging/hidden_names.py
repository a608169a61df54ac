"""Names of ways to call something that isn't written in the source; `hidden.py` looks for them."""

BY_NAME = ("getattr", "attrgetter", "methodcaller", "__getattribute__")  # take a name as a text
BUILT_IN = ("exec", "eval", "compile", "__import__", "globals", "vars")  # as names: `model.eval()` is something else
AT_RUN_TIME = (*BUILT_IN, "import_module", "CompilationUnit")
BEHIND = (  # of torch and sys, and as what is imported
    *("_C", "ops", "DisableTorchFunction", "DisableTorchFunctionSubclass", "modules"),
    *("autograder", "builtins", "ctypes", "_thread", "multiprocessing", "subprocess", "__main__"),
)
STAYS = {  # start a process that may answer later
    *("fork", "forkpty", "Popen", "posix_spawn", "posix_spawnp", "spawnl", "spawnle", "spawnlp", "spawnlpe"),
    *("spawnv", "spawnve", "spawnvp", "spawnvpe", "create_subprocess_exec", "create_subprocess_shell"),
    *("subprocess_exec", "subprocess_shell"),
}
OUT_OF_SIGHT = {  # attributes of whatever they are asked of, and what is imported
    *STAYS,
    # another process, or the shell of the page
    *("popen", "ProcessPoolExecutor", "execl", "execle", "execlp", "execlpe", "execv", "execve", "execvp"),
    *("execvpe", "InteractiveShell", "run_cell", "run_cell_magic", "run_line_magic"),
    # a name or code in a text
    *("resolve_name", "run_path", "run_module", "getmembers", "getmembers_static", "getattr_static"),
    *("get_field", "locate", "mock", "get_type_hints", "get_annotations", "ForwardRef"),
    # a search
    *("get_objects", "get_referents", "get_referrers", "__subclasses__"),
    # the insides of frames, functions and modules
    *("_getframe", "currentframe", "f_back", "f_globals", "f_locals", "f_builtins", "tb_frame", "gi_frame"),
    *("cr_frame", "ag_frame", "FunctionType", "LambdaType", "CodeType", "__code__", "__globals__"),
    *("__closure__", "__builtins__", "__dict__", "__loader__", "__spec__"),
    # what a pattern takes apart
    *("__match_args__", "__instancecheck__"),
    # torch once more, written in Python
    *("_refs", "_decomp", "_prims", "_numpy", "transform_to", "biject_to"),
}
MODULES = {  # whose use says enough
    *("pkgutil", "runpy", "timeit", "pickle", "_pickle", "marshal", "shelve", "dill", "cloudpickle", "joblib"),
    *("importlib", "imp", "zipimport", "code", "codeop", "doctest", "pdb", "bdb", "cProfile", "profile"),
    *("trace", "pydoc", "cffi", "posix", "pty", "socket", "_socket", "socketserver", "mmap"),
    *("_posixsubprocess", "_xxsubinterpreters", "_interpreters", "execnet", "dask", "distributed"),
}
WITH_READY_MADE = {  # libraries for the same trade
    *("torch", "scipy", "jax", "jaxlib", "flax", "optax", "sklearn", "tensorflow", "keras", "transformers"),
    *("tokenizers", "torchvision", "torchmetrics", "torch_geometric", "lightning", "pytorch_lightning"),
    *("sympy", "numba", "onnxruntime", "xformers", "haiku", "cupy", "mxnet", "paddle"),
}
DERIVES = ("grad", "vjp", "jvp", "jacrev", "jacfwd", "jacobian", "backward")  # a ready-made function's derivative
