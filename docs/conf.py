"""How the pages are built: ``make docs``."""

import sys
import warnings
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "docs" / "_ext")]

import softwood

project = "softwood"
copyright = "the softwood developers"
author = "The softwood developers"
version = release = softwood.__version__

extensions = [
    "myst_parser",
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx_copybutton",
    "sphinx_gallery.gen_gallery",
    "borrowed",
    "elsewhere",
    "rooms",
]
source_suffix = {".rst": "restructuredtext", ".md": "markdown"}
exclude_patterns = ["_build", "_ext", "sg_execution_times.rst", "gallery/sg_execution_times.rst"]
templates_path = ["_templates"]

# Pages are Markdown as GitHub reads it; what only Sphinx knows is in eval-rst and toctree blocks.
myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 3
myst_fence_as_directive = ["mermaid"]

autosummary_generate = True
autodoc_typehints = "none"  # docstrings say what things are, in words
numpydoc_show_class_members = False  # the template of a class lists them
numpydoc_xref_param_type = False

copybutton_prompt_text = r">>> |\.\.\. "
copybutton_prompt_is_regexp = True

sphinx_gallery_conf = {
    "examples_dirs": "../examples",
    "gallery_dirs": "gallery",
    "capture_repr": ("_repr_html_",),
    "filename_pattern": r"\.py$",
    "copyfile_regex": r".*\.html",
    "within_subsection_order": "FileNameSortKey",
    "download_all_examples": False,
    "remove_config_comments": True,
    "show_signature": False,
    "abort_on_example_error": True,
    "image_srcset": ["2x"],
    "backreferences_dir": "gallery/backreferences",
    "doc_module": ("softwood",),
    "reference_url": {"softwood": None},
}
warnings.filterwarnings("ignore", message="FigureCanvasAgg is non-interactive")

LOGO = "_static/softwood.svg"
html_theme = "pydata_sphinx_theme"
html_title = "softwood"
html_static_path = ["_static"]
html_css_files = ["softwood.css"]
html_favicon = LOGO
html_show_sourcelink = False
html_copy_source = False
html_theme_options = {
    "logo": {
        "text": "softwood",
        "image_light": "_static/softwood.svg",
        "image_dark": "_static/softwood.svg",
    },
    "github_url": "https://github.com/softwood-trees/softwood",
    "show_prev_next": True,
    "navigation_depth": 2,
    "header_links_before_dropdown": 6,
    "footer_start": ["copyright"],
    "footer_end": [],
    "secondary_sidebar_items": ["page-toc"],
    "pygments_light_style": "friendly",
    "pygments_dark_style": "monokai",
}
html_sidebars = {"index": [], "changelog": [], "which-model": [], "tutorial": []}
