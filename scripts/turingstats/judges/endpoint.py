"""Post requests to an endpoint with a key: the only way in which machine judges use the network.

The key is sent only to the configured address. Redirects are errors, certificates are verified, the key is
redacted from the server's messages before anyone sees them, and the time and size of an answer are limited.
"""

import email.utils
import http.client
import json
import math
import threading
import time
import urllib.request

import urllib3

from turingstats.core.errors import InputError
from turingstats.core.strict_json import parse_json

LONGEST_BODY = 64_000_000
"""Maximum number of bytes in an answer; a batch of long vectors has about ten million."""
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
    connections : int
        Maximum number of simultaneous calls.
    """

    def __init__(self, url, key, setting, timeout, connections=1):
        self.url, self.key, self.setting = url, key.strip(), setting
        self.timeout, self.connections = timeout, connections
        self._pool = None
        self._lock = threading.Lock()

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
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
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
            where = self.redact_key(response.headers.get("Location") or "nowhere")[:TOLD]
            raise Refused(
                f"{self.url} answers with a redirect (status {status}) to {where}. It is not followed, "
                f"since the key would be sent there; if that address is right, set {self.setting} to it"
            )
        try:
            reply = self.redact_json(parse_json(content, self.url))
        except (InputError, RecursionError):
            if 200 <= status < 300:
                raise Failed("an answer that is not JSON", billed=True) from None
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
        told = error.get("message") or self.redact_key(content.decode(errors="replace"))
        error = error | {"message": str(told)[:TOLD]}
        raise Refused(f"status {status}", status, error)

    def _send_request(self, body, headers):
        """Send a request; return the response and its body."""

        deadline = time.monotonic() + self.timeout
        try:
            response = self._open_connections().request(
                "POST",
                self.url,
                body=body,
                headers=headers,
                timeout=urllib3.Timeout(connect=min(self.timeout, 10), read=self.timeout),
                preload_content=False,
                # Following a redirect would send the key elsewhere.
                redirect=False,
            )
            content = bytearray()
            # A socket's timeout restarts with each byte; this deadline does not.
            while piece := response.read1(65_536):
                content += piece
                problem = None
                if time.monotonic() > deadline:
                    problem = f"no whole answer within {self.timeout:g} s"
                elif len(content) > LONGEST_BODY:
                    problem = f"an answer of more than {LONGEST_BODY:,} bytes"
                if problem:
                    response.close()
                    raise Failed(problem, billed=True)
            response.release_conn()
        except urllib3.exceptions.LocationValueError as error:
            what = self.redact_key(error)
            raise Refused(f"{self.setting} cannot be used: {what}") from None
        except (urllib3.exceptions.NewConnectionError, urllib3.exceptions.ConnectTimeoutError):
            raise Failed("no connection") from None
        except urllib3.exceptions.SSLError as error:
            raise Refused(f"{self.url}: {self.redact_key(error)}") from None
        except (
            urllib3.exceptions.HTTPError,
            http.client.HTTPException,
            OSError,
            ValueError,
        ) as error:
            # Invalid lengths, status lines and headers raise many types of errors.
            what = type(error).__name__
            raise Failed(f"the connection broke off ({what})", billed=True) from None
        return response, bytes(content)

    def _open_connections(self):
        """Open the connection pool, through the proxy of the environment if there is one."""

        with self._lock:
            if self._pool is None:
                options = {
                    "maxsize": self.connections,
                    "retries": False,
                    "cert_reqs": "CERT_REQUIRED",
                }
                parts = urllib3.util.parse_url(self.url)
                proxy = urllib.request.getproxies().get(parts.scheme)
                if proxy and not urllib.request.proxy_bypass(parts.host):
                    self._pool = urllib3.ProxyManager(proxy, **options)
                else:
                    self._pool = urllib3.PoolManager(**options)
        return self._pool

    def redact_key(self, text):
        """Replace the key in a text."""
        return str(text).replace(self.key, "[key]") if self.key else str(text)

    def redact_json(self, value):
        """Replace the key in all texts of a JSON value."""
        if isinstance(value, str):
            return self.redact_key(value)
        if isinstance(value, dict):
            return {self.redact_key(name): self.redact_json(part) for name, part in value.items()}
        if isinstance(value, list):
            return [self.redact_json(part) for part in value]
        return value


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
