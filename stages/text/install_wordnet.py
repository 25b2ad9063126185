"""Install WordNet into ``.nltk_data``: ``python -m stages.text.install_wordnet``.

With NLTK's own downloader or, where only Debian's packages can be reached, from ``wordnet-base`` and ``wordnet-sense-index``.
"""

import shutil
import subprocess
import tempfile
from pathlib import Path

from stages.contract.errors import CrepeError, run
from stages.contract.files import complete
from stages.text.wordnet import FOLDER, wordnet

# The lexicographer files in the order of their numbers, with NLTK's number for the part of speech. Debian documents them in a
# manual page, lexnames(5WN), and ships no such file.
PARTS_OF_SPEECH = {"noun": 1, "verb": 2, "adj": 3, "adv": 4}
LEXNAMES = """
    adj.all adj.pert adv.all noun.Tops noun.act noun.animal noun.artifact noun.attribute noun.body noun.cognition
    noun.communication noun.event noun.feeling noun.food noun.group noun.location noun.motive noun.object noun.person
    noun.phenomenon noun.plant noun.possession noun.process noun.quantity noun.relation noun.shape noun.state noun.substance
    noun.time verb.body verb.change verb.cognition verb.communication verb.competition verb.consumption verb.contact
    verb.creation verb.emotion verb.motion verb.perception verb.possession verb.social verb.stative verb.weather adj.ppl
""".split()  # noqa: SIM905


def install() -> None:
    """Install WordNet into ``.nltk_data``, unless it is installed already.

    Raises:
        CrepeError: neither NLTK's server nor Debian's packages could be reached.
    """
    import nltk

    try:
        wordnet()
    except CrepeError:
        if not nltk.download("wordnet", download_dir=str(FOLDER), quiet=True):
            _install_from_debian()
    wordnet()


def _install_from_debian() -> None:
    if shutil.which("apt-get") is None:
        raise CrepeError("WordNet could not be downloaded. Remedy: nltk.download('wordnet') on a machine with internet access.")
    with tempfile.TemporaryDirectory() as folder:
        # apt downloads as another user, who must be able to write here.
        Path(folder).chmod(0o777)
        for package in ("wordnet-base", "wordnet-sense-index"):
            subprocess.run(["apt-get", "download", "-qq", package], cwd=folder, check=True)
        for archive in sorted(Path(folder).glob("*.deb")):
            subprocess.run(["dpkg", "-x", archive.name, "."], cwd=folder, check=True)
        with complete(FOLDER / "corpora" / "wordnet", folder=True) as target:
            shutil.copytree(Path(folder) / "usr" / "share" / "wordnet", target, dirs_exist_ok=True)
            lines = (f"{i:02d}\t{name}\t{PARTS_OF_SPEECH[name.split('.')[0]]}" for i, name in enumerate(LEXNAMES))
            (target / "lexnames").write_text("\n".join(lines) + "\n", encoding="ascii")


if __name__ == "__main__":
    run(install)
