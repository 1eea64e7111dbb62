/* SPDX-License-Identifier: MIT */
#include "ui/widgets/figure-strip.h"

#include <math.h>
#include <string.h>

#include "ui/models/figure.h"
#include "ui/widgets/state-icon.h"

enum { STEP, EPOCH, LOSS, METRIC, NORM, SPEED, LEFT, N_CELLS };

typedef struct {
  GtkWidget *box, *title, *value, *line;
} Cell;

struct _TsFigureStrip {
  GtkWidget parent;
  TsDesk *desk;
  Cell cells[N_CELLS];
  char *metric;
  gint64 last_step;
};

G_DEFINE_FINAL_TYPE (TsFigureStrip, ts_figure_strip, GTK_TYPE_WIDGET)

static void
set (TsFigureStrip *strip, guint cell, char *value, char *line)
{
  const char *title = gtk_label_get_text (GTK_LABEL (strip->cells[cell].title));
  g_autofree char *words = g_strdup_printf ("%s %s, %s", title, value, line);

  gtk_label_set_text (GTK_LABEL (strip->cells[cell].value), value);
  gtk_label_set_text (GTK_LABEL (strip->cells[cell].line), line);
  gtk_accessible_update_property (GTK_ACCESSIBLE (strip->cells[cell].box),
                                  GTK_ACCESSIBLE_PROPERTY_LABEL, words, -1);
  g_free (value);
  g_free (line);
}

static char *
dup_metric (TsFigureStrip *strip, double value)
{
  return strip->metric && strstr (strip->metric, "accuracy") ? ts_figure_share (value)
                                                             : ts_figure_known (value);
}

static char *
with_word (const char *word, char *figure)
{
  char *text = strcmp (figure, "–") == 0 ? g_strdup ("") : g_strconcat (word, " ", figure, NULL);

  g_free (figure);
  return text;
}

static char *
with_end (char *figure, const char *word)
{
  char *text = g_strconcat (figure, word, NULL);

  g_free (figure);
  return text;
}

static void
show_live (TsFigureStrip *strip, const TsFigures *f)
{
  gint64 per = f->steps_per_epoch, epochs = per > 0 ? (f->total_steps + per - 1) / per : 0;

  set (strip, STEP, ts_figure_count (f->step), with_word ("of", ts_figure_count (f->total_steps)));
  set (strip, EPOCH,
       per > 0 ? g_strdup_printf ("%.2f", (double) f->step / (double) per) : g_strdup ("–"),
       with_word ("of", ts_figure_count (epochs)));
  set (strip, LOSS, ts_figure_known (f->loss), with_word ("val", ts_figure_known (f->val_loss)));
  set (strip, METRIC, dup_metric (strip, f->accuracy),
       with_word ("val", dup_metric (strip, f->val_metric)));
  set (strip, NORM, ts_figure_known (f->grad_norm), g_strdup (""));
  set (strip, SPEED, ts_figure_rate (f->state == TS_RUN_PAUSED ? NAN : f->steps_per_s),
       g_strdup ("steps/s"));
  set (strip, LEFT,
       f->state == TS_RUN_PAUSED ? g_strdup ("–") : ts_figure_duration (ts_figures_get_left (f)),
       with_word ("ran", ts_figure_duration (f->seconds)));
}

static double
last_of (TsRunItem *item, const char *split, const char *metric)
{
  g_autofree char *tag = metric ? g_strconcat (split, "/", metric, NULL) : NULL;

  return tag ? ts_run_item_get_last (item, tag, NULL) : NAN;
}

/* What a run that got to its end was told to do; of others only the step is known. */
static char *
dup_epochs (TsRunItem *item)
{
  const TsRun *run = ts_run_item_get (item);
  gint64 epochs = 0;

  for (guint i = 0; i < run->n_hparams; i++) {
    if (strcmp (run->hparams[i].key, "steps") == 0 && run->hparams[i].i > 0)
      return g_strdup ("–"); /* the smaller limit ended it */
    if (strcmp (run->hparams[i].key, "epochs") == 0 && run->hparams[i].kind == TS_HPARAM_INT)
      epochs = run->hparams[i].i;
  }
  return run->state == TS_RUN_FINISHED && epochs ? ts_figure_count (epochs) : g_strdup ("–");
}

static void
show_stored (TsFigureStrip *strip, TsRunItem *item)
{
  char *points = with_end (ts_figure_count (ts_run_item_get (item)->n_points), " points");

  set (strip, STEP, ts_figure_count (strip->last_step),
       g_strdup (ts_state_get_word (ts_run_item_get_state (item))));
  set (strip, EPOCH, dup_epochs (item), g_strdup (""));
  set (strip, LOSS, ts_figure_known (ts_run_item_get_last (item, "train/loss", NULL)),
       with_word ("val", ts_figure_known (ts_run_item_get_last (item, "val/loss", NULL))));
  set (strip, METRIC, dup_metric (strip, last_of (item, "train", strip->metric)),
       with_word ("val", dup_metric (strip, last_of (item, "val", strip->metric))));
  set (strip, NORM, ts_figure_known (ts_run_item_get_last (item, "grad_norm", NULL)),
       g_strdup (""));
  set (strip, SPEED, ts_figure_rate (ts_run_item_get_last (item, "steps_per_s", NULL)),
       g_strdup ("steps/s"));
  set (strip, LEFT, ts_figure_duration (ts_run_item_get_seconds (item)), points);
}

static void
update (TsFigureStrip *strip)
{
  TsRunItem *item = ts_desk_get_shown (strip->desk);
  const TsFigures *f = ts_live_get (ts_desk_get_live (strip->desk));
  gboolean live = ts_desk_shows_live (strip->desk) || f->preparing;
  g_autofree char *metric = g_strdup (strip->metric ? strip->metric : "metric");

  metric[0] = g_ascii_toupper (metric[0]);
  gtk_label_set_text (GTK_LABEL (strip->cells[METRIC].title), metric);
  gtk_label_set_text (GTK_LABEL (strip->cells[LEFT].title), live ? "Left" : "Took");
  if (live)
    show_live (strip, f);
  else if (item)
    show_stored (strip, item);
}

/* --- Layout: as wide as the widest, all in one row, else in rows of four or of two --- */

static int
widest (TsFigureStrip *strip, gboolean natural)
{
  int widest = 0;

  for (guint i = 0; i < N_CELLS; i++) {
    int min, nat;
    gtk_widget_measure (strip->cells[i].box, GTK_ORIENTATION_HORIZONTAL, -1, &min, &nat, NULL,
                        NULL);
    widest = MAX (widest, natural ? nat : min);
  }
  return widest;
}

static int
tallest (TsFigureStrip *strip)
{
  int tallest = 0;

  for (guint i = 0; i < N_CELLS; i++) {
    int nat;
    gtk_widget_measure (strip->cells[i].box, GTK_ORIENTATION_VERTICAL, -1, NULL, &nat, NULL, NULL);
    tallest = MAX (tallest, nat);
  }
  return tallest;
}

static int
count_columns (TsFigureStrip *strip, int width)
{
  int natural = widest (strip, TRUE);

  return width < 0 || width >= N_CELLS * natural ? N_CELLS : width >= 4 * natural ? 4 : 2;
}

static GtkSizeRequestMode
ts_figure_strip_get_request_mode (GtkWidget *widget)
{
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

static void
ts_figure_strip_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum,
                         int *natural, int *minimum_baseline, int *natural_baseline)
{
  TsFigureStrip *strip = TS_FIGURE_STRIP (widget);

  if (orientation == GTK_ORIENTATION_HORIZONTAL) {
    *minimum = 2 * widest (strip, FALSE);
    *natural = N_CELLS * widest (strip, TRUE);
  } else {
    int columns = count_columns (strip, for_size);
    *minimum = *natural = (N_CELLS + columns - 1) / columns * tallest (strip);
  }
}

static void
ts_figure_strip_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  TsFigureStrip *strip = TS_FIGURE_STRIP (widget);
  int columns = count_columns (strip, width), row = tallest (strip);

  for (int i = 0; i < N_CELLS; i++) {
    int x = i % columns * width / columns, next = (i % columns + 1) * width / columns;
    GtkAllocation place = {x, i / columns * row, next - x, row};
    gtk_widget_size_allocate (strip->cells[i].box, &place, -1);
  }
}

static void
ts_figure_strip_dispose (GObject *object)
{
  for (guint i = 0; i < N_CELLS; i++)
    g_clear_pointer (&TS_FIGURE_STRIP (object)->cells[i].box, gtk_widget_unparent);
  G_OBJECT_CLASS (ts_figure_strip_parent_class)->dispose (object);
}

static void
ts_figure_strip_finalize (GObject *object)
{
  g_free (TS_FIGURE_STRIP (object)->metric);
  G_OBJECT_CLASS (ts_figure_strip_parent_class)->finalize (object);
}

static void
ts_figure_strip_class_init (TsFigureStripClass *klass)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = ts_figure_strip_dispose;
  G_OBJECT_CLASS (klass)->finalize = ts_figure_strip_finalize;
  widget->get_request_mode = ts_figure_strip_get_request_mode;
  widget->measure = ts_figure_strip_measure;
  widget->size_allocate = ts_figure_strip_size_allocate;
}

static GtkWidget *
add_label (GtkWidget *box, const char *text, const char *css)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_widget_add_css_class (label, css);
  gtk_box_append (GTK_BOX (box), label);
  return label;
}

static void
ts_figure_strip_init (TsFigureStrip *strip)
{
  static const char *const titles[N_CELLS] = {"Step",          "Epoch", "Loss", "Metric",
                                              "Gradient norm", "Speed", "Left"};

  gtk_widget_add_css_class (GTK_WIDGET (strip), "card");
  gtk_widget_add_css_class (GTK_WIDGET (strip), "figures");
  for (guint i = 0; i < N_CELLS; i++) {
    Cell *cell = &strip->cells[i];
    cell->box = g_object_new (GTK_TYPE_BOX, "orientation", GTK_ORIENTATION_VERTICAL,
                              "accessible-role", GTK_ACCESSIBLE_ROLE_GROUP, NULL);
    gtk_widget_add_css_class (cell->box, "figure");
    gtk_widget_set_size_request (cell->box, 88, -1);
    cell->title = add_label (cell->box, titles[i], "caption-text");
    cell->value = add_label (cell->box, "–", "figure-value");
    /* so that the rows do not change with every figure */
    gtk_label_set_width_chars (GTK_LABEL (cell->value), 8);
    cell->line = add_label (cell->box, "", "secondary");
    gtk_widget_set_parent (cell->box, GTK_WIDGET (strip));
  }
}

GtkWidget *
ts_figure_strip_new (TsDesk *desk)
{
  TsFigureStrip *strip = g_object_new (TS_TYPE_FIGURE_STRIP, NULL);

  strip->desk = desk;
  g_signal_connect_object (ts_desk_get_live (desk), "changed", G_CALLBACK (update), strip,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (desk, "shown-changed", G_CALLBACK (update), strip, G_CONNECT_SWAPPED);
  g_signal_connect_object (ts_desk_get_runs (desk), "refreshed", G_CALLBACK (update), strip,
                           G_CONNECT_SWAPPED);
  update (strip);
  return GTK_WIDGET (strip);
}

void
ts_figure_strip_set_metric (TsFigureStrip *strip, const char *metric)
{
  char *copy = g_strdup (metric);

  g_free (strip->metric);
  strip->metric = copy;
  update (strip);
}

void
ts_figure_strip_set_last_step (TsFigureStrip *strip, gint64 step)
{
  strip->last_step = step;
  update (strip);
}

const char *
ts_figure_strip_get_value (TsFigureStrip *strip, const char *title)
{
  for (guint i = 0; i < N_CELLS; i++)
    if (strcmp (gtk_label_get_text (GTK_LABEL (strip->cells[i].title)), title) == 0)
      return gtk_label_get_text (GTK_LABEL (strip->cells[i].value));
  return NULL;
}
