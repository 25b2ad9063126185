"""A local server that speaks the chat API and misbehaves on demand."""

import json
import threading
import time
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


def reply(text: str, finish: str = "stop", tokens: int = 10) -> tuple[int, str]:
    """Return a well-formed answer."""
    choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": finish}
    return 200, json.dumps({"choices": [choice], "usage": {"total_tokens": tokens}})


@contextmanager
def serving(behaviour):
    """Yield the address and the list of requests. ``behaviour(request, number)`` returns a status, a body and optional headers, or
    a function that writes anything to the socket, or ``None`` to hang up."""
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
            with suppress(BrokenPipeError, ConnectionResetError):
                if callable(answer):
                    self.close_connection = True
                    answer(self.wfile)
                else:
                    self.send(*answer)

        def send(self, status, body, headers=None):
            body = body.encode() if isinstance(body, str) else body
            self.send_response(status)
            for name, value in (({"Retry-After": "0.01"} if status == 429 else {}) | (headers or {})).items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

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


def dripping(head: bytes, drop: bytes):
    """Return an answer that begins with ``head`` and continues drop by drop while the client listens, for 20 seconds at most."""

    def write(socket):
        socket.write(head)
        for _ in range(200):
            socket.write(drop)
            socket.flush()
            time.sleep(0.1)

    return write


def slowly(seconds: float, answer: tuple[int, str]) -> tuple[int, str]:
    time.sleep(seconds)
    return answer
