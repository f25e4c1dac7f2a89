# SPDX-License-Identifier: Apache-2.0
"""Reports application metrics to mete: timers, rates and numbers.

    import mete_hook

    with mete_hook.timer("decode"):         # how long a step takes
        ...
    @mete_hook.timer("decode")              # the same around a function
    def decode(): ...
    mete_hook.rate("frame")                 # one more frame is done
    mete_hook.rate("token", 12)             # twelve at once
    mete_hook.number("queue_length", 3)

A single file that needs only the standard library, for Python 3.7 or later on
Linux. It uses the same wire format as mete/hook.h and gives the same
guarantees. Events go to the Unix socket named by METE_HOOK_SOCKET. The variable
is read when this module is imported; without it, calls do nothing. Calls are
allowed from any thread and never block or raise:

- Without a receiver, events are discarded. A thread of this module tries to
  connect once a second. The same thread sends the events, at most 20 ms late
  (80 ms after an idle period).
- If the receiver is slow, up to 4096 events are queued. Further events are
  dropped and counted by name, and so are values that are not finite numbers.
- Names are cut after 63 bytes of UTF-8.
- Queued events are sent when the program ends. Call flush() before os._exit().
- After os.fork() the child is a separate sender.

docs/internals/hook-wire.md specifies the wire format.
"""
import atexit
import collections
import functools
import math
import os
import socket
import struct
import sys
import threading
import time

__all__ = ["timer", "rate", "number", "flush"]

_TIMER, _RATE, _NUMBER, _DROPPED = 1, 2, 3, 4
_HEADER = struct.Struct("<4sBBHIIQQ")
_RECORD = struct.Struct("<HBBQd")
_MOST_WAITING = 4096
_MOST_BYTES = 4096
_MOST_NAME = 63
_MOST_NAMES = 255
_now = time.monotonic_ns

_path = os.environ.get("METE_HOOK_SOCKET", "")
_sender = None
# Accepts (kind, name, value, nanoseconds); None without a receiver.
_put = None


def rate(name, n=1):
    """Counts n more events with this name."""
    put = _put
    if put is not None:
        put((_RATE, name, n, _now()))


def number(name, value):
    """Reports the current value of something."""
    put = _put
    if put is not None:
        put((_NUMBER, name, value, _now()))


def timer(name):
    """Times a with-block, a function, or the time from start() to stop().

    A timer object times one thing at a time. A decorated function creates one
    for every call, so it may nest and run in many threads. A coroutine is
    timed until it ends, but a generator only while it is created.
    """
    if _put is not None:
        return _Timer(name)
    try:
        return _idle_timers.get(name) or _idle_timer(name)
    except TypeError:  # the name is not hashable
        return _IdleTimer(name)


class _IdleTimer:
    """A timer without a receiver. Stateless, so one per name is enough."""

    __slots__ = ("_name",)

    def __init__(self, name):
        self._name = name

    def start(self):
        return self

    def stop(self):
        pass

    __enter__ = start

    def __exit__(self, *unused):
        pass

    def __call__(self, function):
        if not _path:
            return function  # there will never be a receiver
        name = self._name
        code = getattr(function, "__code__", None)
        if code is not None and code.co_flags & 0x80:  # inspect.CO_COROUTINE
            @functools.wraps(function)
            async def timed(*args, **kwargs):
                with timer(name):
                    return await function(*args, **kwargs)
        else:
            @functools.wraps(function)
            def timed(*args, **kwargs):
                with timer(name):
                    return function(*args, **kwargs)
        return timed


class _Timer(_IdleTimer):
    """A timer that records durations."""

    __slots__ = ("_start",)

    def __init__(self, name):
        self._name = name
        self._start = 0

    def start(self):
        self._start = _now()
        return self

    def stop(self):
        put = _put
        if put is not None and self._start:
            now = _now()
            put((_TIMER, self._name, (now - self._start) * 1e-9, now))

    __enter__ = start

    def __exit__(self, *unused):
        self.stop()


_idle_timers = {}


def _idle_timer(name):
    made = _IdleTimer(name)
    if len(_idle_timers) < _MOST_NAMES:
        _idle_timers[name] = made
    return made


def flush():
    """Sends all events recorded so far. Takes at most 200 ms."""
    if _sender is not None:
        _sender.flush()


def _encode(kind, name, value, at):
    """Returns the bytes of a record, or None if the value is invalid."""
    try:
        text = str(name).encode("utf-8", "replace")
        value = float(value)
    except Exception:  # __str__ or __float__ may raise anything
        return None
    if not math.isfinite(value) or not text:
        return None
    if kind == _RATE and value < 1:
        return b"" if value == 0 else None
    if len(text) > _MOST_NAME:
        # Do not cut inside a character.
        text = text[:_MOST_NAME].decode("utf-8", "ignore").encode("utf-8")
    size = _RECORD.size + len(text)
    return _RECORD.pack(size, kind, len(text), at, value) + text


class _Sender:
    """The queued events of this process, and the thread that sends them."""

    def __init__(self):
        self.queue = collections.deque()  # as recorded, from any thread
        self._records = collections.deque()  # as bytes, in order
        self._dropped = {}
        self._lock = threading.Lock()  # held while sending
        self._starting = threading.Lock()
        self._wake = threading.Event()
        self._stop = False
        self._thread = None
        self._socket = None
        self._inode = 0
        self._session = 0
        self._sequence = 0

    def first(self, event):
        """Queues the first event and starts the sending thread."""
        self.queue.append(event)
        # Do not wait for the lock: a signal handler may run during this call.
        if self._thread is not None or not self._starting.acquire(False):
            return
        self._listen(self._connect())
        try:
            thread = threading.Thread(
                target=self._run, name="mete-hook", daemon=True)
            thread.start()
            self._thread = thread
        except RuntimeError:  # no thread could be started: record nothing
            self._listen(False)
        self._flush_when_a_worker_ends()

    def _flush_when_a_worker_ends(self):
        # Workers of multiprocessing do not run atexit handlers.
        util = sys.modules.get("multiprocessing.util")
        if util is not None:
            try:
                util.Finalize(None, self.end, exitpriority=0)
            except Exception:
                pass

    def _listen(self, listening):
        global _put
        _put = self.queue.append if listening else None

    def _run(self):
        next_attempt = _now() + 10**9
        while not self._stop:
            self._wake.clear()
            wait = 1.0
            with self._lock:
                if self._socket is None and _now() >= next_attempt:
                    next_attempt = _now() + 10**9
                    if self._connect():
                        # Events recorded without a receiver are too old.
                        self.queue.clear()
                        self._records.clear()
                        self._dropped.clear()
                        self._listen(True)
                if self._socket is not None:
                    wait = self._round()
                    if self._socket is None:
                        next_attempt = _now() + 10**9
            self._wake.wait(wait)

    def _round(self):
        """Sends queued events; returns how many seconds to sleep."""
        try:
            return 0.02 if self._send_all() else 0.08
        except (BlockingIOError, InterruptedError):
            return 0.005
        except OSError as error:
            if error.errno in (105, 12):  # ENOBUFS, ENOMEM
                return 0.005
            self._listen(False)
            self._close()
            return 1.0

    def _connect(self):
        made = None
        try:
            made = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
            made.setblocking(False)
            made.connect(_path)
        except (OSError, ValueError):
            if made is not None:
                made.close()
            return False
        self._inode = os.fstat(made.fileno()).st_ino
        self._socket = made
        self._session = _now()
        self._sequence = 0
        return True

    def _owns_socket(self):
        # If the program closes our descriptor, another file may reuse its
        # number.
        try:
            return os.fstat(self._socket.fileno()).st_ino == self._inode
        except OSError:
            return False

    def _close(self):
        if self._socket is not None:
            if self._owns_socket():
                self._socket.close()
            else:
                self._socket.detach()
        self._socket = None

    def _drop(self, name, count=1):
        try:
            name = str(name)
        except Exception:
            name = ""
        if name not in self._dropped and (
                len(self._dropped) >= _MOST_NAMES):
            name = ""
        self._dropped[name] = self._dropped.get(name, 0) + count

    def _take_queue(self):
        for _ in range(len(self.queue)):
            kind, name, value, at = self.queue.popleft()
            record = None
            if len(self._records) < _MOST_WAITING:
                record = _encode(kind, name, value, at)
            if record is None:
                self._drop(name)
            elif record:
                self._records.append(record)

    def _send_all(self):
        """Returns how many records were sent. On OSError they stay queued."""
        sent = 0
        self._take_queue()
        while self._records or self._dropped:
            sent += self._send_one()
            self._take_queue()
        return sent

    def _send_one(self):
        if not self._owns_socket():
            raise OSError("the socket was closed by the program")
        batch, size, reported, waiting = [], _HEADER.size, [], 0
        for name, count in self._dropped.items():
            # An empty name stands for events without a known name.
            text = name.encode("utf-8", "replace")[:_MOST_NAME]
            text = text.decode("utf-8", "ignore").encode("utf-8")
            record = _RECORD.pack(_RECORD.size + len(text), _DROPPED,
                                  len(text), _now(), count) + text
            if size + len(record) > _MOST_BYTES:
                break
            batch.append(record)
            size += len(record)
            reported.append(name)
        for record in self._records:
            if size + len(record) > _MOST_BYTES:
                break
            batch.append(record)
            size += len(record)
            waiting += 1
        header = _HEADER.pack(b"METE", 1, 0, len(batch), os.getpid(), size,
                              self._session, self._sequence)
        self._socket.send(header + b"".join(batch),
                          socket.MSG_DONTWAIT | socket.MSG_NOSIGNAL)
        for name in reported:
            del self._dropped[name]
        for _ in range(waiting):
            self._records.popleft()
        self._sequence += len(batch)
        return len(batch)

    def flush(self):
        end = time.monotonic() + 0.2
        if not self._lock.acquire(timeout=0.2):
            return
        try:
            while self._socket is not None:
                try:
                    self._send_all()
                    return
                except (BlockingIOError, InterruptedError):
                    if time.monotonic() >= end:
                        return
                    time.sleep(0.002)
                except OSError:
                    return
        finally:
            self._lock.release()

    def end(self):
        self._stop = True
        self._wake.set()
        if self._thread is not None:
            self._thread.join(1)
        self.flush()

    def leave_to_parent(self):
        """Runs in the child of a fork, which has the socket but no thread."""
        self._close()


def _start_anew():
    global _sender, _put
    _sender = _Sender()
    _put = _sender.first


def _forked():
    _sender.leave_to_parent()
    _start_anew()


def _end():
    _sender.end()


if _path:
    _start_anew()
    atexit.register(_end)
    os.register_at_fork(after_in_child=_forked)
