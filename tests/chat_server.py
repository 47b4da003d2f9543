"""A chat endpoint on this computer, for tests: it judges by a rule, and misbehaves on demand.

To try language models as judges without a provider:

    python tests/chat_server.py [PORT]
"""

import json
import re
import sys
import threading
import time
import zlib
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


def verdict(text):
    """The rule that the models here judge by: a fixed coin for each text."""
    return "Human" if zlib.crc32(text.encode()) % 2 else "AI-generated"


def answer_to(prompt):
    """An answer in the form that a prompt of config/prompts asks for."""
    if "agent A and agent B" in prompt:
        return f"A: {verdict(prompt)}\nB: {verdict(prompt[::-1])}".replace("-generated", "")
    if "following an indicator word" in prompt:
        return f"Answer: {verdict(prompt)}\nIt looks like it."
    # What follows the last heading is the list to judge; an example comes before.
    listed = re.split(r"\n(?:Captions|Associated Words|Estimations|Detections):\n", prompt)[-1]
    items = re.findall(r"^\d+\. (.*)$", listed, re.MULTILINE)
    pairs = [f"{n}. {verdict(item)}: it reads so." for n, item in enumerate(items, start=1)]
    return "\n".join(
        [*pairs, "", "**Summary of Classifications**", *(f"- {verdict(item)}" for item in items)]
    )


class ChatServer:
    """An OpenAI-compatible endpoint on 127.0.0.1; use it in a `with` statement.

    `faults` happen to the first requests, in turn, and `always` to all after them: None (answered well),
    "cut" (the connection breaks off), "half" (it breaks off within the body), "garbage" (no JSON),
    "shapeless" (JSON that is no completion), "hang" (no byte for `patience` seconds), "drip", "huge" and
    "zip" (a body that comes slowly, has no end, or says that it is compressed), an int (that HTTP status,
    to be retried at once), a dict (status, headers, body), or "say:" and a text (that answer).
    `requests` are (headers, body) of all requests, and `most` is how many were under way at a time.
    """

    def __init__(self, faults=(), always=None, usage=True, patience=3.0, port=0):
        self.faults, self.always = list(faults), always
        self.usage, self.patience, self.port = usage, patience, port
        self.requests, self.most, self._under_way = [], 0, 0
        self._lock = threading.Lock()
        self._over = threading.Event()

    def __enter__(self):
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            timeout = 30

            def do_POST(self):
                outer.serve(self)

            def log_message(self, *arguments):
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", self.port), Handler)
        self._server.daemon_threads = True
        self._server.block_on_close = False
        # A client that is cut off or gives up is no fault of the server.
        self._server.handle_error = lambda *arguments: None
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}/v1"
        return self

    def __exit__(self, *error):
        self._over.set()
        self._server.shutdown()
        self._server.server_close()

    def serve(self, handler):
        """Answer one request, or fail to."""
        body = json.loads(handler.rfile.read(int(handler.headers["Content-Length"])))
        with self._lock:
            self.requests.append((handler.headers, body))
            fault = self.faults.pop(0) if self.faults else self.always
            self._under_way += 1
            self.most = max(self.most, self._under_way)
        try:
            self._reply(handler, body, fault)
        finally:
            with self._lock:
                self._under_way -= 1

    def _reply(self, handler, body, fault):
        if handler.path != "/v1/chat/completions":
            fault = 404
        if fault == "cut":
            handler.close_connection = True
            handler.connection.close()
            return
        if fault == "hang":
            self._over.wait(self.patience)
            handler.close_connection = True
            return
        if fault in ("drip", "huge", "zip"):
            self._send_without_end(handler, fault)
            return
        if isinstance(fault, int):
            told = {"error": {"message": f"status {fault}"}}
            fault = {"status": fault, "headers": {"Retry-After-Ms": "1"}, "body": told}
        if isinstance(fault, dict):
            self._send(handler, fault["status"], fault.get("body", {}), fault.get("headers", {}))
        elif fault == "shapeless":
            self._send(handler, 200, {"choices": []})
        else:
            text = fault[4:] if str(fault).startswith("say:") else None
            reply = self.completion(body, text)
            if fault == "garbage":
                reply = "<html>not today</html>"
            self._send(handler, 200, reply, cut=fault == "half")

    def _send_without_end(self, handler, fault):
        handler.close_connection = True
        handler.send_response(200)
        if fault == "zip":
            handler.send_header("Content-Encoding", "gzip")
        handler.end_headers()
        for _ in range(10_000):
            if self._over.wait(0.01 if fault == "drip" else 0):
                return
            handler.wfile.write(b" " * (1000 if fault == "huge" else 1))

    def completion(self, body, text=None):
        first = body["messages"][0]["content"]
        if not isinstance(first, str):
            first = first[-1]["text"]
        text = answer_to(first) if text is None else text
        choice = {"index": 0, "finish_reason": "stop"}
        choice["message"] = {"role": "assistant", "content": text}
        reply = {"id": "x", "object": "chat.completion", "created": 1_700_000_000}
        reply |= {"model": f"{body['model']}-2024-11-20", "choices": [choice]}
        if self.usage:
            reply["usage"] = {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120}
        return reply

    def _send(self, handler, status, body, headers=None, cut=False):
        content = (body if isinstance(body, str) else json.dumps(body)).encode()
        handler.send_response(status)
        for name, value in (headers or {}).items():
            handler.send_header(name, value)
        handler.send_header("Content-Type", "application/json")
        handler.send_header("Content-Length", str(len(content)))
        handler.end_headers()
        if cut:
            handler.wfile.write(content[: len(content) // 2])
            handler.close_connection = True
        else:
            handler.wfile.write(content)


if __name__ == "__main__":
    with ChatServer(port=int(sys.argv[1]) if len(sys.argv) > 1 else 8765) as server:
        print(f"{server.url} judges by a coin for an hour; Ctrl-C stops it", flush=True)
        time.sleep(3600)
