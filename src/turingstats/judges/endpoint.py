"""Post requests to an endpoint with a key: the only way in which machine judges use the network.

The key is sent only to the configured address. Redirects are errors, certificates are verified, the key is
redacted from the server's messages before anyone sees them, and the time and size of an answer are limited.
Each call has a connection of its own, so that no answer is left over for the next.
"""

import base64
import contextlib
import email.utils
import functools
import http.client
import json
import math
import socket
import ssl
import threading
import time
import urllib.parse
import urllib.request

from turingstats.core.errors import InputError
from turingstats.core.strict_json import parse_json
from turingstats.judges.redaction import make_redactor, redact_json

LONGEST_BODY = 64_000_000
"""Maximum number of bytes in an answer; a batch of long vectors has about ten million."""
LONGEST_CONNECT = 10
"""Maximum number of seconds to open a connection."""
TOLD = 500
"""Maximum number of characters of a server's message to repeat."""
RETRIED = (408, 409, 425, 429)
"""HTTP statuses after which a request is retried, in addition to those of 500 and above."""


class Failed(Exception):
    """A call that failed temporarily and may be retried.

    Parameters
    ----------
    what : str
    wait : float, optional
        Seconds that the server asked to wait.
    everyone : bool
        The wait applies to all calls.
    billed : bool
        The call may have been billed.
    status : int, optional
        HTTP status, if there was one.
    """

    def __init__(self, what, wait=None, everyone=False, billed=False, status=None):
        super().__init__(what)
        self.wait, self.everyone, self.billed, self.status = wait, everyone, billed, status


class Refused(Exception):
    """A call that would fail again.

    Parameters
    ----------
    what : str
        A complete message if there is no `status`.
    status : int, optional
        HTTP status of an answer that rejects the request or the key.
    error : dict
        The member `error` of the answer; if it has none, its text under `message`.
    """

    def __init__(self, what, status=None, error=None):
        super().__init__(what)
        self.status, self.error = status, error or {}


class Overdue(Exception):
    """The server asks to wait longer than is worthwhile.

    Parameters
    ----------
    failure : Failed
    """

    def __init__(self, failure):
        super().__init__(f"asks to wait {failure.wait:.0f} seconds ({failure})")


def retry_call(call, attempts, pauses, wait, patience):
    """Make a call until it succeeds.

    Parameters
    ----------
    call : callable
        Takes no arguments; raises `Failed` if it may be retried.
    attempts : int
    pauses : tuple of float
        Seconds before the second attempt, doubled before each further one, and their maximum.
    wait : callable
        Called with the seconds to wait and the failure.
    patience : float
        Longest wait that a server may ask for.

    Returns
    -------
    object
        What `call` returns.

    Raises
    ------
    Failed
        The last attempt failed.
    Overdue
    """
    first, longest = pauses
    for attempt in range(attempts):
        try:
            return call()
        except Failed as failure:
            if failure.wait is not None and failure.wait > patience:
                raise Overdue(failure) from None
            if attempt + 1 == attempts:
                raise
            wait(max(min(first * 2**attempt, longest), failure.wait or 0), failure)


class Transport:
    """Post JSON to one address and read JSON; several threads may do so at the same time.

    Parameters
    ----------
    url : str
    key : str
        Sent as bearer token unless empty.
    setting : str
        Key of the configuration that the address comes from, for messages.
    timeout : float
        Maximum seconds of a call, from its start to the end of the answer.
    """

    def __init__(self, url, key, setting, timeout):
        self.url, self.key, self.setting, self.timeout = url, key.strip(), setting, timeout
        self.redact = make_redactor(self.key)

    def post(self, body):
        """Make one call.

        Parameters
        ----------
        body : dict

        Returns
        -------
        object
            The answer's JSON, with the key redacted.

        Raises
        ------
        Failed, Refused
        """
        # Asked for as it is, an answer cannot expand to more than its size.
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        headers |= {"Accept-Encoding": "identity", "Connection": "close"}
        if self.key:
            if not (self.key.isascii() and self.key.isprintable()):
                # Checked here, since the library's message would repeat the key.
                raise Refused(
                    "the key contains characters that are not allowed in a header; copy it again"
                )
            headers["Authorization"] = f"Bearer {self.key}"
        response, content = self._send_request(json.dumps(body).encode(), headers)
        status = response.status
        if 300 <= status < 400:
            where = self.redact(response.headers.get("Location") or "nowhere")[:TOLD]
            raise Refused(
                f"{self.url} answers with a redirect (status {status}) to {where}. It is not followed, "
                f"since the key would be sent there; if that address is right, set {self.setting} to it"
            )
        try:
            reply = redact_json(parse_json(content, self.url), self.redact)
        except InputError as error:
            if 200 <= status < 300:
                told = self.redact(error.problem)
                raise Failed(f"an answer that is not JSON ({told})", billed=True) from None
            reply = None
        if 200 <= status < 300:
            return reply
        if status in RETRIED or status >= 500:
            wait = parse_retry_after(response.headers.get("Retry-After"))
            everyone = status == 429 or wait is not None
            raise Failed(f"status {status}", wait, everyone, status=status)
        error = reply.get("error") if isinstance(reply, dict) else None
        error = error if isinstance(error, dict) else {"message": error}
        # Truncate only after redacting: half a key is still a secret.
        told = error.get("message") or self.redact(content.decode(errors="replace"))
        error = error | {"message": str(told)[:TOLD]}
        raise Refused(f"status {status}", status, error)

    def _send_request(self, body, headers):
        """Send a request; return the response and its body."""
        deadline = time.monotonic() + self.timeout
        connection, target, proxy_headers = self._choose_connection()
        with contextlib.closing(connection), cut_off_at(deadline, connection) as watch:
            try:
                connection.connect()
            except ssl.SSLCertVerificationError as error:
                raise Refused(f"{self.url}: {self.redact(error)[:TOLD]}") from None
            except (http.client.HTTPException, OSError, ValueError) as error:
                why = self.redact(getattr(error, "strerror", None) or type(error).__name__)
                raise Failed(f"no connection ({why[:TOLD]})") from None
            try:
                watch(connection.sock)
                connection.request("POST", target, body=body, headers=headers | proxy_headers)
                response = connection.getresponse()
                content = read_body(response, deadline)
            except (http.client.HTTPException, OSError, ValueError) as error:
                # Invalid lengths, status lines and headers raise many types of errors.
                problem = f"the connection broke off ({type(error).__name__})"
                if time.monotonic() >= deadline:
                    problem = f"no whole answer within {self.timeout:g} s"
                raise Failed(problem, billed=True) from None
        return response, content

    def _choose_connection(self):
        """Return a connection that is not yet open, what to request from it, and headers for a proxy."""
        try:
            parts = urllib.parse.urlsplit(self.url)
            secure, port = parts.scheme == "https", parts.port
            default = http.client.HTTPS_PORT if secure else http.client.HTTP_PORT
            host, port = parts.hostname, port or default
            if parts.scheme not in ("http", "https") or not host:
                raise ValueError("not an address")
            host.encode("idna")
        except ValueError as error:
            raise Refused(f"{self.setting} cannot be used: {self.redact(error)}") from None
        target = urllib.parse.quote(parts.path, safe="/%:@!$&'()*+,;=~") or "/"
        proxy, proxy_headers = find_proxy(parts.scheme, host)
        soon = min(self.timeout, LONGEST_CONNECT)
        make = functools.partial(http.client.HTTPConnection, timeout=soon)
        if secure:
            make = functools.partial(
                http.client.HTTPSConnection, timeout=soon, context=self._trusted
            )
        if proxy is None:
            return make(host, port), target, {}
        if secure:
            connection = make(*proxy)
            connection.set_tunnel(host, port, proxy_headers)
            return connection, target, {}
        where = f"[{host}]" if ":" in host else host
        return make(*proxy), f"http://{where}:{port}{target}", proxy_headers

    @functools.cached_property
    def _trusted(self):
        """Rules of secure connections: certificates of the system, which are verified."""
        return ssl.create_default_context()


@contextlib.contextmanager
def cut_off_at(deadline, connection):
    """Shut a connection down at a time, whatever it is waiting for.

    The timeout of a socket starts again with every byte, so a server could go on forever.

    Parameters
    ----------
    deadline : float
        On the clock of `time.monotonic`.
    connection : http.client.HTTPConnection

    Yields
    ------
    callable
        To be called with the socket of the open connection, which may drop it before the answer ends.
    """
    sockets, over = [], threading.Event()

    def cut_off():
        left = deadline - time.monotonic()
        # Again and again, since the connection may have been in the making.
        while not over.wait(max(0.0, left)):
            for one in (connection.sock, *sockets):
                if one is not None:
                    with contextlib.suppress(OSError):
                        # Not the method of secure sockets, which is not safe beside a reading thread.
                        socket.socket.shutdown(one, socket.SHUT_RDWR)
            left = 0.1

    def watch(one):
        sockets.append(one)
        if (left := deadline - time.monotonic()) <= 0:
            raise TimeoutError
        one.settimeout(left)

    threading.Thread(target=cut_off, daemon=True).start()
    try:
        yield watch
    finally:
        over.set()


def read_body(response, deadline):
    """Read the body of a response, which must be as long as announced.

    Parameters
    ----------
    response : http.client.HTTPResponse
    deadline : float
        On the clock of `time.monotonic`.

    Returns
    -------
    bytes

    Raises
    ------
    Failed
        The body is too long, not as long as announced, or compressed.
    TimeoutError
    """
    encoding = response.headers.get("Content-Encoding", "identity")
    if encoding.strip().lower() not in ("", "identity"):
        raise Failed("a compressed answer, which was not asked for", billed=True)
    lengths = {length.strip() for length in response.headers.get_all("Content-Length", [])}
    if len(lengths) > 1 or not all(length.isascii() and length.isdigit() for length in lengths):
        raise Failed("an answer of unclear length", billed=True)
    content = bytearray()
    while piece := response.read1(65_536):
        content += piece
        if len(content) > LONGEST_BODY:
            raise Failed(f"an answer of more than {LONGEST_BODY:,} bytes", billed=True)
    # A connection that is cut off looks like the end of a body of unknown length.
    if time.monotonic() >= deadline:
        raise TimeoutError
    if response.length:
        raise Failed("an answer that ends early", billed=True)
    return bytes(content)


def find_proxy(scheme, host):
    """Find the proxy that the environment names for an address.

    Parameters
    ----------
    scheme : {"http", "https"}
    host : str

    Returns
    -------
    tuple of (str, int), or None
        Host and port of the proxy.
    dict
        Headers that the proxy needs.

    Raises
    ------
    Refused
        The environment's address of a proxy cannot be used.
    """
    address = urllib.request.getproxies().get(scheme)
    if not address or urllib.request.proxy_bypass(host):
        return None, {}
    try:
        parts = urllib.parse.urlsplit(address if "://" in address else f"http://{address}")
        place = parts.hostname, parts.port or http.client.HTTP_PORT
    except ValueError:
        place = None, None
    # The address is not shown, since it may hold a password.
    if place[0] is None or parts.scheme != "http":
        raise Refused(f"the proxy in ${scheme}_proxy is not an address http://host:port")
    if parts.username is None:
        return place, {}
    names = (urllib.parse.unquote(part or "") for part in (parts.username, parts.password))
    token = base64.b64encode(":".join(names).encode()).decode()
    return place, {"Proxy-Authorization": f"Basic {token}"}


def parse_retry_after(header):
    """Parse a Retry-After header to seconds, or None.

    Parameters
    ----------
    header : str or None
        A number of seconds, or a date.
    """
    if header is None:
        return None
    try:
        seconds = float(header)
    except ValueError:
        try:
            seconds = email.utils.parsedate_to_datetime(header).timestamp() - time.time()
        except (TypeError, ValueError, OverflowError, OSError):
            return None
    return max(0.0, seconds) if math.isfinite(seconds) else None


def describe_wrong_part(error):
    """Describe the first fault of an answer, without what was found there.

    Parameters
    ----------
    error : pydantic.ValidationError

    Returns
    -------
    str
    """
    fault = error.errors(include_input=False, include_url=False)[0]
    where = ".".join(map(str, fault["loc"]))
    return f"{where}: {fault['msg']}" if where else fault["msg"]
