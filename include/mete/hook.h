// SPDX-License-Identifier: Apache-2.0
//
// Reports application metrics to mete: how long a step takes (timer), how often
// something happens (rate), how large something is (number). For C11 and C++11
// on Linux. Requires only this file and libc (before glibc 2.34 also -pthread).
//
//   mete_timer timer = mete_timer_start("decode");  // C: a timer is a value,
//   mete_timer_stop(timer);                         // so it can nest or move
//   mete_rate("frame");                             // one more frame is done
//   mete_rate_n("token", 12);                       // twelve at once
//   mete_number("queue_length", 3);
//
//   mete::hook::Timer timer("decode");              // C++: until end of scope
//   mete::hook::Rate("frame");
//   mete::hook::Number("queue_length", 3);
//
// Events go to the Unix socket named by METE_HOOK_SOCKET. The variable is read
// at the first call; without it, every call is one load and one branch. The
// first call connects, which takes about 0.1 ms. Calls are allowed from any
// thread and, after the first call, from signal handlers. No call blocks,
// fails, changes errno or ends the program:
// - Names are cut after 63 bytes. The first 255 names are kept; events with
//   further names or without a name count as dropped, and so do numbers that
//   are NaN or infinite.
// - Without a receiver, events are discarded. A thread of the hook tries to
//   connect once a second. The same thread sends the events, at most 20 ms late
//   (80 ms after an idle period), because a datagram takes microseconds and a
//   call must not.
// - If the receiver is slow, up to 4096 events are queued. Further events are
//   dropped and counted by name, and the counts are sent to the receiver.
// - exit() and a return from main send the queued events. Call
//   mete_hook_flush() before _exit(), exec or a fatal signal, otherwise the
//   last 80 ms are lost.
// - After fork() the child is a separate sender. Queued events stay with the
//   parent.
//
// docs/internals/hook-wire.md specifies the wire format. The hook is a single
// file so that it can be copied into any project.
#ifndef METE_HOOK_H_
#define METE_HOOK_H_

#if !defined(__cplusplus) && !defined(_GNU_SOURCE) && !defined(_DEFAULT_SOURCE)
#define _DEFAULT_SOURCE 1  // -std=c11 hides POSIX
#endif

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#if !defined(CLOCK_MONOTONIC) || !defined(SYS_futex)
#error "include mete/hook.h before other headers, or compile with -std=gnu11"
#endif

// Everything with a trailing underscore is internal. Functions marked FN are
// not inlined into the program; only the check for a receiver is.
#ifdef __cplusplus
#define METE_HOOK_INLINE_ __attribute__((visibility("hidden"))) inline
#define METE_HOOK_FN_ __attribute__((noinline, visibility("hidden"))) inline
extern "C" {
#else
#define METE_HOOK_INLINE_ static inline
#define METE_HOOK_FN_ __attribute__((noinline, unused)) static
#endif

enum {
  METE_HOOK_TIMER_ = 1,    // value: seconds
  METE_HOOK_RATE_ = 2,     // value: number of events
  METE_HOOK_NUMBER_ = 3,   // value: the number
  METE_HOOK_DROPPED_ = 4,  // value: number of dropped events of this name

  METE_HOOK_VERSION_ = 1,
  METE_HOOK_HEADER_ = 32,  // bytes before the first record
  METE_HOOK_RECORD_ = 20,  // bytes of a record before its name
  METE_HOOK_DATAGRAM_ = 4096,
  METE_HOOK_NAME_ = 63,
  METE_HOOK_NAMES_ = 256,  // entry 0 is "no name"
  METE_HOOK_PROBES_ = 32,
  METE_HOOK_SLOTS_ = 4096  // a power of two
};

// Phases of a process. The hot path only checks for >= STARTING.
enum {
  METE_HOOK_NEW_ = 0,   // before the first call
  METE_HOOK_OFF_ = 1,   // permanent: no variable, or the thread failed to start
  METE_HOOK_DEAF_ = 2,  // no receiver; the thread retries once a second
  METE_HOOK_STARTING_ = 3,
  METE_HOOK_LISTENING_ = 4
};

// A started timer. It may be copied, passed to another thread or discarded.
typedef struct mete_timer {
  uint64_t start;  // nanoseconds of CLOCK_MONOTONIC; 0: no receiver
  uint32_t name;
} mete_timer;

// A name in use. `state` is 0 (free), 1 (being written) or 2 (readable).
struct mete_hook_name_ {
  uint32_t state;
  uint32_t dropped;
  unsigned char length;
  char text[METE_HOOK_NAME_];
};

// A slot of the queue, after Vyukov's bounded queue for many producers. `turn`
// is position / SLOTS * 2 when the slot may be written, and one more when it
// may be read.
struct mete_hook_slot_ {
  uint32_t turn;
  uint16_t name;
  uint16_t kind;
  uint64_t at;
  double value;
};

// The state of the hook in a process, shared by all its object files and
// libraries. The variable's name includes the version of the layout, so two
// versions of this file can be used in one process.
struct mete_hook_process_ {
  uint32_t phase;
  uint32_t tail __attribute__((aligned(64)));  // next position to write
  uint32_t head __attribute__((aligned(64)));  // next position to send
  uint32_t sending;                            // lock of the sender
  uint32_t bell;                               // futex: the thread sleeps on it
  uint32_t stop;
  uint32_t ended;  // futex: 1 when the thread has finished
  uint32_t any_dropped;
  int socket;
  ino_t inode;  // detects that another file reused the descriptor
  pid_t pid;
  pthread_t thread;
  void* (*code)(void*);  // entry point of the thread; 0: no thread
  uint64_t session;
  uint64_t sequence;
  uint64_t next_attempt;
  char path[sizeof(((struct sockaddr_un*)0)->sun_path)];
  struct mete_hook_name_ names[METE_HOOK_NAMES_];
  struct mete_hook_slot_ slots[METE_HOOK_SLOTS_];
};
extern struct mete_hook_process_ mete_hook_process_v1_;
__attribute__((weak)) struct mete_hook_process_ mete_hook_process_v1_;

METE_HOOK_INLINE_ uint64_t mete_hook_now_(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

// ---------------------------------------------------------------- recording

// The turn at which the slot of this position is free (even). 21 bits, because
// laps of a 32-bit position wrap around.
METE_HOOK_INLINE_ uint32_t mete_hook_turn_(uint32_t position) {
  return position / METE_HOOK_SLOTS_ * 2 & 0x1FFFFF;
}

// Increments a futex and wakes one thread that sleeps on it.
METE_HOOK_FN_ void mete_hook_ring_(uint32_t* bell) {
  __atomic_fetch_add(bell, 1, __ATOMIC_RELEASE);
  syscall(SYS_futex, bell, 129 /* FUTEX_WAKE_PRIVATE */, 1, 0, 0, 0);
}

// Sleeps while the futex has this value, for at most the given time.
METE_HOOK_FN_ void mete_hook_sleep_(uint32_t* bell, uint32_t value,
                                    long milliseconds) {
  long wait[2];  // the kernel's timespec
  wait[0] = milliseconds / 1000;
  wait[1] = milliseconds % 1000 * 1000000;
  syscall(SYS_futex, bell, 128 /* FUTEX_WAIT_PRIVATE */, value, wait, 0, 0);
}

METE_HOOK_FN_ void mete_hook_drop_(uint32_t name) {
  struct mete_hook_process_* p = &mete_hook_process_v1_;
  __atomic_fetch_add(&p->names[name].dropped, 1, __ATOMIC_RELAXED);
  __atomic_store_n(&p->any_dropped, 1, __ATOMIC_RELEASE);
}

// Returns the entry of a name and creates it if needed; 0 if no entry is free.
// Does not wait for an entry that another thread is writing: the name gets a
// second entry, which makes no difference to the receiver.
METE_HOOK_FN_ uint32_t mete_hook_name_of_(const char* name) {
  uint32_t hash = 2166136261u, length = 0, probe;  // FNV-1a
  if (!name || !*name) return 0;
  for (; length < METE_HOOK_NAME_ && name[length]; ++length) {
    hash = (hash ^ (unsigned char)name[length]) * 16777619u;
  }
  // Do not cut inside a UTF-8 character.
  if (length == METE_HOOK_NAME_) {
    while (length > 1 && ((unsigned char)name[length] & 0xC0) == 0x80) --length;
  }
  for (probe = 0; probe < METE_HOOK_PROBES_; ++probe) {
    uint32_t index = 1 + (hash + probe) % (METE_HOOK_NAMES_ - 1);
    struct mete_hook_name_* entry = &mete_hook_process_v1_.names[index];
    uint32_t state = __atomic_load_n(&entry->state, __ATOMIC_ACQUIRE);
    if (state == 2 && entry->length == length &&
        memcmp(entry->text, name, length) == 0) {
      return index;
    }
    if (state == 0 &&
        __atomic_compare_exchange_n(&entry->state, &state, 1, 0,
                                    __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) {
      memcpy(entry->text, name, length);
      entry->length = (unsigned char)length;
      __atomic_store_n(&entry->state, 2, __ATOMIC_RELEASE);
      return index;
    }
  }
  return 0;
}

METE_HOOK_FN_ void mete_hook_record_(int kind, uint32_t name, double value,
                                     uint64_t at) {
  struct mete_hook_process_* p = &mete_hook_process_v1_;
  uint32_t position = __atomic_load_n(&p->tail, __ATOMIC_RELAXED), turn;
  struct mete_hook_slot_* slot;
  if (name == 0) {
    mete_hook_drop_(name);
    return;
  }
  for (;;) {
    slot = &p->slots[position % METE_HOOK_SLOTS_];
    turn = mete_hook_turn_(position);
    if (__atomic_load_n(&slot->turn, __ATOMIC_ACQUIRE) == turn) {
      if (__atomic_compare_exchange_n(&p->tail, &position, position + 1, 0,
                                      __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
        break;
      }
    } else {
      uint32_t tail = __atomic_load_n(&p->tail, __ATOMIC_RELAXED);
      if (tail == position) {  // full: the slot holds an event of the last lap
        mete_hook_drop_(name);
        return;
      }
      position = tail;
    }
  }
  slot->name = (uint16_t)name;
  slot->kind = (uint16_t)kind;
  slot->at = at;
  slot->value = value;
  __atomic_store_n(&slot->turn, turn + 1, __ATOMIC_RELEASE);
  if (position - __atomic_load_n(&p->head, __ATOMIC_RELAXED) ==
      METE_HOOK_SLOTS_ / 2) {
    int before = errno;
    mete_hook_ring_(&p->bell);
    errno = before;
  }
}

// ------------------------------------------------------------------ sending

METE_HOOK_INLINE_ unsigned char* mete_hook_put_(unsigned char* to,
                                                uint64_t value, int bytes) {
  int i;
  for (i = 0; i < bytes; ++i) *to++ = (unsigned char)(value >> 8 * i);
  return to;
}

// Returns null if the record does not fit before `end`.
METE_HOOK_FN_ unsigned char* mete_hook_put_record_(
    unsigned char* to, const unsigned char* end,
    const struct mete_hook_slot_* event) {
  struct mete_hook_name_* name =
      &mete_hook_process_v1_.names[event->name % METE_HOOK_NAMES_];
  uint32_t size = METE_HOOK_RECORD_ + name->length;
  uint64_t bits;
  if ((uint32_t)(end - to) < size) return 0;
  memcpy(&bits, &event->value, sizeof(bits));
  to = mete_hook_put_(to, size, 2);
  to = mete_hook_put_(to, event->kind, 1);
  to = mete_hook_put_(to, name->length, 1);
  to = mete_hook_put_(to, event->at, 8);
  to = mete_hook_put_(to, bits, 8);
  memcpy(to, name->text, name->length);
  return to + name->length;
}

// Whether the descriptor still is our socket. Some programs close descriptors
// they did not open, and the next open() reuses the number.
METE_HOOK_FN_ int mete_hook_owns_socket_(void) {
  struct mete_hook_process_* p = &mete_hook_process_v1_;
  struct stat status;
  return p->socket >= 0 && fstat(p->socket, &status) == 0 &&
         S_ISSOCK(status.st_mode) && status.st_ino == p->inode;
}

METE_HOOK_FN_ void mete_hook_close_(void) {
  struct mete_hook_process_* p = &mete_hook_process_v1_;
  if (mete_hook_owns_socket_()) close(p->socket);
  p->socket = -1;
}

METE_HOOK_FN_ int mete_hook_connect_(void) {
  struct mete_hook_process_* p = &mete_hook_process_v1_;
  struct sockaddr_un address;
  struct stat status;
  memset(&address, 0, sizeof(address));
  address.sun_family = AF_UNIX;
  memcpy(address.sun_path, p->path, sizeof(address.sun_path));
  p->socket = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (p->socket < 0) return 0;
  p->inode = fstat(p->socket, &status) == 0 ? status.st_ino : 0;
  if (connect(p->socket, (struct sockaddr*)&address, sizeof(address)) != 0) {
    mete_hook_close_();
    return 0;
  }
  p->session = mete_hook_now_();
  p->sequence = 0;
  return 1;
}

// Frees the slots up to `end`, whose events were sent or discarded.
METE_HOOK_FN_ void mete_hook_free_slots_(uint32_t end) {
  struct mete_hook_process_* p = &mete_hook_process_v1_;
  uint32_t position = p->head;
  for (; position != end; ++position) {
    __atomic_store_n(&p->slots[position % METE_HOOK_SLOTS_].turn,
                     mete_hook_turn_(position + METE_HOOK_SLOTS_),
                     __ATOMIC_RELEASE);
  }
  __atomic_store_n(&p->head, end, __ATOMIC_RELAXED);
}

// Sends queued events in one datagram. Returns the number of records, or -1
// with errno; then all events stay queued.
METE_HOOK_FN_ int mete_hook_send_one_(void) {
  struct mete_hook_process_* p = &mete_hook_process_v1_;
  unsigned char datagram[METE_HOOK_DATAGRAM_];
  unsigned char *to = datagram + METE_HOOK_HEADER_, *next, *at;
  const unsigned char* end = datagram + sizeof(datagram);
  uint32_t reported[METE_HOOK_NAMES_];
  uint32_t position = p->head, records = 0, names = 0, i;
  if (!mete_hook_owns_socket_()) {
    errno = EBADF;
    return -1;
  }
  if (__atomic_exchange_n(&p->any_dropped, 0, __ATOMIC_ACQUIRE)) {
    struct mete_hook_slot_ event;
    for (; names < METE_HOOK_NAMES_; ++names) {
      reported[names] =
          __atomic_load_n(&p->names[names].dropped, __ATOMIC_RELAXED);
      if (reported[names] == 0) continue;
      event.name = (uint16_t)names;
      event.kind = METE_HOOK_DROPPED_;
      event.at = mete_hook_now_();
      event.value = reported[names];
      next = mete_hook_put_record_(to, end, &event);
      if (!next) break;
      to = next;
      ++records;
    }
    if (names < METE_HOOK_NAMES_) {
      __atomic_store_n(&p->any_dropped, 1, __ATOMIC_RELEASE);
    }
  }
  for (;; ++position, ++records) {
    struct mete_hook_slot_* slot = &p->slots[position % METE_HOOK_SLOTS_];
    if (__atomic_load_n(&slot->turn, __ATOMIC_ACQUIRE) !=
        mete_hook_turn_(position) + 1) {
      break;
    }
    next = mete_hook_put_record_(to, end, slot);
    if (!next) break;
    to = next;
  }
  if (records == 0) return 0;
  memcpy(datagram, "METE", 4);
  at = mete_hook_put_(datagram + 4, METE_HOOK_VERSION_, 1);
  at = mete_hook_put_(at, 0, 1);
  at = mete_hook_put_(at, records, 2);
  at = mete_hook_put_(at, (uint64_t)p->pid, 4);
  at = mete_hook_put_(at, (uint64_t)(to - datagram), 4);
  at = mete_hook_put_(at, p->session, 8);
  mete_hook_put_(at, p->sequence, 8);
  if (send(p->socket, datagram, (size_t)(to - datagram),
           MSG_DONTWAIT | MSG_NOSIGNAL) < 0) {
    if (names > 0) __atomic_store_n(&p->any_dropped, 1, __ATOMIC_RELEASE);
    return -1;
  }
  for (i = 0; i < names; ++i) {
    __atomic_fetch_sub(&p->names[i].dropped, reported[i], __ATOMIC_RELAXED);
  }
  mete_hook_free_slots_(position);
  p->sequence += records;
  return (int)records;
}

METE_HOOK_FN_ int mete_hook_queue_is_full_(void) {
  return errno == EAGAIN || errno == ENOBUFS || errno == ENOMEM;
}

// Sends all queued events; requires phase LISTENING. Returns -1 as above.
METE_HOOK_FN_ int mete_hook_send_all_(void) {
  int sent = 0, all = 0;
  while ((sent = mete_hook_send_one_()) > 0) all += sent;
  return sent < 0 ? sent : all;
}

METE_HOOK_FN_ int mete_hook_try_lock_(void) {
  return !__atomic_exchange_n(&mete_hook_process_v1_.sending, 1,
                              __ATOMIC_ACQUIRE);
}

METE_HOOK_FN_ void mete_hook_unlock_(void) {
  __atomic_store_n(&mete_hook_process_v1_.sending, 0, __ATOMIC_RELEASE);
}

// One iteration of the thread. Returns how many milliseconds it may sleep.
METE_HOOK_FN_ long mete_hook_round_(void) {
  struct mete_hook_process_* p = &mete_hook_process_v1_;
  if (p->phase == METE_HOOK_DEAF_) {
    if (mete_hook_now_() < p->next_attempt) return 1000;
    p->next_attempt = mete_hook_now_() + 1000000000u;
    if (!mete_hook_connect_()) return 1000;
    // Events recorded without a receiver are too old to send.
    while (__atomic_load_n(&p->slots[p->head % METE_HOOK_SLOTS_].turn,
                           __ATOMIC_ACQUIRE) == mete_hook_turn_(p->head) + 1) {
      mete_hook_free_slots_(p->head + 1);
    }
    __atomic_store_n(&p->phase, METE_HOOK_LISTENING_, __ATOMIC_RELEASE);
  }
  int sent = mete_hook_send_all_();
  if (sent > 0) return 20;
  if (sent == 0) return 80;
  if (mete_hook_queue_is_full_()) {
    struct pollfd room = {p->socket, POLLOUT, 0};
    poll(&room, 1, 5);
    return 0;
  }
  __atomic_store_n(&p->phase, METE_HOOK_DEAF_, __ATOMIC_RELEASE);
  mete_hook_close_();
  p->next_attempt = mete_hook_now_() + 1000000000u;
  return 1000;
}

METE_HOOK_FN_ void* mete_hook_run_(void* unused) {
  struct mete_hook_process_* p = &mete_hook_process_v1_;
  prctl(PR_SET_NAME, "mete-hook", 0, 0, 0);
  for (;;) {
    // Read before `stop`: setting `stop` also increments the bell, so the sleep
    // below returns at once.
    uint32_t bell = __atomic_load_n(&p->bell, __ATOMIC_ACQUIRE);
    long milliseconds = 1;
    if (__atomic_load_n(&p->stop, __ATOMIC_ACQUIRE)) break;
    if (mete_hook_try_lock_()) {
      milliseconds = mete_hook_round_();
      mete_hook_unlock_();
    }
    if (milliseconds > 0) mete_hook_sleep_(&p->bell, bell, milliseconds);
  }
  mete_hook_ring_(&p->ended);
  return unused;
}

// Sends all events recorded so far. Waits for a slow receiver for at most 200
// ms.
METE_HOOK_FN_ void mete_hook_flush(void) {
  struct mete_hook_process_* p = &mete_hook_process_v1_;
  int before = errno;
  uint64_t end = mete_hook_now_() + 200000000u;
  while (__atomic_load_n(&p->phase, __ATOMIC_ACQUIRE) == METE_HOOK_LISTENING_ &&
         mete_hook_now_() < end) {
    struct pollfd wait = {-1, POLLOUT, 0};
    if (mete_hook_try_lock_()) {
      int sent = mete_hook_send_all_(), full = mete_hook_queue_is_full_();
      if (sent < 0 && full) wait.fd = p->socket;
      mete_hook_unlock_();
      if (sent >= 0 || !full) break;
    }
    poll(&wait, 1, wait.fd < 0 ? 1 : 10);
  }
  errno = before;
}

// ---------------------------------------------------------- start, fork, end

// Runs in the child of a fork, where the thread of the hook does not exist.
METE_HOOK_FN_ void mete_hook_forked_(void) {
  struct mete_hook_process_* p = &mete_hook_process_v1_;
  uint32_t i;
  if (p->phase == METE_HOOK_NEW_ || p->phase == METE_HOOK_OFF_) return;
  mete_hook_free_slots_(p->tail);
  for (i = 0; i < METE_HOOK_NAMES_; ++i) p->names[i].dropped = 0;
  p->any_dropped = 0;
  p->sending = 0;
  p->code = 0;
  mete_hook_close_();
  p->phase = METE_HOOK_NEW_;
}

// Blocks signals, which are for the program's own threads. A small stack is
// refused if thread-local variables need more; then the default size is used.
METE_HOOK_FN_ int mete_hook_start_thread_(void) {
  struct mete_hook_process_* p = &mete_hook_process_v1_;
  sigset_t all, before;
  pthread_attr_t attributes;
  int error;
  p->stop = 0;
  p->ended = 0;
  p->code = mete_hook_run_;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 256 * 1024);
  error = pthread_create(&p->thread, &attributes, mete_hook_run_, 0);
  if (error) error = pthread_create(&p->thread, 0, mete_hook_run_, 0);
  pthread_attr_destroy(&attributes);
  pthread_sigmask(SIG_SETMASK, &before, 0);
  if (error) p->code = 0;
  return !error;
}

// Runs at the first call in a process. The environment is read only once,
// because getenv() concurrent with setenv() is not safe.
METE_HOOK_FN_ void mete_hook_start_(int* fork_handled) {
  struct mete_hook_process_* p = &mete_hook_process_v1_;
  const char* path = p->path[0] ? p->path : getenv("METE_HOOK_SOCKET");
  uint32_t phase = METE_HOOK_OFF_;
  if (path && *path && strlen(path) < sizeof(p->path)) {
    if (path != p->path) strcpy(p->path, path);
    if (!*fork_handled) pthread_atfork(0, 0, mete_hook_forked_);
    *fork_handled = 1;
    p->pid = getpid();
    p->next_attempt = mete_hook_now_() + 1000000000u;
    phase = mete_hook_connect_() ? METE_HOOK_LISTENING_ : METE_HOOK_DEAF_;
  }
  __atomic_store_n(&p->phase, phase, __ATOMIC_RELEASE);
  if (phase != METE_HOOK_OFF_ && !mete_hook_start_thread_()) {
    __atomic_store_n(&p->phase, METE_HOOK_OFF_, __ATOMIC_RELEASE);
    mete_hook_close_();
  }
}

// Whether events are recorded.
METE_HOOK_INLINE_ int mete_hook_on_(void) {
  static int fork_handled;  // per library: unloading removes the handler
  struct mete_hook_process_* p = &mete_hook_process_v1_;
  uint32_t phase = __atomic_load_n(&p->phase, __ATOMIC_ACQUIRE);
  if (phase == METE_HOOK_NEW_ &&
      __atomic_compare_exchange_n(&p->phase, &phase, METE_HOOK_STARTING_, 0,
                                  __ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE)) {
    int before = errno;
    mete_hook_start_(&fork_handled);
    errno = before;
    phase = __atomic_load_n(&p->phase, __ATOMIC_ACQUIRE);
  }
  return phase >= METE_HOOK_STARTING_;
}

// Runs at exit and when the library that contains the thread's code is
// unloaded.
__attribute__((destructor)) static void mete_hook_end_(void) {
  struct mete_hook_process_* p = &mete_hook_process_v1_;
  uint64_t end = mete_hook_now_() + 200000000u;
  // A child created by a plain clone() has this state but not the thread.
  if (p->code != mete_hook_run_ || p->pid != getpid()) return;
  __atomic_store_n(&p->stop, 1, __ATOMIC_RELEASE);
  mete_hook_ring_(&p->bell);
  while (!__atomic_load_n(&p->ended, __ATOMIC_ACQUIRE) &&
         mete_hook_now_() < end) {
    mete_hook_sleep_(&p->ended, 0, 10);
  }
  // Do not wait forever: an allocator that does not support fork() may block
  // the thread in a child before it reaches our code.
  if (!__atomic_load_n(&p->ended, __ATOMIC_ACQUIRE)) {
    mete_hook_flush();
    __atomic_store_n(&p->phase, METE_HOOK_OFF_, __ATOMIC_RELEASE);
    return;
  }
  pthread_join(p->thread, 0);
  p->code = 0;
  mete_hook_flush();
  mete_hook_close_();
  __atomic_store_n(&p->phase, METE_HOOK_NEW_, __ATOMIC_RELEASE);
}

// ---------------------------------------------------------------------- use

METE_HOOK_INLINE_ mete_timer mete_timer_start(const char* name) {
  mete_timer timer = {0, 0};
  if (mete_hook_on_()) {
    timer.name = mete_hook_name_of_(name);
    timer.start = mete_hook_now_();
  }
  return timer;
}

// Stopping a timer twice records two durations, both from its start.
METE_HOOK_INLINE_ void mete_timer_stop(mete_timer timer) {
  if (timer.start != 0 && mete_hook_on_()) {
    uint64_t now = mete_hook_now_();
    mete_hook_record_(METE_HOOK_TIMER_, timer.name % METE_HOOK_NAMES_,
                      (double)(now - timer.start) * 1e-9, now);
  }
}

METE_HOOK_INLINE_ void mete_rate_n(const char* name, uint64_t n) {
  if (n > 0 && mete_hook_on_()) {
    mete_hook_record_(METE_HOOK_RATE_, mete_hook_name_of_(name), (double)n,
                      mete_hook_now_());
  }
}

METE_HOOK_INLINE_ void mete_rate(const char* name) { mete_rate_n(name, 1); }

METE_HOOK_INLINE_ void mete_number(const char* name, double value) {
  if (mete_hook_on_()) {
    mete_hook_record_(METE_HOOK_NUMBER_, mete_hook_name_of_(name), value,
                      mete_hook_now_());
  }
}

#ifdef __cplusplus
}  // extern "C"

namespace mete {
namespace hook {

// Measures the time until the end of its scope.
class Timer {
 public:
  explicit Timer(const char* name) noexcept : timer_(mete_timer_start(name)) {}
  Timer(const Timer&) = delete;
  Timer& operator=(const Timer&) = delete;
  ~Timer() { mete_timer_stop(timer_); }

 private:
  mete_timer timer_;
};

inline void Rate(const char* name, uint64_t n = 1) noexcept {
  mete_rate_n(name, n);
}
inline void Number(const char* name, double value) noexcept {
  mete_number(name, value);
}

}  // namespace hook
}  // namespace mete
#endif

#endif  // METE_HOOK_H_
