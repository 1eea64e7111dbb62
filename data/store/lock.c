/* SPDX-License-Identifier: MIT */
#include "data/store/lock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "data/store/error.h"

struct TsLock {
  int fd;
  char *file;
};

typedef struct {
  long pid;
  char host[256];
  guint8 token[TS_LOCK_TOKEN_BYTES];
} Holder;

static gboolean
read_holder (int fd, Holder *holder)
{
  char text[512], hex[2 * TS_LOCK_TOKEN_BYTES + 1];
  gssize n = pread (fd, text, sizeof text - 1, 0);

  if (n <= 0)
    return FALSE;
  text[n] = 0;
  if (sscanf (text, "%ld %255s %32s", &holder->pid, holder->host, hex) != 3 ||
      strlen (hex) != sizeof hex - 1)
    return FALSE;
  for (guint i = 0; i < TS_LOCK_TOKEN_BYTES; i++) {
    int high = g_ascii_xdigit_value (hex[2 * i]), low = g_ascii_xdigit_value (hex[2 * i + 1]);
    if (high < 0 || low < 0)
      return FALSE;
    holder->token[i] = (guint8) (high << 4 | low);
  }
  return TRUE;
}

static gboolean
write_holder (int fd, const guint8 token[TS_LOCK_TOKEN_BYTES])
{
  g_autoptr (GString) text = g_string_new (NULL);

  g_string_printf (text, "%ld %s ", (long) getpid (), g_get_host_name ());
  for (guint i = 0; i < TS_LOCK_TOKEN_BYTES; i++)
    g_string_append_printf (text, "%02x", token[i]);
  g_string_append_c (text, '\n');
  return ftruncate (fd, 0) == 0 && pwrite (fd, text->str, text->len, 0) == (gssize) text->len;
}

static void
set_locked (const char *path, int fd, GError **error)
{
  Holder holder;

  if (read_holder (fd, &holder))
    g_set_error (
        error, TS_STORE_ERROR, TS_STORE_ERROR_LOCKED,
        "%s is being written by process %ld on %s, a training or an import; stop it, or give "
        "another workspace",
        path, holder.pid, holder.host);
  else
    g_set_error (error, TS_STORE_ERROR, TS_STORE_ERROR_LOCKED,
                 "%s is being written by another process, a training or an import; stop it, or "
                 "give another workspace",
                 path);
}

static void
set_open_error (const char *path, int code, GError **error)
{
  gboolean full = code == ENOSPC || code == EDQUOT;
  gboolean denied = code == EROFS || code == EACCES || code == EPERM;

  g_set_error (error, TS_STORE_ERROR,
               full     ? TS_STORE_ERROR_DISK_FULL
               : denied ? TS_STORE_ERROR_READ_ONLY
                        : TS_STORE_ERROR_OPEN,
               "%s cannot be written: %s%s", path, g_strerror (code),
               denied ? "; its folder must be writable" : "");
}

/* 1: taken; 0: the file was removed by the one who held it, try again; -1: failed. */
static int
try_acquire (TsLock *lock, const char *path, GError **error)
{
  struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
  struct stat mine, there;

  lock->fd = open (lock->file, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (lock->fd < 0) {
    set_open_error (path, errno, error);
    return -1;
  }
  if (fcntl (lock->fd, F_OFD_SETLK, &whole) != 0) {
    if (errno == EAGAIN || errno == EACCES)
      set_locked (path, lock->fd, error);
    else
      set_open_error (path, errno, error);
    return -1;
  }
  if (fstat (lock->fd, &mine) == 0 && stat (lock->file, &there) == 0 &&
      mine.st_ino == there.st_ino && mine.st_dev == there.st_dev)
    return 1;
  close (lock->fd);
  lock->fd = -1;
  return 0;
}

static void
lock_free (TsLock *lock)
{
  if (lock->fd >= 0)
    close (lock->fd);
  g_free (lock->file);
  g_free (lock);
}

TsLock *
ts_lock_acquire (const char *path, guint8 token[TS_LOCK_TOKEN_BYTES], GError **error)
{
  TsLock *lock = g_new0 (TsLock, 1);
  int taken;

  lock->fd = -1;
  lock->file = g_strconcat (path, "-lock", NULL);
  for (guint i = 0; i < TS_LOCK_TOKEN_BYTES; i += 4) {
    guint32 word = g_random_int ();
    memcpy (token + i, &word, 4);
  }
  while ((taken = try_acquire (lock, path, error)) == 0)
    ;
  if (taken == 1 && !write_holder (lock->fd, token)) {
    set_open_error (path, errno, error);
    unlink (lock->file);
    taken = -1;
  }
  if (taken == 1)
    return lock;
  lock_free (lock);
  return NULL;
}

void
ts_lock_release (TsLock *lock)
{
  /* Unlinked while still held: whoever opened it meanwhile sees another inode and tries again. */
  unlink (lock->file);
  lock_free (lock);
}

gboolean
ts_lock_probe (const char *path, guint8 token[TS_LOCK_TOKEN_BYTES])
{
  g_autofree char *file = g_strconcat (path, "-lock", NULL);
  struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
  Holder holder;
  int fd = open (file, O_RDONLY | O_CLOEXEC);

  if (fd < 0)
    return FALSE;
  gboolean held =
      fcntl (fd, F_OFD_GETLK, &whole) == 0 && whole.l_type != F_UNLCK && read_holder (fd, &holder);
  close (fd);
  if (held)
    memcpy (token, holder.token, TS_LOCK_TOKEN_BYTES);
  return held;
}
