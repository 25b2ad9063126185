"""A server on this machine that speaks the chat API and misbehaves as it is told."""

import json
import threading
import time
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


def reply(text: str, finish: str = "stop", tokens: int = 10) -> tuple[int, str]:
    """A well-formed answer."""
    choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": finish}
    return 200, json.dumps({"choices": [choice], "usage": {"total_tokens": tokens}})


@contextmanager
def serving(behaviour):
    """Yield the address and the list of requests; ``behaviour(request, number)`` gives status and body, or ``None`` to hang up."""
    requests = []
    lock = threading.Lock()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            with lock:
                requests.append({**request, "authorization": self.headers.get("Authorization", "")})
                number = len(requests)
            answer = behaviour(request, number)
            if answer is None:
                self.close_connection = True
                return
            status, body = answer
            self.send_response(status)
            if status == 429:
                self.send_header("Retry-After", "0.01")
            self.send_header("Content-Length", str(len(body.encode())))
            self.end_headers()
            self.wfile.write(body.encode())

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1", requests
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def slowly(seconds: float, answer: tuple[int, str]) -> tuple[int, str]:
    time.sleep(seconds)
    return answer
