import hashlib
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from course_lib.tasks.download import fetch, matches

CONTENT = bytes(range(256)) * 997
DIGEST = "sha256:" + hashlib.sha256(CONTENT).hexdigest()


class Server(ThreadingHTTPServer):
    """Serves CONTENT at every path, and remembers where each answer began."""

    def __init__(self, understands_ranges=True, breaks_off_at=None):
        super().__init__(("127.0.0.1", 0), Handler)
        self.understands_ranges, self.breaks_off_at, self.began = understands_ranges, breaks_off_at, []
        self.url = f"http://127.0.0.1:{self.server_port}/data.bin"


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        asked = self.headers.get("Range") if self.server.understands_ranges else None
        begin = int(asked.removeprefix("bytes=").rstrip("-")) if asked else 0
        self.server.began.append(begin)
        if begin >= len(CONTENT):
            self.send_error(416)
            return
        self.send_response(206 if asked else 200)
        self.send_header("Content-Length", str(len(CONTENT) - begin))
        self.end_headers()
        self.wfile.write(CONTENT[begin : self.server.breaks_off_at])

    def log_message(self, *_):
        pass


@pytest.fixture
def serve():
    servers = []

    def start(**options):
        server = Server(**options)
        servers.append(server)
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        return server

    yield start
    for server in servers:
        server.shutdown()
        server.server_close()


def test_a_file_arrives_whole_and_is_fetched_once(serve, tmp_path):
    server = serve()
    for _ in range(2):
        assert fetch(server.url, tmp_path / "new" / "data.bin", DIGEST).read_bytes() == CONTENT
    assert server.began == [0]


def test_the_beginning_of_a_digest_is_enough(serve, tmp_path):
    assert fetch(serve().url, tmp_path / "data.bin", DIGEST[:15]).read_bytes() == CONTENT


def test_a_broken_download_goes_on_where_it_ended(serve, tmp_path):
    with pytest.raises(OSError, match="data.bin"):
        fetch(serve(breaks_off_at=1009).url, tmp_path / "data.bin", DIGEST)
    assert not (tmp_path / "data.bin").exists()
    server = serve()
    assert fetch(server.url, tmp_path / "data.bin", DIGEST).read_bytes() == CONTENT
    assert server.began == [1009]


def test_a_server_without_ranges_sends_it_all_again(serve, tmp_path):
    (tmp_path / "data.bin.part").write_bytes(CONTENT[:13])
    server = serve(understands_ranges=False)
    assert fetch(server.url, tmp_path / "data.bin", DIGEST).read_bytes() == CONTENT


def test_a_part_that_is_whole_already_is_taken(serve, tmp_path):
    (tmp_path / "data.bin.part").write_bytes(CONTENT)
    assert fetch(serve().url, tmp_path / "data.bin", DIGEST).read_bytes() == CONTENT


def test_another_file_than_expected_is_deleted_and_named(serve, tmp_path):
    with pytest.raises(ValueError, match=r"data.bin is not the file it should be \(md5:00ff\): it was deleted"):
        fetch(serve().url, tmp_path / "data.bin", "md5:00ff")
    assert list(tmp_path.iterdir()) == []


def test_a_file_on_disk_that_does_not_match_is_fetched_again(serve, tmp_path):
    (tmp_path / "data.bin").write_bytes(b"something else")
    assert matches(fetch(serve().url, tmp_path / "data.bin", DIGEST), DIGEST)
