from stages.page.table import Table, escape, latex, markdown

GRID = Table("R@1 & more.", [("", "Set"), ("", "Model"), ("R@1", "SC"), ("R@1", "UC")], [["a|b", "RN50_x", "1.0 ± 0.2", "–"]])


def test_markdown_keeps_its_columns():
    assert markdown(GRID).splitlines()[2:] == [
        "| Set | Model | R@1 SC | R@1 UC |",
        "| --- | --- | ---: | ---: |",
        r"| a\|b | RN50_x | 1.0 ± 0.2 | – |",
    ]


def test_names_are_no_markup():
    """Names of sets, models and suites come from data and parameters."""
    row = ["<b>x</b>", "a|b`c` *d* [e](f)", "g\nh & i", "central_pairs"]
    shown = markdown(Table("<i>&", GRID.head, [row]))
    assert shown.splitlines()[0] == "**&lt;i&gt;&amp;**"
    assert shown.splitlines()[-1] == r"| &lt;b&gt;x&lt;/b&gt; | a\|b\`c\` \*d\* \[e\](f) | g h &amp; i | central_pairs |"


def test_latex_joins_heads_and_escapes():
    text = latex(GRID)
    assert r"& & \multicolumn{2}{c}{R@1} \\" in text and r"\cmidrule(lr){3-4}" in text
    assert r"a|b & RN50\_x & 1.0 $\pm$ 0.2 & -- \\" in text
    assert text.count(r"\begin{") == text.count(r"\end{") == 2


def test_latex_escapes_every_special_sign():
    assert escape(r"50 % of $x_1 \ {a}") == r"50 \% of \$x\_1 \textbackslash{} \{a\}"
