/* How the unit mass of a row spreads over trees, and what these answer together.
   The rules, and the order of all sums, are those of softwood's kernels. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LEAF = 0, NUMERIC = 1, NOMINAL = 2, OBLIQUE = 3 };
enum { NOISE = 0, LINEAR = 1, LOGISTIC = 2, NORMAL = 3 };
#define UNKNOWN_CODE (-2.0)
#define MOST_EXPONENT 700.0
#define HALF_SQRT_PI 0.886226925452758
#define SQRT_HALF 0.7071067811865476
#define CDF_STEPS 32
#define CDF_TOP 8.5
#define CDF_PARTS 7
#define LEAST_SD 1e-300

typedef struct {
    int *queue;
    double *mass, *low_z, *low, *high_z, *high;
} Notes;

static double larger(double a, double b) { return a > b ? a : b; }
static double smaller(double a, double b) { return a < b ? a : b; }

/* -- tests -------------------------------------------------------------------------- */

static double value_of(const Tree *tree, int node, const double *row)
{
    int at = tree->first_node + node, term;
    double value = 0.0, shrink = 0x1p-520;
    const int *start = term_start + at;
    if (kind[at] == NUMERIC) return row[feature[at]];
    for (term = start[0]; term < start[1]; term++)
        value += term_weight[term] * row[term_feature[term]];
    if (isfinite(value)) return value;
    value = 0.0;
    for (term = start[0]; term < start[1]; term++)
        value += (term_weight[term] * shrink) * (row[term_feature[term]] * shrink);
    return value / shrink / shrink;
}

static int branch_of(const Tree *tree, int node, const double *row)
{
    int at = tree->first_node + node;
    double value;
    if (kind[at] != NOMINAL) {
        value = value_of(tree, node, row);
        if (isnan(value)) return missing_child[at];
        return value <= threshold[at] ? 0 : 1;
    }
    value = row[feature[at]];
    if (isnan(value)) return missing_child[at];
    if (value < 0.0 || value >= set_start[at + 1] - set_start[at]) return -1;
    return set_child[set_start[at] + (int)value];
}

static double branch_share(const Tree *tree, int node, int branch)
{
    int at = tree->first_node + node, child, first = tree->first_node + first_child[at];
    double total = 0.0;
    for (child = first; child < first + n_children[at]; child++) total += weight[child];
    return total > 0.0 ? weight[first + branch] / total : 1.0 / n_children[at];
}

static double part_of_category(const Tree *tree, int node, int branch, double code)
{
    int at = tree->first_node + node, taken;
    if (code >= 0.0 && code < set_start[at + 1] - set_start[at]) {
        taken = set_child[set_start[at] + (int)code];
        if (taken != -1) return taken == branch ? 1.0 : 0.0;
    }
    return branch_share(tree, node, branch);
}

static double curve_share(double over, double below_cut, double above_cut, int shape)
{
    double width = over < 0.0 ? below_cut : above_cut;
    if (shape == LINEAR || over == 0.0 || width == 0.0) {
        if (over == 0.0) return 0.5;
        if (over <= -below_cut) return 1.0;
        if (over >= above_cut) return 0.0;
        return 0.5 - 0.5 * over / width;
    }
    over /= width;
    if (shape == LOGISTIC) return 1.0 / (1.0 + exp(smaller(2.0 * over, MOST_EXPONENT)));
    return 0.5 * erfc(over * HALF_SQRT_PI);
}

static double tail_of(double z) { return copysign(0.5 * erfc(fabs(z) * SQRT_HALF), -z); }

static double mass_between(double low, double high)
{
    return high - low + (low >= 0.0 && high <= 0.0 ? 1.0 : 0.0);
}

/* -- one row, node by node ------------------------------------------------------------ */

static void note(Notes *notes, int home, int child, double mass)
{
    notes->mass[child] = mass;
    notes->low_z[child] = notes->low_z[home];
    notes->low[child] = notes->low[home];
    notes->high_z[child] = notes->high_z[home];
    notes->high[child] = notes->high[home];
}

static int divide(const Tree *tree, int node, double value, Notes *notes, int end)
{
    int at = tree->first_node + node, first = first_child[at];
    int home = gate_home[at], lower = first, upper = first + 1, child;
    double mass = notes->mass[node], over = value - threshold[at];
    double z = 0.0, tail = 0.0, low, high, share, scale;
    if (tree->shape != NOISE) {
        share = curve_share(over, below[at], above[at], tree->shape);
        low = mass * share;
        high = mass * (1.0 - share);
    } else {
        if (gate_sd[at] < 0.0) { lower = first + 1; upper = first; }
        z = -over / gate_sd[at];
        if (z <= larger(-tree->span, notes->low_z[home])) {
            low = 0.0; high = mass;
        } else if (z >= smaller(tree->span, notes->high_z[home])) {
            low = mass; high = 0.0;
        } else {
            tail = tail_of(z);
            low = mass_between(notes->low[home], tail);
            high = mass_between(tail, notes->high[home]);
            scale = mass / (low + high);
            low = low * scale; high = high * scale;
        }
    }
    if (low < tree->drop || high < tree->drop) {
        child = low >= high ? lower : upper;
        note(notes, home, child, mass);
        notes->queue[end] = child;
        return end + 1;
    }
    note(notes, home, lower, low);
    notes->high_z[lower] = z; notes->high[lower] = tail;
    note(notes, home, upper, high);
    notes->low_z[upper] = z; notes->low[upper] = tail;
    notes->queue[end] = first;
    notes->queue[end + 1] = first + 1;
    return end + 2;
}

static int draw_anew(const Tree *tree, int node, double code, Notes *notes, int end)
{
    int at = tree->first_node + node, first = first_child[at], child;
    int stop = first + n_children[at], home = gate_home[at];
    double mass = notes->mass[node], inherited = home == 0 ? 1.0 : notes->low[home];
    double chance = gate_redraw[at], total = 0.0, largest = 0.0, kept = 0.0, own, part, least;
    for (child = first; child < stop; child++) {
        own = inherited * part_of_category(tree, node, child - first, code);
        part = (1.0 - chance) * own + chance * gate_drawn[tree->first_node + child];
        notes->mass[child] = part;
        notes->low[child] = own;
        total += part;
        largest = larger(largest, part);
    }
    least = smaller(tree->drop * total / mass, largest);
    for (child = first; child < stop; child++)
        if (notes->mass[child] >= least) kept += notes->mass[child];
    for (child = first; child < stop; child++) {
        part = notes->mass[child];
        if (part >= least && part > 0.0) {
            notes->mass[child] = mass * (part / kept);
            notes->queue[end++] = child;
        }
    }
    return end;
}

static int share_out(const Tree *tree, int home, int node, Notes *notes, int end)
{
    int at = tree->first_node + node, first = first_child[at], branch;
    double mass = notes->mass[node], part;
    for (branch = 0; branch < n_children[at]; branch++) {
        part = mass * branch_share(tree, node, branch);
        if (part > 0.0) {
            note(notes, home, first + branch, part);
            notes->queue[end++] = first + branch;
        }
    }
    return end;
}

static void answer_by_spreading(const Tree *tree, const double *row, Notes *notes, double *answer)
{
    int front, end = 1, node, at, branch, k;
    const double *response = answers + tree->first_answer;
    double value;
    notes->mass[0] = 1.0;
    notes->low_z[0] = -INFINITY; notes->low[0] = 0.0;
    notes->high_z[0] = INFINITY; notes->high[0] = 0.0;
    notes->queue[0] = 0;
    for (front = 0; front < end; front++) {
        node = notes->queue[front];
        at = tree->first_node + node;
        if (kind[at] == LEAF) continue;
        if (kind[at] != NOMINAL && (tree->shape != NOISE || gate_sd[at] != 0.0)) {
            value = value_of(tree, node, row);
            if (!isnan(value)) {
                end = divide(tree, node, value, notes, end);
                continue;
            }
        } else if (gate_redraw[at] > 0.0 && !isnan(row[feature[at]])) {
            end = draw_anew(tree, node, row[feature[at]], notes, end);
            continue;
        }
        branch = branch_of(tree, node, row);
        if (branch < 0) {
            end = share_out(tree, gate_home[at], node, notes, end);
            continue;
        }
        note(notes, gate_home[at], first_child[at] + branch, notes->mass[node]);
        notes->queue[end++] = first_child[at] + branch;
    }
    for (k = 0; k < tree->n_outputs; k++) answer[k] = 0.0;
    for (front = 0; front < end; front++) {
        node = notes->queue[front];
        if (kind[tree->first_node + node] != LEAF) continue;
        for (k = 0; k < tree->n_outputs; k++)
            answer[k] += notes->mass[node] * response[node * tree->n_outputs + k];
    }
}

/* -- a complete row under noise, as the quick kernel does it ---------------------------- */

#if HAS_BLOCKS

static double distribution(double z)
{
    double distance = smaller(fabs(z), CDF_TOP), rest, value;
    unsigned step = (unsigned)(int)(distance * CDF_STEPS + 0.5);
    const double *part = cdf_table + step * CDF_PARTS;
    int k;
    rest = distance - (double)step / CDF_STEPS;
    value = part[CDF_PARTS - 1];
    for (k = CDF_PARTS - 2; k >= 0; k--) value = value * rest + part[k];
    return 0.5 + copysign(value, z);
}

static double share_below(const Tree *tree, int node, const double *row)
{
    int at = tree->first_node + node;
    double value = value_of(tree, node, row), sd = gate_sd[at];
    if (sd == 0.0) return value <= threshold[at] ? 1.0 : 0.0;
    if (kind[at] == NUMERIC)
        return distribution((threshold[at] - value) * (1.0 / larger(sd, LEAST_SD)));
    return distribution((threshold[at] - value) / sd);
}

static void answer_by_blocks(const Tree *tree, const double *row, Notes *notes, double *answer)
{
    const double *response = answers + tree->first_answer;
    const int *only = only_answer + tree->first_node;
    double *low = notes->low, *high = notes->high, *mass = notes->mass;
    double share, whole, a, b, below_cut, above_cut, scale, middle, part, value;
    int top = 1, n = tree->n_outputs, node, at, home, first, lower, upper, leaf, inner, child, k, both, goes_on;
    for (k = 0; k < n; k++) answer[k] = 0.0;
    notes->queue[0] = 0;
    low[0] = 0.0; high[0] = 1.0; mass[0] = 1.0;
    while (top > 0) {
        node = notes->queue[--top];
        at = tree->first_node + node;
        whole = mass[node];
        if (kind[at] == LEAF) {
            for (k = 0; k < n; k++) {
                value = response[node * n + k];
                if (value != 0.0) answer[k] += whole * value;
            }
            continue;
        }
        share = share_below(tree, node, row);
        home = gate_home[at]; a = low[home]; b = high[home];
        first = first_child[at];
        lower = gate_sd[at] >= 0.0 ? first : first + 1;
        upper = 2 * first + 1 - lower;
        if (only[lower] >= 0 && only[upper] >= 0) {
            below_cut = larger(share - a, 0.0); above_cut = larger(b - share, 0.0);
            scale = whole / (below_cut + above_cut);
            answer[only[lower]] += below_cut * scale * response[lower * n + only[lower]];
            answer[only[upper]] += above_cut * scale * response[upper * n + only[upper]];
            continue;
        }
        if (only[lower] >= 0 || only[upper] >= 0) {
            leaf = only[lower] >= 0 ? lower : upper;
            inner = only[lower] >= 0 ? upper : lower;
            middle = smaller(larger(share, a), b);
            below_cut = middle - a; above_cut = b - middle;
            part = leaf == lower ? above_cut : below_cut;
            part = part * (whole / (below_cut + above_cut));
            goes_on = part >= tree->drop;
            mass[inner] = part;
            low[inner] = leaf == lower ? middle : a;
            high[inner] = leaf == lower ? b : middle;
            answer[only[leaf]] += (whole - (goes_on ? part : 0.0)) * response[leaf * n + only[leaf]];
            if (goes_on) notes->queue[top++] = inner;
            continue;
        }
        below_cut = larger(share - a, 0.0); above_cut = larger(b - share, 0.0);
        scale = whole / (below_cut + above_cut);
        below_cut = below_cut * scale; above_cut = above_cut * scale;
        both = below_cut >= tree->drop && above_cut >= tree->drop;
        mass[lower] = larger(below_cut, both ? 0.0 : whole);
        mass[upper] = larger(above_cut, both ? 0.0 : whole);
        low[lower] = a; high[lower] = both ? smaller(share, b) : b;
        low[upper] = both ? larger(a, share) : a; high[upper] = b;
        for (child = first + 1; child >= first; child--)
            if (both || (child == lower) == (below_cut >= above_cut)) notes->queue[top++] = child;
    }
}

#endif

/* -- all trees -------------------------------------------------------------------------- */

/* The leaf of a row in a hard tree, or -1 if it spreads. */
static int leaf_of(const Tree *tree, const double *row)
{
    int node = 0, branch;
    while (kind[tree->first_node + node] != LEAF) {
        branch = branch_of(tree, node, row);
        if (branch < 0) return -1;
        node = first_child[tree->first_node + node] + branch;
    }
    return node;
}

static int make_notes(Notes *notes)
{
    double *room;
    if (notes->queue) return 0;
    room = malloc(MOST_NODES * (5 * sizeof(double) + sizeof(int)));
    if (!room) return SOFTWOOD_NO_MEMORY;
    notes->mass = room;
    notes->low_z = room + MOST_NODES; notes->low = room + 2 * MOST_NODES;
    notes->high_z = room + 3 * MOST_NODES; notes->high = room + 4 * MOST_NODES;
    notes->queue = (int *)(room + 5 * MOST_NODES);
    return 0;
}

static double logistic(double score)
{
    return score >= 0.0 ? 1.0 / (1.0 + exp(-score)) : exp(score) / (1.0 + exp(score));
}

static void link_scores(const double *raw, double *out)
{
    double most, total = 0.0;
    int k;
    switch (LINK) {
    case 1: /* logistic: two classes of one score */
        out[1] = logistic(SLOPE * raw[0]);
        out[0] = 1.0 - out[1];
        return;
    case 2: /* sigmoid */
        for (k = 0; k < N_RAW; k++) out[k] = logistic(SLOPE * raw[k]);
        return;
    case 3: /* softmax */
        most = SLOPE * raw[0];
        for (k = 1; k < N_RAW; k++) most = larger(most, SLOPE * raw[k]);
        for (k = 0; k < N_RAW; k++) total += out[k] = exp(SLOPE * raw[k] - most);
        for (k = 0; k < N_RAW; k++) out[k] /= total;
        return;
    case 4: /* exponential */
        for (k = 0; k < N_RAW; k++) out[k] = exp(SLOPE * raw[k]);
        return;
    default:
        for (k = 0; k < N_RAW; k++) out[k] = SLOPE * raw[k];
    }
}

/* Values as the trees read them; 1 if one is infinite. */
static int read_row(const double *given, double *row, int *is_complete, double *largest)
{
    int j;
    double value;
    *is_complete = 1; *largest = 0.0;
    for (j = 0; j < SOFTWOOD_N_COLUMNS; j++) {
        value = given[j];
        if (isinf(value)) return SOFTWOOD_INFINITE;
        if (n_categories[j] > 0) {
            if (isnan(value)) value = null_code[j] >= 0 ? null_code[j] : NAN;
            else if (value < 0.0 || value >= n_categories[j]) value = unknown_code[j];
        } else if (HAS_MARK && (float)value == (float)MISSING_MARK) value = NAN;
        if (ZERO > 0.0 && fabs(value) <= ZERO) value = 0.0;
        if (value == 0.0 && zero_is_missing[j]) value = NAN;
        if (HAS_FILL) {
            if (isnan(value)) value = fill[j];
            if (n_categories[j] > 0 && value == UNKNOWN_CODE) value = NAN;
        }
        if (isnan(value)) *is_complete = 0;
        else *largest = larger(*largest, fabs(value));
        row[j] = value;
    }
    return 0;
}

static int raw_scores(const double *given, double *raw)
{
    double row[SOFTWOOD_N_COLUMNS], answer[MOST_OUTPUTS], largest;
    const double *response;
    const Tree *tree;
    Notes notes = {0};
    int t, k, leaf, is_complete, failed = read_row(given, row, &is_complete, &largest);
    if (failed) return failed;
    for (k = 0; k < N_RAW; k++) raw[k] = IS_MEAN ? 0.0 : base[k];
    for (t = 0; t < N_TREES; t++) {
        tree = trees + t;
        leaf = IS_HARD ? leaf_of(tree, row) : -1;
        if (leaf >= 0) {
            response = answers + tree->first_answer + leaf * tree->n_outputs;
        } else {
            if (make_notes(&notes)) return SOFTWOOD_NO_MEMORY;
#if HAS_BLOCKS
            if (is_complete && largest <= tree->most_by_blocks) answer_by_blocks(tree, row, &notes, answer);
            else
#endif
            answer_by_spreading(tree, row, &notes, answer);
            response = answer;
        }
        if (output[t] >= 0) raw[output[t]] += factor[t] * response[0];
        else for (k = 0; k < N_RAW; k++) raw[k] += factor[t] * response[k];
    }
    free(notes.mass);
    if (IS_MEAN) for (k = 0; k < N_RAW; k++) { raw[k] /= divisor[k]; raw[k] += base[k]; }
    return 0;
}

int softwood_predict(const double *row, double *out)
{
    double raw[N_RAW];
    int failed = raw_scores(row, raw);
    if (!failed) link_scores(raw, out);
    return failed;
}

int softwood_predict_class(const double *row)
{
    double raw[N_RAW], out[SOFTWOOD_N_OUTPUTS];
    const double *scores = RULE < 2 ? out : raw;
    int k, best = 0, n = RULE < 2 ? SOFTWOOD_N_OUTPUTS : N_RAW, failed = raw_scores(row, raw);
    if (failed) return -failed;
    link_scores(raw, out);
    if (RULE >= 2 && N_RAW == 1) return RULE == 2 ? raw[0] > 0.0 : raw[0] >= 0.0;
    for (k = 1; k < n; k++) if (scores[k] > scores[best]) best = k;
    if (RULE == 1) for (k = 0; k < best; k++) if (scores[k] >= scores[best] - 1e-9) return k;
    return best;
}

int softwood_category(int column, const char *name)
{
    int k;
    for (k = 0; k < n_categories[column]; k++)
        if (category_names[category_start[column] + k] && !strcmp(category_names[category_start[column] + k], name)) return k;
    return -2;
}
