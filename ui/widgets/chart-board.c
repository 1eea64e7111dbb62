/* SPDX-License-Identifier: MIT */
#include "ui/widgets/chart-board.h"

#include <string.h>

#include "ui/widgets/card-group.h"
#include "ui/widgets/chart-overlay.h"

#define LARGE_GROUP 24 /* cards: such a group begins closed */

typedef struct {
  char *name; /* "val"; "" for tags without a slash */
  TsCardGroup *widget;
  GPtrArray *entries; /* of Entry, in order */
  gboolean touched;   /* opened or closed by hand */
} Group;

typedef struct {
  const char *tag; /* interned */
  TsChartCard *card;
  Group *group;
  GPtrArray *items; /* of TsRunItem: the shown runs that have it */
  gboolean known;   /* some run has it */
} Entry;

struct _TsChartBoard {
  GtkWidget parent;
  TsDesk *desk;
  GtkWidget *overlay, *scrolled, *groups;
  GHashTable *entries; /* tag → Entry */
  GPtrArray *group_list;
  TsChartLook look;
  char *filter;
  guint columns, n_shown;
};

G_DEFINE_FINAL_TYPE (TsChartBoard, ts_chart_board, GTK_TYPE_WIDGET)

static guint changed;

/* --- The order of things --- */

static char *
dup_group_name (const char *tag)
{
  const char *slash = strchr (tag, '/');

  return slash ? g_strndup (tag, (gsize) (slash - tag)) : g_strdup ("");
}

/* What says how good the model is comes first, then its training, then everything by name. */
static int
rank_group (const char *name)
{
  static const char *const first[] = {"val", "train", "test", ""};

  for (guint i = 0; i < G_N_ELEMENTS (first); i++)
    if (strcmp (name, first[i]) == 0)
      return (int) i;
  return G_N_ELEMENTS (first);
}

static int
compare_groups (const char *a, const char *b)
{
  int p = rank_group (a), q = rank_group (b);

  return p != q ? p - q : strcmp (a, b);
}

static int
compare_tags (const char *a, const char *b)
{
  gboolean p = g_str_has_suffix (a, "/loss"), q = g_str_has_suffix (b, "/loss");

  return p != q ? q - p : strcmp (a, b);
}

/* --- Cards --- */

static void sync_cards (TsChartBoard *board);

static void
on_exported (TsChartBoard *board, const char *path, const char *message)
{
  ts_desk_set_notice (
      board->desk,
      message ? &(TsNotice){TS_SEVERITY_ERROR, "The chart was not exported", message, NULL, NULL}
              : &(TsNotice){TS_SEVERITY_INFO, "The chart is exported", path, NULL, NULL});
}

static void
on_expanded (TsChartBoard *board, GParamSpec *spec, TsCardGroup *widget)
{
  for (guint i = 0; i < board->group_list->len; i++)
    if (((Group *) board->group_list->pdata[i])->widget == widget)
      ((Group *) board->group_list->pdata[i])->touched = TRUE;
  sync_cards (board);
}

static void
group_free (gpointer data)
{
  Group *group = data;

  g_ptr_array_unref (group->entries);
  g_free (group->name);
  g_free (group);
}

static Group *
get_group (TsChartBoard *board, const char *tag)
{
  g_autofree char *name = dup_group_name (tag);
  GtkWidget *after = NULL;
  guint at = 0;

  for (; at < board->group_list->len; at++) {
    Group *group = board->group_list->pdata[at];
    int order = compare_groups (group->name, name);
    if (order == 0)
      return group;
    if (order > 0)
      break;
    after = GTK_WIDGET (group->widget);
  }
  g_autofree char *title = *name ? g_utf8_make_valid (name, -1) : g_strdup ("general");
  Group *group = g_new0 (Group, 1);
  group->name = g_steal_pointer (&name);
  group->entries = g_ptr_array_new ();
  group->widget = TS_CARD_GROUP (ts_card_group_new (title));
  ts_card_grid_set_columns (ts_card_group_get_grid (group->widget), board->columns);
  g_signal_connect_object (group->widget, "notify::expanded", G_CALLBACK (on_expanded), board,
                           G_CONNECT_SWAPPED);
  gtk_box_insert_child_after (GTK_BOX (board->groups), GTK_WIDGET (group->widget), after);
  g_ptr_array_insert (board->group_list, (int) at, group);
  return group;
}

static void
entry_free (gpointer data)
{
  Entry *entry = data;

  g_ptr_array_unref (entry->items);
  g_free (entry);
}

static Entry *
get_entry (TsChartBoard *board, const char *tag)
{
  Entry *entry = g_hash_table_lookup (board->entries, tag);
  GtkWidget *after = NULL;
  guint at = 0;

  if (entry)
    return entry;
  entry = g_new0 (Entry, 1);
  entry->tag = g_intern_string (tag);
  entry->card = TS_CHART_CARD (ts_chart_card_new (tag));
  entry->group = get_group (board, tag);
  entry->items = g_ptr_array_new ();
  g_hash_table_insert (board->entries, (gpointer) entry->tag, entry);
  for (; at < entry->group->entries->len; at++) {
    Entry *other = entry->group->entries->pdata[at];
    if (compare_tags (other->tag, tag) > 0)
      break;
    after = GTK_WIDGET (other->card);
  }
  g_ptr_array_insert (entry->group->entries, (int) at, entry);
  ts_chart_view_set_look (ts_chart_card_get_view (entry->card), &board->look);
  ts_chart_overlay_add (TS_CHART_OVERLAY (board->overlay), ts_chart_card_get_view (entry->card));
  g_signal_connect_object (entry->card, "exported", G_CALLBACK (on_exported), board,
                           G_CONNECT_SWAPPED);
  ts_card_grid_insert (ts_card_group_get_grid (entry->group->widget), GTK_WIDGET (entry->card),
                       after);
  return entry;
}

static void
drop_entry (TsChartBoard *board, Entry *entry)
{
  Group *group = entry->group;

  ts_chart_overlay_remove (TS_CHART_OVERLAY (board->overlay), ts_chart_card_get_view (entry->card));
  g_ptr_array_remove (group->entries, entry);
  ts_card_grid_remove (ts_card_group_get_grid (group->widget), GTK_WIDGET (entry->card));
  if (group->entries->len)
    return;
  gtk_box_remove (GTK_BOX (board->groups), GTK_WIDGET (group->widget));
  g_ptr_array_remove (board->group_list, group);
}

/* Which runs have which tags. */
static void
find_entries (TsChartBoard *board)
{
  GListModel *runs = G_LIST_MODEL (ts_desk_get_runs (board->desk));
  TsRunSet *set = ts_desk_get_run_set (board->desk);
  GHashTableIter iter;
  gpointer value;

  g_hash_table_iter_init (&iter, board->entries);
  while (g_hash_table_iter_next (&iter, NULL, &value)) {
    g_ptr_array_set_size (((Entry *) value)->items, 0);
    ((Entry *) value)->known = FALSE;
  }
  for (guint i = 0; i < g_list_model_get_n_items (runs); i++) {
    g_autoptr (TsRunItem) item = g_list_model_get_item (runs, i);
    const GArray *last = ts_run_item_get (item)->last;
    gboolean shown = ts_run_set_shows (set, item);
    for (guint k = 0; k < last->len; k++) {
      Entry *entry = get_entry (board, g_array_index (last, TsLastValue, k).tag);
      entry->known = TRUE;
      if (shown)
        g_ptr_array_add (entry->items, item);
    }
  }
  g_hash_table_iter_init (&iter, board->entries);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    if (!((Entry *) value)->known) {
      drop_entry (board, value);
      g_hash_table_iter_remove (&iter);
    }
}

static gboolean
fits_filter (TsChartBoard *board, const char *tag)
{
  g_autofree char *valid = g_utf8_make_valid (tag, -1);
  g_autofree char *name = g_utf8_casefold (valid, -1),
                  *wanted = g_utf8_casefold (board->filter, -1);

  g_strstrip (wanted);
  return strpbrk (wanted, "*?") ? g_pattern_match_simple (wanted, name)
                                : strstr (name, wanted) != NULL;
}

static void
fill_card (TsChartBoard *board, Entry *entry, gboolean seen)
{
  TsChartView *view = ts_chart_card_get_view (entry->card);
  gint64 selected = ts_run_set_get_selected (ts_desk_get_run_set (board->desk)), planned = 0;
  const TsFigures *figures = ts_live_get (ts_desk_get_live (board->desk));
  guint n = seen ? entry->items->len : 0;
  g_autofree TsChartRun *runs = g_new0 (TsChartRun, MAX (n, 1));

  for (guint i = 0; i < n; i++) {
    TsRunItem *item = entry->items->pdata[i];
    gint64 id = ts_run_item_get_id (item);
    TsRunState state = ts_run_item_get_state (item);
    runs[i] = (TsChartRun){
        .series = ts_series_cache_get (ts_desk_get_series (board->desk), id, entry->tag),
        .name = ts_run_item_get_name (item),
        .color = ts_run_item_get_color (item),
        .live = state == TS_RUN_RUNNING || state == TS_RUN_PAUSED,
        .selected = id == selected,
    };
    if (figures->active && figures->run_id == id)
      planned = figures->total_steps;
  }
  ts_chart_view_set_planned (view, planned);
  ts_chart_card_set_runs (entry->card, runs, n);
  for (guint i = 0; i < n; i++)
    g_object_unref (runs[i].series);
}

/* Returns how many cards of the group there are to see. */
static guint
fill_group (TsChartBoard *board, Group *group)
{
  guint n = group->entries->len, fitting = 0, shown = 0;
  g_autoptr (GString) note = g_string_new (NULL);

  if (!group->touched && n > LARGE_GROUP && ts_card_group_get_expanded (group->widget)) {
    g_signal_handlers_block_by_func (group->widget, on_expanded, board);
    ts_card_group_set_expanded (group->widget, FALSE);
    g_signal_handlers_unblock_by_func (group->widget, on_expanded, board);
  }
  for (guint i = 0; i < n; i++) {
    Entry *entry = group->entries->pdata[i];
    gboolean fits = fits_filter (board, entry->tag), seen = fits && entry->items->len;
    fitting += fits;
    shown += seen;
    gtk_widget_set_visible (GTK_WIDGET (entry->card), seen);
    fill_card (board, entry, seen && ts_card_group_get_expanded (group->widget));
  }
  if (shown == n)
    g_string_printf (note, "%u", n);
  else
    g_string_printf (note, "%u of %u cards", shown, n);
  if (fitting > shown)
    g_string_append_printf (note, " · %u empty hidden", fitting - shown);
  ts_card_group_set_note (group->widget, note->str);
  gtk_widget_set_visible (GTK_WIDGET (group->widget), fitting > 0);
  return shown;
}

const char *
ts_chart_board_get_metric (TsChartBoard *board)
{
  static const char *const wanted[] = {"val/accuracy", "val/loss", "train/accuracy", "train/loss"};

  for (guint i = 0; i < G_N_ELEMENTS (wanted); i++)
    if (g_hash_table_contains (board->entries, wanted[i]))
      return g_intern_static_string (wanted[i]);
  for (guint i = 0; i < board->group_list->len; i++)
    return ((Entry *) ((Group *) board->group_list->pdata[i])->entries->pdata[0])->tag;
  return NULL;
}

static void
sync_cards (TsChartBoard *board)
{
  board->n_shown = 0;
  find_entries (board);
  for (guint i = 0; i < board->group_list->len; i++)
    board->n_shown += fill_group (board, board->group_list->pdata[i]);
  g_signal_emit (board, changed, 0);
}

/* --- Life --- */

static void
ts_chart_board_dispose (GObject *object)
{
  TsChartBoard *board = TS_CHART_BOARD (object);

  g_clear_pointer (&board->overlay, gtk_widget_unparent);
  G_OBJECT_CLASS (ts_chart_board_parent_class)->dispose (object);
}

static void
ts_chart_board_finalize (GObject *object)
{
  TsChartBoard *board = TS_CHART_BOARD (object);

  g_hash_table_unref (board->entries);
  g_ptr_array_unref (board->group_list);
  g_free (board->filter);
  G_OBJECT_CLASS (ts_chart_board_parent_class)->finalize (object);
}

static void
ts_chart_board_class_init (TsChartBoardClass *klass)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = ts_chart_board_dispose;
  G_OBJECT_CLASS (klass)->finalize = ts_chart_board_finalize;
  gtk_widget_class_set_layout_manager_type (widget, GTK_TYPE_BIN_LAYOUT);
  changed = g_signal_new ("changed", TS_TYPE_CHART_BOARD, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                          G_TYPE_NONE, 0);
}

static void
ts_chart_board_init (TsChartBoard *board)
{
  board->entries = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, entry_free);
  board->group_list = g_ptr_array_new_with_free_func (group_free);
  board->filter = g_strdup ("");
  board->scrolled = gtk_scrolled_window_new ();
  board->groups = gtk_box_new (GTK_ORIENTATION_VERTICAL, 2);
  gtk_widget_add_css_class (board->groups, "card-groups");
  /* so that plain keys have somewhere to go that is no entry and no single chart */
  gtk_widget_set_focusable (GTK_WIDGET (board), TRUE);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (board->scrolled), GTK_POLICY_NEVER,
                                  GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (board->scrolled), board->groups);
  gtk_viewport_set_scroll_to_focus (
      GTK_VIEWPORT (gtk_scrolled_window_get_child (GTK_SCROLLED_WINDOW (board->scrolled))), TRUE);
  board->overlay = ts_chart_overlay_new (board->scrolled);
  gtk_widget_set_parent (board->overlay, GTK_WIDGET (board));
}

GtkWidget *
ts_chart_board_new (TsDesk *desk)
{
  TsChartBoard *board = g_object_new (TS_TYPE_CHART_BOARD, NULL);

  board->desk = desk;
  g_signal_connect_object (ts_desk_get_run_set (desk), "changed", G_CALLBACK (sync_cards), board,
                           G_CONNECT_SWAPPED);
  sync_cards (board);
  return GTK_WIDGET (board);
}

guint
ts_chart_board_count_all (TsChartBoard *board)
{
  return g_hash_table_size (board->entries);
}

guint
ts_chart_board_count_shown (TsChartBoard *board)
{
  return board->n_shown;
}

TsChartCard *
ts_chart_board_lookup (TsChartBoard *board, const char *tag)
{
  const Entry *entry = g_hash_table_lookup (board->entries, tag);

  return entry ? entry->card : NULL;
}

void
ts_chart_board_set_look (TsChartBoard *board, const TsChartLook *look)
{
  GHashTableIter iter;
  gpointer value;

  board->look = *look;
  g_hash_table_iter_init (&iter, board->entries);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    ts_chart_view_set_look (ts_chart_card_get_view (((Entry *) value)->card), look);
}

void
ts_chart_board_set_columns (TsChartBoard *board, guint columns)
{
  board->columns = columns;
  for (guint i = 0; i < board->group_list->len; i++)
    ts_card_grid_set_columns (
        ts_card_group_get_grid (((Group *) board->group_list->pdata[i])->widget), columns);
}

void
ts_chart_board_set_filter (TsChartBoard *board, const char *filter)
{
  if (strcmp (board->filter, filter) == 0)
    return;
  g_free (board->filter);
  board->filter = g_strdup (filter);
  sync_cards (board);
}

void
ts_chart_board_fit (TsChartBoard *board)
{
  GHashTableIter iter;
  gpointer value;

  g_hash_table_iter_init (&iter, board->entries);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    ts_chart_view_fit (ts_chart_card_get_view (((Entry *) value)->card));
}
