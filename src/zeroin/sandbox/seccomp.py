"""The filter of system calls for processes that run code under test.

It is a seccomp filter with a list of allowed calls. For all other calls, the kernel does nothing but send ``SIGSYS``. A
handler of ours records the call and makes it fail with EPERM, so the attempt can be reported as a finding.

Some calls that change files are harmless for some paths, which a filter can not see. Guards in the process check the
path (``languages/python/run/audit_hook.py``, ``languages/c/run/runtime/guards.c``) and then call :meth:`Trap.permit`.
The handler then repeats the call with a secret number as sixth argument, which the filter accepts.
"""

from __future__ import annotations

import ctypes
import mmap
import os
import signal
import struct
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from . import forking
from .system_calls import attempt, known

_SET_MODE_FILTER, _IS_AVAILABLE, _NO_NEW_PRIVILEGES = 1, 2, 38
_ALLOW, _TRAP, _NO_SUCH_CALL, _NO_ACCESS = 0x7FFF0000, 0x00030000, 0x00050000 | 38, 0x00050000 | 13
_LOAD, _EQUAL, _GREATER, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x25, 0x35, 0x45, 0x06
_NUMBER, _ARCHITECTURE, _ARGUMENTS = 0, 4, 16  # offsets in struct seccomp_data, the input of a filter
_SIGNAL_WITH_ITS_CALL = 0x4 | 0x08000000 | 0x40000000  # SA_SIGINFO, SA_ONSTACK, SA_NODEFER

# Calls that concern the process itself, its memory, its open files and the clock; and calls that Landlock restricts.
_HARMLESS = """
read write open close stat fstat lstat poll lseek mmap mprotect munmap brk rt_sigaction rt_sigprocmask rt_sigreturn
pread64 pwrite64 readv writev access pipe select sched_yield mremap msync mincore madvise dup dup2 dup3 pause
nanosleep getitimer alarm setitimer getpid sendfile sendto recvfrom sendmsg recvmsg sendmmsg recvmmsg shutdown
getsockname getpeername setsockopt getsockopt exit wait4 uname fsync fdatasync truncate ftruncate getdents getcwd
chdir fchdir rename mkdir rmdir creat link unlink symlink readlink umask gettimeofday getrlimit getrusage sysinfo
times getuid getgid geteuid getegid getppid getpgrp getpgid getsid getgroups getresuid getresgid capget rt_sigpending
rt_sigtimedwait rt_sigsuspend sigaltstack mknod statfs fstatfs getpriority sched_getparam sched_getscheduler
sched_get_priority_max sched_get_priority_min sched_rr_get_interval sched_getaffinity mlock mlock2 munlock mlockall
munlockall arch_prctl setrlimit gettid readahead getxattr lgetxattr fgetxattr listxattr llistxattr flistxattr time
futex set_thread_area get_thread_area epoll_create epoll_create1 epoll_ctl epoll_wait epoll_pwait epoll_pwait2
getdents64 set_tid_address restart_syscall fadvise64 timer_create timer_settime timer_gettime timer_getoverrun
timer_delete clock_gettime clock_getres clock_nanosleep exit_group waitid mbind set_mempolicy get_mempolicy
inotify_init inotify_init1 inotify_add_watch inotify_rm_watch openat openat2 mkdirat mknodat newfstatat unlinkat
renameat renameat2 linkat symlinkat readlinkat faccessat faccessat2 pselect6 ppoll set_robust_list get_robust_list
splice tee vmsplice signalfd signalfd4 timerfd_create timerfd_settime timerfd_gettime eventfd eventfd2 fallocate pipe2
preadv pwritev preadv2 pwritev2 getcpu getrandom memfd_create membarrier copy_file_range pkey_mprotect pkey_alloc
pkey_free statx rseq close_range pidfd_open sched_getattr seccomp landlock_create_ruleset landlock_add_rule
landlock_restrict_self map_shadow_stack futex_wake futex_wait futex_requeue futex_waitv mseal
"""
_OF_PROCESSES = "fork vfork kill tkill tgkill setpgid setsid rt_sigqueueinfo rt_tgsigqueueinfo"
_OF_PROGRAMS = "execve execveat"
_OF_NETWORK = "socket connect accept accept4 bind listen socketpair"
# Landlock does not restrict these.
_OF_FILES = """
chmod fchmod fchmodat fchmodat2 chown fchown lchown fchownat utime utimes futimesat utimensat flock sync syncfs
setxattr lsetxattr fsetxattr setxattrat removexattr lremovexattr fremovexattr removexattrat
"""
_NEW_THREAD, _NEW_SPACES = 0x10000, 0x7E020000  # bits of the flags of clone
_LOCAL, _NETLINK = 1, 16  # AF_UNIX and AF_NETLINK, families of sockets
# Allowed requests: query a file or terminal, set whether it blocks or is closed on exec, and clone its contents.
_IOCTLS = (
    0x5401,
    0x540F,
    0x5413,
    0x541B,
    0x5421,
    0x5429,
    0x5450,
    0x5451,
    0x40049409,
    0x4020940D,
    0x80086601,
    0x802C542A,
)
_FCNTLS = (8, 10, 15, 1024, 1026)  # refused: the receiver of a file's signals, leases, signals for changes in a folder
_PRCTLS = (1, 2, 3, 4, 15, 16, 21, 22, 23, 25, 27, 30, 38, 39, 42, 47, 0x53564D41)  # own settings, names, queries

Instruction = tuple[int, int, int, int]


@dataclass(frozen=True)
class AllowedCalls:
    """The system calls that a process may make besides harmless ones.

    Attributes:
        files: change modes, owners, times, attributes and locks of all files.
        network: use sockets of all kinds.
        processes: start processes, send signals, create sessions and process groups, run programs.
        forks: fork processes, and send signals to end them.
        programs: run programs.
    """

    files: bool = False
    network: bool = False
    processes: bool = False
    forks: bool = False
    programs: bool = False


class SigsysHandler:
    """The handler of ``SIGSYS`` in this process and in those that it forks.

    The constructor puts its machine code into memory; only :meth:`install` makes the process use it.

    Attributes:
        secret: a random number of 64 bits. The filter allows calls that have it as their sixth argument.

    Raises:
        OSError: the kernel does not allow new machine code.
        KeyError: the machine is neither x86-64 nor AArch64.
    """

    def __init__(self) -> None:
        self.secret = int.from_bytes(os.urandom(8), "little") | 1
        self._cells = (ctypes.c_int64 * 2)()
        code = HANDLERS[os.uname().machine].replace(_CELLS, struct.pack("<Q", ctypes.addressof(self._cells)))
        self._code = mmap.mmap(-1, mmap.PAGESIZE, prot=mmap.PROT_READ | mmap.PROT_WRITE)
        self._code.write(code.replace(_SECRET, struct.pack("<Q", self.secret)))
        self._address = ctypes.addressof(ctypes.c_char.from_buffer(self._code))
        read_and_run = mmap.PROT_READ | mmap.PROT_EXEC
        protect = ctypes.CDLL(None, use_errno=True).mprotect
        _checked(protect(ctypes.c_void_p(self._address), ctypes.c_size_t(mmap.PAGESIZE), read_and_run))

    @property
    def signed_secret(self) -> int:
        """The secret as a signed 64-bit number."""
        return ctypes.c_int64(self.secret).value

    def install(self) -> None:
        """Install this handler for ``SIGSYS``, in place of any other one.

        Raises:
            OSError: the C library refused.
        """
        action = struct.pack("P128siP", self._address, b"", _SIGNAL_WITH_ITS_CALL, 0)
        _checked(ctypes.CDLL(None, use_errno=True).sigaction(int(signal.SIGSYS), action, None))

    def taken(self) -> int | None:
        """Return the number of the first refused system call since the last call of this method; None without one.

        It also withdraws a permission that no call has used.
        """
        number = self._cells[0]
        self._cells[:] = [0, 0]
        return number - 1 if number else None

    def permit(self) -> None:
        """Permit one call: the next one that the filter refuses."""
        self._cells[1] = 1


_standing: list[
    tuple[SigsysHandler, AllowedCalls]
] = []  # handler and rules of this process; empty before there is a filter


def trap() -> SigsysHandler | None:
    """Return the handler of this process; None if it has no filter that records refused calls."""
    return _standing[0][0] if _standing else None


def stopped_call() -> str:
    """Return the first refused system call since the last call of this function, as text for the user.

    The text is empty if none was refused, or if refused calls are not recorded.
    """
    number = _standing[0][0].taken() if _standing else None
    return "" if number is None else attempt(number)


@cache
def handler() -> SigsysHandler:
    """Return the handler, which is created once in a process, and not installed.

    Raises:
        OSError, KeyError: see :class:`SigsysHandler`.
    """
    return SigsysHandler()


def is_supported() -> bool:
    """Return whether the kernel supports the filter, and the numbers of its system calls are known."""
    if known() is None:
        return False
    action = ctypes.c_uint32(_TRAP)
    return bool(_system()(_numbers()["seccomp"], _IS_AVAILABLE, 0, ctypes.byref(action)) == 0)


def install_filter(calls: AllowedCalls, tells: bool = True) -> bool:
    """Install the filter for this thread and all threads and processes that it starts. It can not be removed.

    A further filter can only forbid more.

    Args:
        calls: the allowed calls.
        tells: whether a refused call is recorded and fails with EPERM; otherwise it ends the process.

    Returns:
        Whether there is a filter now; False if the machine does not support it.

    Raises:
        OSError: the kernel refused to install it.
    """
    if not is_supported():
        return False
    made = handler() if tells else None
    if made is not None:
        made.install()
        _standing[:] = [(made, calls)]
    _install(_allowing(calls, made.secret if made is not None else int.from_bytes(os.urandom(8), "little") | 1))
    return True


def no_more_processes() -> None:
    """Forbid this process to start processes, to leave its session or process group, and to signal others.

    Threads stay allowed, and running a program stays as the first filter has it. :mod:`zeroin.sandbox.forking` can
    still fork and send signals. Nothing changes without a handler of refused calls, or if the first filter allows
    ``processes``.

    In processes that this one forks later, too, only signals to this process stay allowed.

    Raises:
        OSError: the kernel refused to install the filter.
    """
    if not _standing or _standing[0][1].processes:
        return
    secret = _standing[0][0].secret
    numbers, own, permitted = _numbers(), os.getpid(), _permitted(secret)
    rules: dict[str, Sequence[Instruction]] = dict.fromkeys(
        ("fork", "vfork", "tkill", "setpgid", "setsid"), _always(_TRAP)
    )
    rules["clone"] = [*_load_argument(0), *_if(_ANY_BIT, _NEW_THREAD, _ALLOW), *permitted]
    for name in ("kill", "rt_sigqueueinfo"):  # allowed: signals to itself, and signal 0, which only tests for existence
        rules[name] = [*_load_argument(0), *_if(_EQUAL, own, _ALLOW), *_load_argument(1), *_if(_EQUAL, 0, _ALLOW),
                       *permitted]  # fmt: skip
    for name in ("tgkill", "rt_tgsigqueueinfo"):
        rules[name] = [*_load_argument(0), *_if(_EQUAL, own, _ALLOW), *_always(_TRAP)]
    _install([*_begin(), *_by_number(rules, numbers), *_always(_ALLOW)])

    def call(name: str, *arguments: int) -> int:
        given = (*arguments, *(0,) * (5 - len(arguments)), secret)
        system = ctypes.PyDLL(None, use_errno=True).syscall  # PyDLL keeps the GIL: no other thread runs meanwhile
        return int(system(ctypes.c_long(numbers[name]), *map(ctypes.c_long, given)))

    forking.go_through(call)


# ---- the filter's program, in classic BPF ----


def _numbers() -> Mapping[str, int]:
    """Return the numbers of this machine's system calls, by name. They must be known."""
    found = known()
    assert found is not None
    return found[1]


def _begin() -> list[Instruction]:
    """Return the program's start: it refuses calls of another architecture, and loads the number of the call."""
    found = known()
    assert found is not None
    return [(_LOAD, 0, 0, _ARCHITECTURE), (_EQUAL, 1, 0, found[0]), (_RETURN, 0, 0, _TRAP), (_LOAD, 0, 0, _NUMBER)]


def _always(action: int) -> list[Instruction]:
    """Return the instruction that ends the filter with an action."""
    return [(_RETURN, 0, 0, action)]


def _if(test: int, value: int, action: int) -> list[Instruction]:
    """Return instructions that end the filter with ``action`` if the loaded number passes a test against ``value``."""
    return [(test, 0, 1, value), (_RETURN, 0, 0, action)]


def _permitted(secret: int) -> list[Instruction]:
    """Return instructions that allow the call if its sixth argument is the secret, and refuse it otherwise."""
    return [
        *_load_argument(5), (_EQUAL, 1, 0, secret & 0xFFFFFFFF), (_RETURN, 0, 0, _TRAP),
        *_load_argument(5, high=True), *_if(_EQUAL, secret >> 32, _ALLOW), *_always(_TRAP),
    ]  # fmt: skip


def _load_argument(place: int, high: bool = False) -> list[Instruction]:
    """Return the instruction that loads the lower or the upper 32 bits of an argument of the call.

    ``place`` is the argument's index, from 0.
    """
    return [(_LOAD, 0, 0, _ARGUMENTS + 8 * place + 4 * high)]


def _by_number(rules: Mapping[str, Sequence[Instruction]], numbers: Mapping[str, int]) -> Iterable[Instruction]:
    """Yield instructions that apply a rule to each named call. Each rule must end with a return.

    Names that this machine does not have are left out.
    """
    for name, rule in rules.items():
        if name in numbers:
            yield (_EQUAL, 0, len(rule), numbers[name])
            yield from rule


def _allowing(calls: AllowedCalls, secret: int) -> list[Instruction]:
    """Return the program of a filter for these calls. Single calls of ``_OF_FILES`` pass with the secret."""
    names = set(_HARMLESS.split())
    names |= {*_OF_FILES.split()} if calls.files else set()
    names |= {*_OF_NETWORK.split()} if calls.network else set()
    names |= {*_OF_PROCESSES.split()} if calls.processes or calls.forks else set()
    names |= {*_OF_PROGRAMS.split()} if calls.processes or calls.programs else set()
    numbers = _numbers()
    own = [*_load_argument(0), *_if(_EQUAL, 0, _ALLOW), *_always(_TRAP)]  # process 0 is the caller itself
    threads = [*_load_argument(0), *_if(_ANY_BIT, _NEW_SPACES, _TRAP), *_if(_ANY_BIT, _NEW_THREAD, _ALLOW)]
    rules: dict[str, Sequence[Instruction]] = {
        "clone": [*threads, *_always(_ALLOW if calls.processes or calls.forks else _TRAP)],
        "clone3": _always(_NO_SUCH_CALL),  # the C library then uses clone, whose flags a filter can see
        "io_uring_setup": _always(_NO_SUCH_CALL),  # programs then use other calls, such as select
        **dict.fromkeys(("prlimit64", "sched_setaffinity", "sched_setscheduler", "sched_setparam"), own),
        "sched_setattr": own,
        "setpriority": [*_load_argument(1), (_EQUAL, 1, 0, 0), (_RETURN, 0, 0, _TRAP), *own],
        "ioctl": [*_load_argument(1), *(one for request in _IOCTLS for one in _if(_EQUAL, request, _ALLOW)),
                  *_always(_TRAP)],
        "fcntl": [*_load_argument(1), *(one for what in _FCNTLS for one in _if(_EQUAL, what, _TRAP)), *_always(_ALLOW)],
        "prctl": [*_load_argument(0), *(one for what in _PRCTLS for one in _if(_EQUAL, what, _ALLOW)), *_always(_TRAP)],
        "socketpair": [*_load_argument(0), *_if(_EQUAL, _LOCAL, _ALLOW), *_always(_TRAP)],
    }  # fmt: skip
    if not calls.network:  # the C library tries to ask a daemon for user names, and can work without: no finding
        quiet = [*_if(_EQUAL, _LOCAL, _NO_ACCESS), *_if(_EQUAL, _NETLINK, _NO_ACCESS)]
        rules["socket"] = [*_load_argument(0), *quiet, *_always(_TRAP)]
    rules |= {name: _permitted(secret) for name in _OF_FILES.split() if name not in names}
    allowed = sorted(numbers[name] for name in names - rules.keys() if name in numbers)
    return [*_begin(), *_ranges(allowed), *_by_number(rules, numbers), *_always(_TRAP)]


def _ranges(allowed: Sequence[int]) -> Iterable[Instruction]:
    """Yield instructions that allow these numbers, which are sorted, and at least one."""
    first = last = allowed[0]
    for number in [*allowed[1:], None]:
        if number == last + 1:
            last = number
            continue
        yield from ((_AT_LEAST, 0, 2, first), (_GREATER, 1, 0, last), (_RETURN, 0, 0, _ALLOW))
        if number is not None:
            first = last = number


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_char_p))


def _install(program: Sequence[Instruction]) -> None:
    """Add a filter to those of this thread, which may gain no privileges from now on.

    Raises:
        OSError: the kernel refused.
    """
    text = b"".join(struct.pack("HBBI", *one) for one in program)
    _checked(ctypes.CDLL(None, use_errno=True).prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0))
    filter_ = _Program(len(program), text)
    _checked(_system()(_numbers()["seccomp"], _SET_MODE_FILTER, 0, ctypes.byref(filter_)))


def _system() -> ctypes._NamedFuncPointer:
    return ctypes.CDLL(None, use_errno=True).syscall


def _checked(result: int) -> None:
    """Check the result of a system call.

    Raises:
        OSError: it is negative.
    """
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"seccomp: {os.strerror(number)}")


# ---- the handler: machine code of trap_x86_64.S and trap_aarch64.S, stored here so that no compiler is needed ----
_CELLS, _SECRET = bytes.fromhex("1111111111111111"), bytes.fromhex("2222222222222222")  # placeholders in the code
HANDLERS = {
    "x86_64": bytes.fromhex(
        "48b91111111111111111486346184883790800751848c78290000000ffffffff48833900750648ffc0488901c348c741080000000052488b7a68"
        "488b72704c8b52384c8b422849b92222222222222222488b92880000000f055a48898290000000c3"
    ),
    "aarch64": bytes.fromhex(
        "c9020058281880b92a0540f90a0100b50b0080924b5c00f92a0140f96a0000b508050091280100f9c0035fd63f0500f9ec0302aa805d40f9"
        "816140f9826540f9836940f9846d40f9c5000058010000d4805d00f9c0035fd611111111111111112222222222222222"
    ),
}
