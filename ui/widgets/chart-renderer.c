/* SPDX-License-Identifier: MIT */
#include "ui/widgets/chart-renderer.h"

#include <math.h>
#include <pthread.h>

#include "ui/models/worker.h"
#include "ui/plot/draw.h"
#include "ui/plot/palette.h"

/* --- Requests --- */

static void
clear_line (gpointer data)
{
  TsChartLine *line = data;

  g_free (line->name);
  ts_curve_slice_clear (&line->slice);
}

TsChartRequest *
ts_chart_request_new (void)
{
  TsChartRequest *request = g_new0 (TsChartRequest, 1);

  request->lines = g_array_new (FALSE, FALSE, sizeof (TsChartLine));
  g_array_set_clear_func (request->lines, clear_line);
  return request;
}

void
ts_chart_request_add (TsChartRequest *request, const TsChartLine *line)
{
  g_array_append_vals (request->lines, line, 1);
}

void
ts_chart_request_free (TsChartRequest *request)
{
  if (!request)
    return;
  g_array_unref (request->lines);
  g_free (request);
}

/* --- Frames --- */

/* The x of a line; what has to be computed for it @frame keeps. */
static const double *
get_x (TsChartFrame *frame, const TsCurveSlice *slice)
{
  TsXKind kind = frame->request->options.x_kind;

  if (kind != TS_X_RELATIVE)
    return kind == TS_X_WALL ? slice->wall_s : slice->step;
  double *x = g_new (double, MAX (slice->n, 1));
  g_ptr_array_add (frame->numbers, x);
  for (gsize i = 0; i < slice->n; i++)
    x[i] = slice->wall_s[i] - slice->wall_s[0];
  return x;
}

static void
find_range (TsChartFrame *frame, const double *x, gsize n)
{
  for (gsize i = 0; i < n; i++) {
    if (!isfinite (x[i]))
      continue;
    frame->x_lo = MIN (frame->x_lo, x[i]);
    frame->x_hi = MAX (frame->x_hi, x[i]);
  }
}

/* @chart's series is for the caller to free. */
static void
describe_chart (TsChartFrame *frame, TsChart *chart)
{
  TsChartRequest *request = frame->request;
  TsChartSeries *series = g_new0 (TsChartSeries, MAX (request->lines->len, 1));

  *chart = (TsChart){NULL, series, request->lines->len, request->options};
  for (guint i = 0; i < request->lines->len; i++) {
    const TsChartLine *line = &g_array_index (request->lines, TsChartLine, i);
    series[i] = (TsChartSeries){.name = line->name,
                                .color = line->color,
                                .live = line->live,
                                .selected = line->selected,
                                .exact = line->exact,
                                .x = get_x (frame, &line->slice),
                                .y = line->slice.y,
                                .n = line->slice.n};
    find_range (frame, series[i].x, series[i].n);
  }
  /* the future stays empty */
  if (!chart->options.x_given && chart->options.x_kind == TS_X_STEP &&
      request->planned > frame->x_hi && frame->x_lo <= frame->x_hi) {
    chart->options.x_given = TRUE;
    chart->options.x_min = frame->x_lo;
    chart->options.x_max = frame->x_hi = request->planned;
  }
}

static void
draw (TsChartFrame *frame)
{
  const TsChartOptions *o = &frame->layout->options;
  guint32 card = ts_theme_get (o->dark)->card;
  cairo_surface_t *image = cairo_image_surface_create (
      CAIRO_FORMAT_ARGB32, (int) ceil (o->width * o->scale), (int) ceil (o->height * o->scale));
  cairo_t *cr = cairo_create (image);

  cairo_scale (cr, o->scale, o->scale);
  cairo_set_source_rgb (cr, (card >> 16 & 255) / 255., (card >> 8 & 255) / 255.,
                        (card & 255) / 255.);
  cairo_paint (cr);
  ts_draw_chart (cr, frame->layout);
  cairo_destroy (cr);
  cairo_surface_flush (image);
  frame->image = image;
}

static void
make_texture (TsChartFrame *frame)
{
  int width = cairo_image_surface_get_width (frame->image);
  int height = cairo_image_surface_get_height (frame->image);
  gsize stride = (gsize) cairo_image_surface_get_stride (frame->image);

  if (!width || !height)
    return;
  g_autoptr (GBytes) bytes = g_bytes_new_with_free_func (
      cairo_image_surface_get_data (frame->image), stride * (gsize) height,
      (GDestroyNotify) cairo_surface_destroy, cairo_surface_reference (frame->image));
  frame->texture = gdk_memory_texture_new (width, height, GDK_MEMORY_DEFAULT, bytes, stride);
}

static TsChartFrame *
begin_frame (TsChartRequest *request, TsChart *chart)
{
  TsChartFrame *frame = g_new0 (TsChartFrame, 1);

  frame->request = request;
  frame->numbers = g_ptr_array_new_with_free_func (g_free);
  frame->x_lo = INFINITY;
  frame->x_hi = -INFINITY;
  describe_chart (frame, chart);
  return frame;
}

TsChartFrame *
ts_chart_frame_new (TsChartRequest *request)
{
  TsChart chart;
  TsChartFrame *frame = begin_frame (request, &chart);

  frame->layout = ts_layout_new (&chart);
  g_free ((TsChartSeries *) chart.series);
  draw (frame);
  if (request->texture)
    make_texture (frame);
  return frame;
}

GBytes *
ts_chart_request_export (TsChartRequest *request, const char *title, const TsExportOptions *options,
                         GError **error)
{
  TsChart chart;
  TsChartFrame *frame = begin_frame (request, &chart);
  GBytes *bytes;

  chart.title = title;
  bytes = ts_export_charts (&chart, 1, options, error);
  g_free ((TsChartSeries *) chart.series);
  frame->request = NULL; /* the caller's */
  ts_chart_frame_free (frame);
  return bytes;
}

void
ts_chart_frame_free (TsChartFrame *frame)
{
  if (!frame)
    return;
  g_clear_object (&frame->texture);
  g_clear_pointer (&frame->image, cairo_surface_destroy);
  ts_layout_free (frame->layout);
  g_ptr_array_unref (frame->numbers);
  ts_chart_request_free (frame->request);
  g_free (frame);
}

/* --- The thread --- */

static TsWorker *worker; /* main thread: lives as long as there are renderers */
static guint n_renderers;

struct TsChartRenderer {
  gatomicrefcount refs; /* the chart's, and one for each job */
  TsChartDrawn drawn;   /* NULL: the chart is gone; main thread */
  gpointer data;
  pthread_mutex_t mutex;
  TsChartRequest *newest; /* the slot */
};

typedef struct {
  TsJob job;
  TsChartRenderer *renderer;
  TsChartFrame *frame;
} DrawJob;

static void
renderer_unref (TsChartRenderer *renderer)
{
  if (!g_atomic_ref_count_dec (&renderer->refs))
    return;
  ts_chart_request_free (renderer->newest);
  pthread_mutex_destroy (&renderer->mutex);
  g_free (renderer);
}

/* What was in the slot. */
static TsChartRequest *
swap (TsChartRenderer *renderer, TsChartRequest *request)
{
  TsChartRequest *before;

  pthread_mutex_lock (&renderer->mutex);
  before = renderer->newest;
  renderer->newest = request;
  pthread_mutex_unlock (&renderer->mutex);
  return before;
}

static void
job_run (TsJob *job)
{
  DrawJob *self = (DrawJob *) job;
  TsChartRequest *request = swap (self->renderer, NULL);

  if (request)
    self->frame = ts_chart_frame_new (request);
}

static void
job_done (TsJob *job)
{
  DrawJob *self = (DrawJob *) job;

  if (self->renderer->drawn && self->frame)
    self->renderer->drawn (g_steal_pointer (&self->frame), self->renderer->data);
}

static void
job_free (TsJob *job)
{
  DrawJob *self = (DrawJob *) job;

  ts_chart_frame_free (self->frame);
  renderer_unref (self->renderer);
  g_free (self);
}

TsChartRenderer *
ts_chart_renderer_new (TsChartDrawn drawn, gpointer data)
{
  TsChartRenderer *renderer = g_new0 (TsChartRenderer, 1);

  g_atomic_ref_count_init (&renderer->refs);
  pthread_mutex_init (&renderer->mutex, NULL);
  renderer->drawn = drawn;
  renderer->data = data;
  if (n_renderers++ == 0)
    worker = ts_worker_new ("ts-charts");
  return renderer;
}

void
ts_chart_renderer_free (TsChartRenderer *renderer)
{
  renderer->drawn = NULL;
  ts_chart_request_free (swap (renderer, NULL));
  if (--n_renderers == 0)
    g_clear_pointer (&worker, ts_worker_free);
  renderer_unref (renderer);
}

void
ts_chart_renderer_submit (TsChartRenderer *renderer, TsChartRequest *request)
{
  TsChartRequest *before = swap (renderer, request);
  DrawJob *job;

  ts_chart_request_free (before);
  if (before)
    return; /* the job that would have drawn it draws this one */
  job = g_new0 (DrawJob, 1);
  job->job = (TsJob){job_run, job_done, job_free};
  job->renderer = renderer;
  g_atomic_ref_count_inc (&renderer->refs);
  ts_worker_push (worker, &job->job);
}
