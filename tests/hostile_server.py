"""A server on this computer that sends what it is told, byte by byte, however wrong; for tests."""

import contextlib
import json
import socket
import struct
import subprocess
import threading


def respond(content, status="200 OK", *headers):
    """Bytes of a whole answer; content is bytes, or becomes JSON."""
    content = content if isinstance(content, bytes) else json.dumps(content).encode()
    head = [f"HTTP/1.1 {status}", f"Content-Length: {len(content)}", *headers]
    return "\r\n".join([*head, "", ""]).encode() + content


def complete(content="Answer: Human", **changes):
    """A chat completion, with changes of its members."""
    choice = {"index": 0, "finish_reason": "stop", "message": {"content": content}}
    usage = {"prompt_tokens": 10, "completion_tokens": 2}
    return {"model": "m-1", "created": 1_700_000_000, "choices": [choice], "usage": usage} | changes


class HostileServer:
    """A server on 127.0.0.1; use it in a `with` statement.

    Parameters
    ----------
    *answers : bytes, "reset", or callable
        What the connections get, in turn, the last one from then on: bytes; the connection is reset once
        the request was read; or what a callable yields, with the request and an event that is set when
        the server stops: bytes to send, "reset", or "wait" for a while.
    context : ssl.SSLContext, optional
        For secure connections.
    early : bool
        Answer before the request is read.

    Attributes
    ----------
    requests : list of bytes
    """

    def __init__(self, *answers, context=None, early=False):
        self.answers, self.context, self.early = list(answers), context, early
        self.requests, self._over = [], threading.Event()

    def __enter__(self):
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._listener.settimeout(0.02)
        self.port = self._listener.getsockname()[1]
        scheme = "http" if self.context is None else "https"
        self.url = f"{scheme}://127.0.0.1:{self.port}/v1"
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *error):
        self._over.set()
        self._thread.join(5)
        self._listener.close()

    def _serve(self):
        while not self._over.is_set():
            with contextlib.suppress(TimeoutError):
                connection, _ = self._listener.accept()
                threading.Thread(target=self._answer, args=(connection,), daemon=True).start()

    def _answer(self, connection):
        # A client that gives up is no fault of the server.
        with contextlib.suppress(OSError), contextlib.closing(connection):
            connection.settimeout(5)
            if self.context is not None:
                connection = self.context.wrap_socket(connection, server_side=True)
            request = b"" if self.early else self._read(connection)
            self.requests.append(request)
            answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
            for piece in answer(request) if callable(answer) else [answer]:
                if self._over.is_set():
                    break
                if piece == "reset":
                    connection.setsockopt(
                        socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0)
                    )
                elif piece == "wait":
                    self._over.wait(0.02)
                else:
                    connection.sendall(piece)
            connection.close()

    @staticmethod
    def _read(connection):
        """Read a request."""
        request = b""
        while b"\r\n\r\n" not in request:
            request += connection.recv(65_536)
        head, _, body = request.partition(b"\r\n\r\n")
        length = int(head.lower().split(b"content-length:")[1].split(b"\r\n")[0])
        while len(body) < length:
            body += connection.recv(65_536)
        return head + b"\r\n\r\n" + body


def drip(before, slowly, after=b""):
    """An answer in which a part comes byte by byte, over and over."""

    def send(request):
        yield before
        while True:
            for byte in slowly:
                yield bytes([byte])
                yield "wait"
            if after:
                break
        yield after

    return send


def flood(before, again):
    """An answer in which a part is repeated without end."""

    def send(request):
        yield before
        while True:
            yield again

    return send


def make_certificates(folder):
    """Make a certificate authority and certificates for 127.0.0.1, good and bad, with `openssl`.

    Returns
    -------
    dict of str to path
        authority, good, expired, other (for another host) and alone (signed by itself); each file of a
        server holds its key too.
    """

    def run(*arguments):
        subprocess.run(["openssl", *map(str, arguments)], check=True, capture_output=True)

    new = ("req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes")
    files = {name: folder / f"{name}.pem" for name in ("good", "expired", "other", "alone")}
    authority, own = folder / "authority.pem", folder / "authority.key"
    run(*new, "-x509", "-days", 1, "-subj", "/CN=tests", "-keyout", own, "-out", authority)
    for name, file in files.items():
        key, request = folder / f"{name}.key", folder / f"{name}.csr"
        place = "DNS:other.example" if name == "other" else "IP:127.0.0.1"
        subject = ("-subj", "/CN=server", "-addext", f"subjectAltName={place}", "-keyout", key)
        if name == "alone":
            run(*new, "-x509", "-days", 1, *subject, "-out", file)
        else:
            run(*new, *subject, "-out", request)
            days = -1 if name == "expired" else 1
            signed = ("x509", "-req", "-in", request, "-CA", authority, "-CAkey", own)
            signed += ("-CAcreateserial", "-copy_extensions", "copy", "-days", days)
            run(*signed, "-out", file)
        file.write_bytes(file.read_bytes() + key.read_bytes())
    return files | {"authority": authority}
