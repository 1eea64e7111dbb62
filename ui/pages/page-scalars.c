/* SPDX-License-Identifier: MIT */
#include <adwaita.h>
#include <string.h>

#include "ui/models/figure.h"
#include "ui/pages/page.h"
#include "ui/shortcuts.h"
#include "ui/widgets/card-group.h"
#include "ui/widgets/chart-card.h"
#include "ui/widgets/chart-hover.h"
#include "ui/widgets/run-sidebar.h"

/* All scalars of the shown runs: a card a tag, in groups by the tag's first word. */
#define TS_TYPE_PAGE_SCALARS (ts_page_scalars_get_type ())
G_DECLARE_FINAL_TYPE (TsPageScalars, ts_page_scalars, TS, PAGE_SCALARS, GtkWidget)

#define SIDEBAR_PX  264
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

struct _TsPageScalars {
  GtkWidget parent;
  TsDesk *desk;
  GtkWidget *root, *paned, *toolbar, *filter, *smooth_label, *smoothing, *smoothing_value, *x_axis;
  GtkWidget *log_y, *fit, *columns, *stack, *none, *none_button, *overlay, *scrolled, *groups;
  GtkAdjustment *smoothing_adjustment;
  GtkWidget *sidebar, *hover;
  GHashTable *entries; /* tag → Entry */
  GPtrArray *group_list;
  TsChartLook look;
  double last_smoothing; /* before it was switched off */
  TsChartView *pointed;  /* borrowed, or NULL */
  gboolean narrow, show_sidebar;
  guint width_source;
};

G_DEFINE_FINAL_TYPE (TsPageScalars, ts_page_scalars, GTK_TYPE_WIDGET)

enum { PROP_NARROW = 1, PROP_SHOW_SIDEBAR };

/* --- The order of things ------------------------------------------------------------------------ */

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

/* --- Hovering: one cursor for all charts -------------------------------------------------------- */

static void
show_hover (TsPageScalars *page)
{
  const TsLayout *layout = page->pointed ? ts_chart_view_get_layout (page->pointed) : NULL;
  double x;

  gtk_widget_set_visible (page->hover, layout != NULL);
  if (!layout || !ts_chart_view_get_cursor (page->pointed, &x))
    return;
  ts_hover_table_set (TS_HOVER_TABLE (page->hover), layout, ts_chart_view_get_tag (page->pointed), x);
  gtk_widget_queue_allocate (page->overlay);
}

static void
on_hover (TsPageScalars *page, TsChartView *view)
{
  GHashTableIter iter;
  gpointer value;
  double x = 0;
  gboolean pointed = ts_chart_view_is_pointed (view) && ts_chart_view_get_cursor (view, &x);

  if (!pointed && page->pointed != view)
    return;
  page->pointed = pointed ? view : NULL;
  g_hash_table_iter_init (&iter, page->entries);
  while (g_hash_table_iter_next (&iter, NULL, &value)) {
    TsChartView *other = ts_chart_card_get_view (((Entry *) value)->card);
    if (other != view)
      ts_chart_view_set_cursor (other, pointed ? &x : NULL);
  }
  show_hover (page);
}

static void
on_drawn (TsPageScalars *page, TsChartView *view)
{
  if (page->pointed == view)
    show_hover (page);
}

static gboolean
place_hover (GtkOverlay *overlay, GtkWidget *widget, GdkRectangle *place, TsPageScalars *page)
{
  const TsLayout *l = page->pointed ? ts_chart_view_get_layout (page->pointed) : NULL;
  graphene_rect_t box;
  double x, y, cursor;
  int width, height;

  if (widget != page->hover || !l ||
      !gtk_widget_compute_bounds (GTK_WIDGET (page->pointed), GTK_WIDGET (overlay), &box))
    return FALSE;
  gtk_widget_measure (widget, GTK_ORIENTATION_HORIZONTAL, -1, &width, NULL, NULL, NULL);
  gtk_widget_measure (widget, GTK_ORIENTATION_VERTICAL, width, &height, NULL, NULL, NULL);
  ts_chart_view_get_cursor (page->pointed, &cursor);
  TsBox chart = {box.origin.x, box.origin.y, box.size.width, box.size.height};
  TsBox plot = {chart.x + l->plot.x, chart.y + l->plot.y, l->plot.width, l->plot.height};
  TsBox whole = {0, 0, gtk_widget_get_width (GTK_WIDGET (overlay)),
                 gtk_widget_get_height (GTK_WIDGET (overlay))};
  ts_hover_table_place (&chart, &plot, &whole, chart.x + ts_scale_to_px (&l->x_scale, cursor), width,
                        height, &x, &y);
  *place = (GdkRectangle){(int) x, (int) y, width, height};
  return TRUE;
}

/* --- Cards -------------------------------------------------------------------------------------- */

static void sync_cards (TsPageScalars *page);

static void
on_exported (TsPageScalars *page, const char *path, const char *message)
{
  if (message)
    ts_desk_set_notice (page->desk, &(TsNotice){TS_SEVERITY_ERROR, "The chart was not exported",
                                                message, NULL, NULL});
  else
    ts_desk_set_notice (page->desk,
                        &(TsNotice){TS_SEVERITY_INFO, "The chart is exported", path, NULL, NULL});
}

static void
on_expanded (TsPageScalars *page, GParamSpec *spec, TsCardGroup *widget)
{
  for (guint i = 0; i < page->group_list->len; i++)
    if (((Group *) page->group_list->pdata[i])->widget == widget)
      ((Group *) page->group_list->pdata[i])->touched = TRUE;
  sync_cards (page);
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
get_group (TsPageScalars *page, const char *tag)
{
  g_autofree char *name = dup_group_name (tag);
  GtkWidget *after = NULL;
  guint at = 0;

  for (; at < page->group_list->len; at++) {
    Group *group = page->group_list->pdata[at];
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
  ts_card_grid_set_columns (ts_card_group_get_grid (group->widget),
                            page->narrow ? 1 : gtk_drop_down_get_selected (GTK_DROP_DOWN (page->columns)));
  g_signal_connect_object (group->widget, "notify::expanded", G_CALLBACK (on_expanded), page,
                           G_CONNECT_SWAPPED);
  gtk_box_insert_child_after (GTK_BOX (page->groups), GTK_WIDGET (group->widget), after);
  g_ptr_array_insert (page->group_list, (int) at, group);
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
get_entry (TsPageScalars *page, const char *tag)
{
  Entry *entry = g_hash_table_lookup (page->entries, tag);
  GtkWidget *after = NULL;
  guint at = 0;

  if (entry)
    return entry;
  entry = g_new0 (Entry, 1);
  entry->tag = g_intern_string (tag);
  entry->card = TS_CHART_CARD (ts_chart_card_new (tag));
  entry->group = get_group (page, tag);
  entry->items = g_ptr_array_new ();
  g_hash_table_insert (page->entries, (gpointer) entry->tag, entry);
  for (; at < entry->group->entries->len; at++) {
    Entry *other = entry->group->entries->pdata[at];
    if (compare_tags (other->tag, tag) > 0)
      break;
    after = GTK_WIDGET (other->card);
  }
  g_ptr_array_insert (entry->group->entries, (int) at, entry);
  ts_chart_view_set_look (ts_chart_card_get_view (entry->card), &page->look);
  g_signal_connect_object (ts_chart_card_get_view (entry->card), "hover-changed",
                           G_CALLBACK (on_hover), page, G_CONNECT_SWAPPED);
  g_signal_connect_object (ts_chart_card_get_view (entry->card), "drawn", G_CALLBACK (on_drawn),
                           page, G_CONNECT_SWAPPED);
  g_signal_connect_object (entry->card, "exported", G_CALLBACK (on_exported), page,
                           G_CONNECT_SWAPPED);
  ts_card_grid_insert (ts_card_group_get_grid (entry->group->widget), GTK_WIDGET (entry->card),
                       after);
  return entry;
}

static void
drop_entry (TsPageScalars *page, Entry *entry)
{
  Group *group = entry->group;

  if (page->pointed == ts_chart_card_get_view (entry->card))
    page->pointed = NULL;
  g_ptr_array_remove (group->entries, entry);
  ts_card_grid_remove (ts_card_group_get_grid (group->widget), GTK_WIDGET (entry->card));
  if (group->entries->len)
    return;
  gtk_box_remove (GTK_BOX (page->groups), GTK_WIDGET (group->widget));
  g_ptr_array_remove (page->group_list, group);
}

/* Which runs have which tags. */
static void
find_entries (TsPageScalars *page)
{
  GListModel *runs = G_LIST_MODEL (ts_desk_get_runs (page->desk));
  TsRunSet *set = ts_desk_get_run_set (page->desk);
  GHashTableIter iter;
  gpointer value;

  g_hash_table_iter_init (&iter, page->entries);
  while (g_hash_table_iter_next (&iter, NULL, &value)) {
    g_ptr_array_set_size (((Entry *) value)->items, 0);
    ((Entry *) value)->known = FALSE;
  }
  for (guint i = 0; i < g_list_model_get_n_items (runs); i++) {
    g_autoptr (TsRunItem) item = g_list_model_get_item (runs, i);
    const GArray *last = ts_run_item_get (item)->last;
    gboolean shown = ts_run_set_shows (set, item);
    for (guint k = 0; k < last->len; k++) {
      Entry *entry = get_entry (page, g_array_index (last, TsLastValue, k).tag);
      entry->known = TRUE;
      if (shown)
        g_ptr_array_add (entry->items, item);
    }
  }
  g_hash_table_iter_init (&iter, page->entries);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    if (!((Entry *) value)->known) {
      drop_entry (page, value);
      g_hash_table_iter_remove (&iter);
    }
}

static gboolean
fits_filter (TsPageScalars *page, const char *tag)
{
  const char *filter = gtk_editable_get_text (GTK_EDITABLE (page->filter));
  g_autofree char *valid = g_utf8_make_valid (tag, -1);
  g_autofree char *name = g_utf8_casefold (valid, -1), *wanted = g_utf8_casefold (filter, -1);

  g_strstrip (wanted);
  return strpbrk (wanted, "*?") ? g_pattern_match_simple (wanted, name)
                                : strstr (name, wanted) != NULL;
}

static void
fill_card (TsPageScalars *page, Entry *entry, gboolean seen)
{
  TsChartView *view = ts_chart_card_get_view (entry->card);
  gint64 selected = ts_run_set_get_selected (ts_desk_get_run_set (page->desk)), planned = 0;
  const TsFigures *figures = ts_live_get (ts_desk_get_live (page->desk));
  guint n = seen ? entry->items->len : 0;
  g_autofree TsChartRun *runs = g_new0 (TsChartRun, MAX (n, 1));

  for (guint i = 0; i < n; i++) {
    TsRunItem *item = entry->items->pdata[i];
    gint64 id = ts_run_item_get_id (item);
    TsRunState state = ts_run_item_get_state (item);
    runs[i] = (TsChartRun){
        .series = ts_series_cache_get (ts_desk_get_series (page->desk), id, entry->tag),
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
fill_group (TsPageScalars *page, Group *group)
{
  guint n = group->entries->len, fitting = 0, shown = 0;
  g_autoptr (GString) note = g_string_new (NULL);

  if (!group->touched && n > LARGE_GROUP && ts_card_group_get_expanded (group->widget)) {
    g_signal_handlers_block_by_func (group->widget, on_expanded, page);
    ts_card_group_set_expanded (group->widget, FALSE);
    g_signal_handlers_unblock_by_func (group->widget, on_expanded, page);
  }
  for (guint i = 0; i < n; i++) {
    Entry *entry = group->entries->pdata[i];
    gboolean fits = fits_filter (page, entry->tag), seen = fits && entry->items->len;
    fitting += fits;
    shown += seen;
    gtk_widget_set_visible (GTK_WIDGET (entry->card), seen);
    fill_card (page, entry, seen && ts_card_group_get_expanded (group->widget));
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

static void
show_state (TsPageScalars *page, guint shown)
{
  const char *filter = gtk_editable_get_text (GTK_EDITABLE (page->filter));
  const char *child = shown ? "charts" : "none";
  AdwStatusPage *none = ADW_STATUS_PAGE (page->none);

  if (!g_hash_table_size (page->entries))
    child = "empty";
  else if (!shown && *filter) {
    g_autofree char *escaped = g_markup_escape_text (filter, -1);
    adw_status_page_set_title (none, "No chart matches");
    adw_status_page_set_description (none, escaped);
    gtk_button_set_label (GTK_BUTTON (page->none_button), "Clear the filter");
  } else if (!shown) {
    adw_status_page_set_title (none, "All runs are hidden");
    adw_status_page_set_description (none, "Click the swatches beside their names, or show all.");
    gtk_button_set_label (GTK_BUTTON (page->none_button), "Show all runs");
  }
  gtk_stack_set_visible_child_name (GTK_STACK (page->stack), child);
}

/* What the sidebar shows of each run. */
static const char *
choose_metric (TsPageScalars *page)
{
  static const char *const wanted[] = {"val/accuracy", "val/loss", "train/accuracy", "train/loss"};

  for (guint i = 0; i < G_N_ELEMENTS (wanted); i++)
    if (g_hash_table_contains (page->entries, wanted[i]))
      return g_intern_static_string (wanted[i]);
  for (guint i = 0; i < page->group_list->len; i++)
    return ((Entry *) ((Group *) page->group_list->pdata[i])->entries->pdata[0])->tag;
  return NULL;
}

static void
sync_cards (TsPageScalars *page)
{
  guint shown = 0;

  find_entries (page);
  for (guint i = 0; i < page->group_list->len; i++)
    shown += fill_group (page, page->group_list->pdata[i]);
  ts_run_sidebar_set_tag (TS_RUN_SIDEBAR (page->sidebar), choose_metric (page));
  show_state (page, shown);
}

/* --- The toolbar -------------------------------------------------------------------------------- */

static void
apply_look (TsPageScalars *page)
{
  GHashTableIter iter;
  gpointer value;

  g_hash_table_iter_init (&iter, page->entries);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    ts_chart_view_set_look (ts_chart_card_get_view (((Entry *) value)->card), &page->look);
}

static void
on_smoothing (TsPageScalars *page)
{
  double value = gtk_adjustment_get_value (page->smoothing_adjustment);
  g_autofree char *text = g_strdup_printf ("%.2f", value);

  page->look.smoothing = value < .005 ? 0 : value;
  gtk_label_set_text (GTK_LABEL (page->smoothing_value), text);
  apply_look (page);
}

static void
on_x_axis (TsPageScalars *page)
{
  page->look.x_kind = (TsXKind) gtk_drop_down_get_selected (GTK_DROP_DOWN (page->x_axis));
  apply_look (page);
}

static void
on_columns (TsPageScalars *page)
{
  guint columns = gtk_drop_down_get_selected (GTK_DROP_DOWN (page->columns));

  for (guint i = 0; i < page->group_list->len; i++)
    ts_card_grid_set_columns (
        ts_card_group_get_grid (((Group *) page->group_list->pdata[i])->widget),
        page->narrow ? 1 : columns);
}

static void
on_none_button (TsPageScalars *page)
{
  if (*gtk_editable_get_text (GTK_EDITABLE (page->filter))) {
    gtk_editable_set_text (GTK_EDITABLE (page->filter), "");
    sync_cards (page);
    return;
  }
  ts_run_set_set_filter (ts_desk_get_run_set (page->desk), "");
  ts_run_set_show_all (ts_desk_get_run_set (page->desk));
}

/* --- Actions of the window, while the page is shown --------------------------------------------- */

static void
on_toggle_smoothing (GSimpleAction *action, GVariant *value, gpointer data)
{
  TsPageScalars *page = data;
  double now = gtk_adjustment_get_value (page->smoothing_adjustment);

  if (now > 0)
    page->last_smoothing = now;
  gtk_adjustment_set_value (page->smoothing_adjustment, now > 0 ? 0 : page->last_smoothing);
}

static void
on_set_smoothing (GSimpleAction *action, GVariant *value, gpointer data)
{
  gtk_adjustment_set_value (TS_PAGE_SCALARS (data)->smoothing_adjustment,
                            g_variant_get_double (value));
}

static void
on_log_y (GSimpleAction *action, GVariant *value, gpointer data)
{
  TsPageScalars *page = data;

  g_simple_action_set_state (action, value);
  page->look.log_y = g_variant_get_boolean (value);
  apply_look (page);
}

static void
on_fit (GSimpleAction *action, GVariant *value, gpointer data)
{
  GHashTableIter iter;
  gpointer entry;

  g_hash_table_iter_init (&iter, TS_PAGE_SCALARS (data)->entries);
  while (g_hash_table_iter_next (&iter, NULL, &entry))
    ts_chart_view_fit (ts_chart_card_get_view (((Entry *) entry)->card));
}

static void
on_focus_filter (GSimpleAction *action, GVariant *value, gpointer data)
{
  gtk_widget_grab_focus (TS_PAGE_SCALARS (data)->filter);
}

static const GActionEntry actions[] = {
    {"smoothing", on_toggle_smoothing},
    {"set-smoothing", on_set_smoothing, "d"},
    {"log-y", NULL, NULL, "false", on_log_y},
    {"fit", on_fit},
    {"filter", on_focus_filter},
};

static void
enable_actions (TsPageScalars *page, gboolean enabled)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (page));

  for (guint i = 0; G_IS_ACTION_MAP (root) && i < G_N_ELEMENTS (actions); i++) {
    GAction *action = g_action_map_lookup_action (G_ACTION_MAP (root), actions[i].name);
    if (action)
      g_simple_action_set_enabled (G_SIMPLE_ACTION (action), enabled);
  }
}

static void
ts_page_scalars_root (GtkWidget *widget)
{
  GtkRoot *root = gtk_widget_get_root (widget);

  GTK_WIDGET_CLASS (ts_page_scalars_parent_class)->root (widget);
  if (G_IS_ACTION_MAP (root))
    g_action_map_add_action_entries (G_ACTION_MAP (root), actions, G_N_ELEMENTS (actions), widget);
}

static void
ts_page_scalars_unroot (GtkWidget *widget)
{
  GtkRoot *root = gtk_widget_get_root (widget);

  for (guint i = 0; G_IS_ACTION_MAP (root) && i < G_N_ELEMENTS (actions); i++)
    g_action_map_remove_action (G_ACTION_MAP (root), actions[i].name);
  GTK_WIDGET_CLASS (ts_page_scalars_parent_class)->unroot (widget);
}

/* --- The sidebar -------------------------------------------------------------------------------- */

/* Beside the charts; in a narrow window over them. */
static void
place_sidebar (TsPageScalars *page)
{
  GtkWidget *parent = gtk_widget_get_parent (page->sidebar);
  GtkWidget *wanted = page->narrow ? page->root : page->paned;

  gtk_widget_set_visible (page->sidebar, page->show_sidebar);
  if (parent == wanted)
    return;
  if (parent == page->paned)
    gtk_paned_set_start_child (GTK_PANED (page->paned), NULL);
  else if (parent)
    gtk_overlay_remove_overlay (GTK_OVERLAY (page->root), page->sidebar);
  if (page->narrow) {
    gtk_widget_set_halign (page->sidebar, GTK_ALIGN_START);
    gtk_widget_add_css_class (page->sidebar, "floating");
    gtk_overlay_add_overlay (GTK_OVERLAY (page->root), page->sidebar);
  } else {
    gtk_widget_set_halign (page->sidebar, GTK_ALIGN_FILL);
    gtk_widget_remove_css_class (page->sidebar, "floating");
    gtk_paned_set_start_child (GTK_PANED (page->paned), page->sidebar);
  }
}

/* A sidebar over the charts is opened when it is wanted, never by making the window narrow; one
 * beside them comes back with the width. */
static gboolean
toggle_sidebar_for_width (gpointer data)
{
  TsPageScalars *page = data;

  page->width_source = 0;
  if (page->show_sidebar == page->narrow)
    gtk_widget_activate_action (GTK_WIDGET (page), "win.sidebar", NULL);
  return G_SOURCE_REMOVE;
}

/* Later: while pages change the window's action is not enabled yet. */
static void
queue_sidebar_for_width (TsPageScalars *page)
{
  if (!page->width_source)
    page->width_source = g_idle_add_full (GTK_PRIORITY_RESIZE - 1, toggle_sidebar_for_width, page, NULL);
}

static void
set_narrow (TsPageScalars *page, gboolean narrow)
{
  if (page->narrow == narrow)
    return;
  page->narrow = narrow;
  gtk_widget_set_visible (page->smooth_label, !narrow);
  gtk_widget_set_visible (page->columns, !narrow);
  gtk_widget_set_visible (page->fit, !narrow);
  if (gtk_widget_get_mapped (GTK_WIDGET (page)))
    queue_sidebar_for_width (page);
  place_sidebar (page);
  on_columns (page);
}

static void
ts_page_scalars_map (GtkWidget *widget)
{
  TsPageScalars *page = TS_PAGE_SCALARS (widget);

  GTK_WIDGET_CLASS (ts_page_scalars_parent_class)->map (widget);
  enable_actions (page, TRUE);
  if (page->narrow)
    queue_sidebar_for_width (page);
}

/* Not an entry: plain keys are commands until somebody wants to type. */
static gboolean
ts_page_scalars_grab_focus (GtkWidget *widget)
{
  return gtk_widget_grab_focus (TS_PAGE_SCALARS (widget)->scrolled);
}

static void
ts_page_scalars_unmap (GtkWidget *widget)
{
  g_clear_handle_id (&TS_PAGE_SCALARS (widget)->width_source, g_source_remove);
  enable_actions (TS_PAGE_SCALARS (widget), FALSE);
  GTK_WIDGET_CLASS (ts_page_scalars_parent_class)->unmap (widget);
}

/* --- Life --------------------------------------------------------------------------------------- */

static void
ts_page_scalars_get_property (GObject *object, guint id, GValue *value, GParamSpec *spec)
{
  TsPageScalars *page = TS_PAGE_SCALARS (object);

  g_value_set_boolean (value, id == PROP_NARROW ? page->narrow : page->show_sidebar);
}

static void
ts_page_scalars_set_property (GObject *object, guint id, const GValue *value, GParamSpec *spec)
{
  TsPageScalars *page = TS_PAGE_SCALARS (object);

  if (id == PROP_NARROW) {
    set_narrow (page, g_value_get_boolean (value));
    return;
  }
  page->show_sidebar = g_value_get_boolean (value);
  if (page->sidebar)
    place_sidebar (page);
}

static void
ts_page_scalars_dispose (GObject *object)
{
  TsPageScalars *page = TS_PAGE_SCALARS (object);

  page->pointed = NULL;
  g_clear_pointer (&page->root, gtk_widget_unparent);
  g_clear_object (&page->sidebar);
  G_OBJECT_CLASS (ts_page_scalars_parent_class)->dispose (object);
}

static void
ts_page_scalars_finalize (GObject *object)
{
  g_hash_table_unref (TS_PAGE_SCALARS (object)->entries);
  g_ptr_array_unref (TS_PAGE_SCALARS (object)->group_list);
  G_OBJECT_CLASS (ts_page_scalars_parent_class)->finalize (object);
}

static void
bind_children (GtkWidgetClass *widget)
{
  gtk_widget_class_bind_template_child (widget, TsPageScalars, root);
  gtk_widget_class_bind_template_child (widget, TsPageScalars, paned);
  gtk_widget_class_bind_template_child (widget, TsPageScalars, toolbar);
  gtk_widget_class_bind_template_child (widget, TsPageScalars, filter);
  gtk_widget_class_bind_template_child (widget, TsPageScalars, smooth_label);
  gtk_widget_class_bind_template_child (widget, TsPageScalars, smoothing);
  gtk_widget_class_bind_template_child (widget, TsPageScalars, smoothing_adjustment);
  gtk_widget_class_bind_template_child (widget, TsPageScalars, smoothing_value);
  gtk_widget_class_bind_template_child (widget, TsPageScalars, x_axis);
  gtk_widget_class_bind_template_child (widget, TsPageScalars, log_y);
  gtk_widget_class_bind_template_child (widget, TsPageScalars, fit);
  gtk_widget_class_bind_template_child (widget, TsPageScalars, columns);
  gtk_widget_class_bind_template_child (widget, TsPageScalars, stack);
  gtk_widget_class_bind_template_child (widget, TsPageScalars, none);
  gtk_widget_class_bind_template_child (widget, TsPageScalars, none_button);
  gtk_widget_class_bind_template_child (widget, TsPageScalars, overlay);
  gtk_widget_class_bind_template_child (widget, TsPageScalars, scrolled);
  gtk_widget_class_bind_template_child (widget, TsPageScalars, groups);
}

static void
ts_page_scalars_class_init (TsPageScalarsClass *klass)
{
  GObjectClass *object = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (klass);
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS;

  object->dispose = ts_page_scalars_dispose;
  object->finalize = ts_page_scalars_finalize;
  object->get_property = ts_page_scalars_get_property;
  object->set_property = ts_page_scalars_set_property;
  widget->root = ts_page_scalars_root;
  widget->unroot = ts_page_scalars_unroot;
  widget->map = ts_page_scalars_map;
  widget->unmap = ts_page_scalars_unmap;
  widget->grab_focus = ts_page_scalars_grab_focus;
  g_object_class_install_property (object, PROP_NARROW,
                                   g_param_spec_boolean ("narrow", NULL, NULL, FALSE, flags));
  g_object_class_install_property (object, PROP_SHOW_SIDEBAR,
                                   g_param_spec_boolean ("show-sidebar", NULL, NULL, TRUE, flags));
  gtk_widget_class_set_layout_manager_type (widget, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_template_from_resource (widget,
                                               "/org/trainscope/Workbench/page-scalars.ui");
  bind_children (widget);
}

static void
ts_page_scalars_init (TsPageScalars *page)
{
  page->entries = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, entry_free);
  page->group_list = g_ptr_array_new_with_free_func (group_free);
  page->show_sidebar = TRUE;
  page->last_smoothing = .6;
  gtk_widget_init_template (GTK_WIDGET (page));
  page->hover = ts_hover_table_new ();
  gtk_widget_set_visible (page->hover, FALSE);
  gtk_overlay_add_overlay (GTK_OVERLAY (page->overlay), page->hover);
  ts_shortcut_describe (page->log_y, "win.log-y", NULL);
  ts_shortcut_describe (page->fit, "win.fit", NULL);
}

static GtkWidget *
create (TsDesk *desk)
{
  TsPageScalars *page = g_object_new (TS_TYPE_PAGE_SCALARS, NULL);

  page->desk = desk;
  page->sidebar = g_object_ref_sink (ts_run_sidebar_new (ts_desk_get_run_set (desk)));
  gtk_widget_set_size_request (page->sidebar, SIDEBAR_PX - 44, -1);
  place_sidebar (page);
  on_smoothing (page);
  g_signal_connect_object (page->overlay, "get-child-position", G_CALLBACK (place_hover), page, 0);
  g_signal_connect_object (page->smoothing_adjustment, "value-changed", G_CALLBACK (on_smoothing),
                           page, G_CONNECT_SWAPPED);
  g_signal_connect_object (page->x_axis, "notify::selected", G_CALLBACK (on_x_axis), page,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (page->columns, "notify::selected", G_CALLBACK (on_columns), page,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (page->filter, "search-changed", G_CALLBACK (sync_cards), page,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (page->none_button, "clicked", G_CALLBACK (on_none_button), page,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (ts_desk_get_run_set (desk), "changed", G_CALLBACK (sync_cards), page,
                           G_CONNECT_SWAPPED);
  sync_cards (page);
  return GTK_WIDGET (page);
}

const TsPageClass ts_page_scalars = {
    .name = "scalars",
    .title = "Scalars",
    .icon = "ts-scalars-symbolic",
    .group = 2,
    .place = 1,
    .sidebar = TRUE,
    .create = create,
};
