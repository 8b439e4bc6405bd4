"""What is made of models of hostile tables: pages, exports, sets, reasons; and odd options."""

import json
from pathlib import Path

from tests.fuzz import texts
from tests.fuzz.answers import expect
from tests.fuzz.hostile import choose
from tests.fuzz.texts import draw_bytes, run

prepare = texts.prepare
MODELS = (*texts.MODELS, "vr-tree", "soft-perturb", "oblique")
SCRIPT = "<script>hostile()</script>"
NAMES = (
    *(SCRIPT, '"], x); DROP TABLE rows; --', "*/ system(0); /*", "a\\", "'''", "class"),
    *("\u2028", "x;y", "%s%n", "{0}", "__import__('os')"),
)
ODD = ("", "-1", "0", "1e9", "nan", "x", "../x", "1.5", "999999999999", "\u202e")


def case(rng, folder):
    """Fit a model to an odd table, and have something made of it."""
    content, target = _draw_table(rng)
    Path("odd.csv").write_bytes(content)
    words = ["fit", "odd.csv", "--model", choose(rng, *MODELS), "--folds", choose(rng, "0", "2")]
    words += ["--target", target, "-o", "odd.softwood", "--seed", str(rng.integers(5))]
    if rng.random() < 0.3:
        words += ["--report", "report.html"]
    for name in ("odd.softwood", "report.html", "made"):
        Path(name).unlink(missing_ok=True)
    told = run(words, content)
    if told.endswith("refused"):
        expect(not Path("odd.softwood").exists(), "a model was left by a fit that failed")
        return told
    _look_at("report.html", "html")
    return _made(rng, content)


def _made(rng, content):
    kind = choose(rng, "view", "c", "python", "json", "sql", "info", "soften", "predict", "explain")
    words = {
        "view": ["view", "odd.softwood", *choose(rng, [], ["odd.csv"]), "-o", "made"],
        "info": ["info", "odd.softwood"],
        "soften": ["soften", "odd.softwood", "odd.csv", "-o", "made", "--folds", "0"],
        "predict": ["predict", "odd.softwood", "odd.csv", *_wanted(rng)],
        "explain": ["explain", "odd.softwood", "odd.csv", *choose(rng, [], ["--why-not"])],
    }.get(kind) or ["export", "odd.softwood", "--to", kind, "-o", "made"]
    if rng.random() < 0.2:  # an option that makes no sense
        option = choose(rng, "--alpha", "--row", "--max-rows", "--target", "--folds", "--na")
        words += [option, choose(rng, *ODD)]
    told = run(words, content)
    if told.endswith("done"):
        _look_at("made", "html" if kind == "view" else kind)
    return told.replace("export", f"export {kind}")


def _wanted(rng):
    return choose(
        rng, ["--proba"], ["--set"], ["--interval"], ["--reject"], ["--explain"], ["--score"]
    )


def _look_at(name, kind):
    """Read what was made as its readers do."""
    path = Path(name)
    if not path.exists() or kind not in ("html", "python", "json"):
        return
    text = path.read_text(encoding="utf-8")
    if kind == "html":
        expect(SCRIPT not in text, "a script of the table's is in the page")
    elif kind == "python":
        compile(text, name, "exec")
    else:
        json.loads(text)


def _draw_table(rng):
    """Return a file, of any table or one that can be learnt, of hostile names; and the target."""
    if rng.random() < 0.2:
        return draw_bytes(rng), choose(rng, "y", "kind")
    n_rows = choose(rng, 6, 30, 60)
    names = [choose(rng, *NAMES, "size", "kind") + str(k) for k in range(3)]
    kinds = [choose(rng, *NAMES, "a", "b") for _ in range(3)]
    classes = [choose(rng, *NAMES, "yes"), "no"] if rng.random() < 0.8 else ["1.5", "2.25", "7"]
    size = rng.normal(size=n_rows)
    columns = [
        [f"{value:.2f}" for value in size],
        [kinds[int(k)] for k in rng.integers(0, 3, n_rows)],
        [classes[int(k)] for k in (size > 0) * rng.integers(1, len(classes), n_rows)],
    ]
    lines = [names, *map(list, zip(*columns, strict=True))]
    text = "\n".join(",".join(_quoted(field) for field in line) for line in lines)
    return text.encode(), names[-1].strip()


def _quoted(field):
    return '"' + str(field).replace('"', '""') + '"'
