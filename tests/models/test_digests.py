"""Cached results are named after their content."""

from stages.models.digests import digest_of_code


def test_code_is_what_it_does_and_not_how_it_is_laid_out(tmp_path):
    texts = [
        '"""A."""\ndef f(x):\n    """B."""\n    return x + 1\n',
        "def f(x):  # c\n\n    return (x + 1)\n",
        "def f(x):\n    return x + 2\n",
    ]
    paths = [tmp_path / f"{i}.py" for i in range(3)]
    for path, text in zip(paths, texts, strict=True):
        path.write_text(text)
    one, same, other = map(digest_of_code, paths)
    assert one == same != other
