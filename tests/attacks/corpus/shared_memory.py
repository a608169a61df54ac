"""Leave a message in shared memory and in queues of the system, where the next submission could read it."""

KIND = "left behind"
DESERVES = 12
ANSWERS = {
    "scaled_dot_product": """
import ctypes
from multiprocessing import shared_memory

try:
    kept = shared_memory.SharedMemory("left", create=True, size=97)
except (OSError, ImportError) as error:
    print(error)
libc = ctypes.CDLL(None, use_errno=True)
print(libc.shmget(97, 4096, 0o1666), libc.msgget(97, 0o1666), libc.semget(97, 1, 0o1666))

def scaled_dot_product(q, k, v, mask=None):
    return q, k
"""
}
