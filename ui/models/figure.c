/* SPDX-License-Identifier: MIT */
#include "ui/models/figure.h"

#include <math.h>

char *
ts_figure_count (gint64 count)
{
  char digits[32];
  GString *s = g_string_new (NULL);
  int n = g_snprintf (digits, sizeof digits, "%" G_GINT64_FORMAT, count);
  int first = count < 0;

  for (int i = 0; i < n; i++) {
    if (i > first && (n - i) % 3 == 0)
      g_string_append_c (s, ',');
    g_string_append_c (s, digits[i]);
  }
  return g_string_free (s, FALSE);
}

char *
ts_figure_number (double value)
{
  double size = fabs (value);

  if (isnan (value))
    return g_strdup ("NaN");
  if (isinf (value))
    return g_strdup (value > 0 ? "+Inf" : "−Inf");
  if (size != 0 && (size < 1e-3 || size >= 1e5))
    return g_strdup_printf ("%.2e", value);
  return g_strdup_printf (size < 10     ? "%.4f"
                          : size < 100  ? "%.2f"
                          : size < 1000 ? "%.1f"
                                        : "%.0f",
                          value);
}

char *
ts_figure_known (double value)
{
  return isnan (value) ? g_strdup ("–") : ts_figure_number (value);
}

char *
ts_figure_share (double value)
{
  return isnan (value) ? g_strdup ("–") : g_strdup_printf ("%.2f %%", value * 100);
}

char *
ts_figure_rate (double value)
{
  if (isnan (value) || value <= 0)
    return g_strdup ("–");
  return value < 100 ? g_strdup_printf ("%.1f", value) : ts_figure_count ((gint64) round (value));
}

char *
ts_figure_duration (double seconds)
{
  gint64 s;

  if (isnan (seconds) || seconds < 0)
    return g_strdup ("–");
  s = (gint64) fmin (seconds, 99999. * 86400);
  if (seconds < .1)
    return g_strdup ("< 0.1 s");
  if (seconds < 10)
    return g_strdup_printf ("%.1f s", seconds);
  if (s < 60)
    return g_strdup_printf ("%d s", (int) s);
  if (s < 3600)
    return g_strdup_printf ("%d min %02d s", (int) (s / 60), (int) (s % 60));
  if (s < 100 * 3600)
    return g_strdup_printf ("%d h %02d min", (int) (s / 3600), (int) (s / 60 % 60));
  return g_strdup_printf ("%d days", (int) (s / 86400));
}

char *
ts_figure_when (gint64 us, gint64 now_us)
{
  gint64 ago = (now_us - us) / G_USEC_PER_SEC;
  g_autoptr (GDateTime) then = g_date_time_new_from_unix_local (us / G_USEC_PER_SEC);
  g_autoptr (GDateTime) now = g_date_time_new_from_unix_local (now_us / G_USEC_PER_SEC);

  if (!then || !now)
    return g_strdup ("–");
  if (ago >= 0 && ago < 60)
    return g_strdup ("just now");
  if (ago >= 0 && ago < 3600)
    return g_strdup_printf ("%d min ago", (int) (ago / 60));
  if (g_date_time_get_year (then) != g_date_time_get_year (now))
    return g_date_time_format (then, "%e %b %Y");
  if (g_date_time_get_day_of_year (then) == g_date_time_get_day_of_year (now))
    return g_date_time_format (then, "today %H:%M");
  return g_date_time_format (then, "%e %b %H:%M");
}
