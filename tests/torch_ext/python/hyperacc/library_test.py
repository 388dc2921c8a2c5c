import json

import pytest
from hyperacc import library

ANSWERS = """static char text[] = "%s";
void hyperacc_free(char* document) {}
int hyperacc_abi(void) { return %d; }
"""
FUNCTION = "char* hyperacc_%s(const char* request) { return text; }"


def double(text='{\\"error\\": \\"no such thing\\", \\"kind\\": \\"failure\\"}', abi=library.ABI):
    functions = "\n".join(FUNCTION % name for name in ("features", "explain", "status"))
    return ANSWERS % (text, abi) + functions


ASK = """
from hyperacc import library
try:
    library.explain()
except library.LibraryError as error:
    print(error)
"""


def test_it_is_found_from_the_package(prefix):
    assert library.path().startswith(str(prefix))
    assert library.path().endswith("/hyperacc/libhyperacc.so")


def test_the_documents_are_dicts():
    assert [row["name"] for row in library.features()["features"]][:2] == ["voxel", "deform_agg"]
    document = library.explain(environment={"HA_USE_ROPE": "1"}, platform="dcu")
    assert document["platform"]["name"] == "dcu"
    (rope,) = [row for row in document["features"] if row["name"] == "rope"]
    assert (rope["on"], rope["origin"]) == (True, "HA_USE_ROPE=1")
    assert library.status()["version"] == document["version"]


def test_the_library_s_own_error_is_raised():
    with pytest.raises(library.LibraryError, match="unknown platform 'nvida'"):
        library.explain(platform="nvida")


@pytest.mark.parametrize(
    "what, expected",
    [
        ({}, "cannot load {path}: {path}: cannot open shared object file"),
        ({"library_bytes": b"no library"}, "cannot load {path}: {path}: file too short"),
        ({"library_source": "int other;"}, "cannot load {path}: "),
        ({"library_source": double(abi=library.ABI + 1)}, "{path} has ABI 2, this package needs 1"),
        ({"library_source": double("no JSON")}, "hyperacc_explain of {path} answered no JSON"),
        ({"library_source": double()}, "no such thing"),
    ],
    ids=["missing", "no library", "no symbols", "other ABI", "no JSON", "error"],
)
def test_a_broken_library_is_one_error(python, installation, what, expected):
    folder = installation(**what)
    answer = python(ASK, folder=folder)
    assert answer.stderr == ""
    path = folder.parent / "libhyperacc.so"
    assert answer.stdout.startswith(expected.format(path=path)), answer.stdout


def test_many_calls_do_not_grow_the_process(python):
    # Guards a lost document pointer: with c_char_p ctypes frees nothing.
    code = """
from hyperacc import library

def resident():
    return int(open("/proc/self/statm").read().split()[1]) * 4  # KiB

library.features()
before = resident()
for _ in range(2000):
    library.features()
print(resident() - before)
"""
    assert int(python(code).stdout) < 2000  # KiB; 2000 documents are more than 6 MB


def test_features_are_json_all_the_way(python):
    code = "import json\nfrom hyperacc import library\nprint(json.dumps(library.features()))"
    answer = python(code)
    assert json.loads(answer.stdout) == library.features()
