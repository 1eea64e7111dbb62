/* SPDX-License-Identifier: MIT */
#include "app/bench-peer.h"

#include <gio/gio.h>
#include <math.h>
#include <string.h>

GResource *ts_bench_get_resource (void); /* made by the build */

struct TsPeer {
  GSubprocess *process;
  GDataInputStream *out;
  GOutputStream *in;
};

static TsPeer *
start (const char *python, const char *script, const char *model, const char *threads)
{
  g_autoptr (GSubprocessLauncher) launcher =
      g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_STDIN_PIPE | G_SUBPROCESS_FLAGS_STDOUT_PIPE |
                                 G_SUBPROCESS_FLAGS_STDERR_SILENCE);
  g_subprocess_launcher_setenv (launcher, "OMP_WAIT_POLICY", "PASSIVE", TRUE);
  GSubprocess *process =
      g_subprocess_launcher_spawn (launcher, NULL, python, "-c", script, model, threads, NULL);

  if (!process)
    return NULL;
  TsPeer *p = g_new0 (TsPeer, 1);
  p->process = process;
  p->out = g_data_input_stream_new (g_subprocess_get_stdout_pipe (process));
  p->in = g_object_ref (g_subprocess_get_stdin_pipe (process));
  g_autofree char *line = g_data_input_stream_read_line (p->out, NULL, NULL, NULL);
  if (line && g_str_has_prefix (line, "ready"))
    return p;
  ts_peer_free (p);
  return NULL;
}

TsPeer *
ts_peer_new (const char *model, guint threads)
{
  static const char *const pythons[] = {"/usr/bin/python3", "python3"};
  g_autoptr (GBytes) bytes =
      g_resource_lookup_data (ts_bench_get_resource (), "/trainscope/bench/peer_torch.py",
                              G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);
  g_autofree char *count = g_strdup_printf ("%u", threads), *script = NULL;
  TsPeer *peer = NULL;
  gsize n;

  const char *text = g_bytes_get_data (bytes, &n);
  script = g_strndup (text, n);
  for (guint i = 0; i < G_N_ELEMENTS (pythons) && !peer; i++)
    peer = start (pythons[i], script, model, count);
  return peer;
}

void
ts_peer_free (TsPeer *p)
{
  g_subprocess_force_exit (p->process);
  g_subprocess_wait (p->process, NULL, NULL);
  g_object_unref (p->out);
  g_object_unref (p->in);
  g_object_unref (p->process);
  g_free (p);
}

TsPeerRate
ts_peer_run (TsPeer *p, double seconds)
{
  g_autofree char *order = g_strdup_printf ("go %.3f\n", seconds), *line = NULL;
  TsPeerRate rate = {NAN, NAN, NAN};
  char *at;

  if (!g_output_stream_write_all (p->in, order, strlen (order), NULL, NULL, NULL))
    return rate;
  g_output_stream_flush (p->in, NULL, NULL);
  line = g_data_input_stream_read_line (p->out, NULL, NULL, NULL);
  if (!line)
    return rate;
  rate.wall = g_ascii_strtod (line, &at);
  rate.cpu = g_ascii_strtod (at, &at);
  rate.megabytes = g_ascii_strtod (at, NULL);
  return rate;
}
