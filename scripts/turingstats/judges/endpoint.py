"""Posts requests to an endpoint that has a key: the one way by which machine judges reach the network.

The key goes to the configured address and nowhere else. A redirect is an error, certificates are checked,
what the server says is freed of the key before anybody sees it, and an answer has a limit of time and size.
"""

import email.utils
import http.client
import json
import math
import threading
import time
import urllib.request

import urllib3

LONGEST_BODY = 64_000_000
"""Bytes of an answer; a batch of long vectors has some ten million."""
TOLD = 500
"""Characters of a server's words that a message repeats."""
RETRIED = (408, 409, 425, 429)
"""HTTP statuses after which a request is worth repeating, besides those of 500 and above."""


class Failed(Exception):
    """A call that failed on its way and may be tried again.

    Parameters
    ----------
    what : str
    wait : float, optional
        Seconds that the server asked to wait.
    everyone : bool
        It asked so of all calls.
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
        Complete where there is no `status`.
    status : int, optional
        HTTP status of an answer whose reason is the request or the key.
    error : dict
        The member `error` of the answer, or what there is in its place under `message`.
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
        Without arguments; raises `Failed` where it may be tried again.
    attempts : int
    pauses : tuple of float
        Seconds before the second attempt, doubled before each further one, and the most of them.
    wait : callable
        Is given the seconds to wait and the failure.
    patience : float
        Longest wait that a server may ask for.

    Returns
    -------
    object
        What `call` returns.

    Raises
    ------
    Failed
        That of the last attempt.
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
    """Posts JSON to one address and reads JSON; several threads may do so at a time.

    Parameters
    ----------
    url : str
    key : str
        Sent as bearer token; empty: none is sent.
    setting : str
        Key of the configuration that the address comes from, for messages.
    timeout : float
        Seconds of a call, from its start to the end of the answer.
    connections : int
        Calls under way at a time.
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
            The answer's JSON, the key in it replaced.

        Raises
        ------
        Failed, Refused
        """
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        if self.key:
            if not (self.key.isascii() and self.key.isprintable()):
                # Said here, since the library would repeat the key.
                raise Refused("the key holds signs that no header can hold; copy it once more")
            headers["Authorization"] = f"Bearer {self.key}"
        response, content = self._send_request(json.dumps(body).encode(), headers)
        status = response.status
        if 300 <= status < 400:
            where = self.redact_key(response.headers.get("Location") or "nowhere")[:TOLD]
            raise Refused(
                f"{self.url} answers with a redirect (status {status}) to {where}. It is not followed, "
                f"since the key would go there too; if that address is right, set {self.setting} to it"
            )
        try:
            reply = self.redact_json(json.loads(content))
        # Besides what is no JSON: numbers of thousands of digits, lists thousands deep.
        except (ValueError, RecursionError):
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
        # Cut only when it is free of the key: half a key is still a secret.
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
                # An answer that leads elsewhere would take the key there.
                redirect=False,
            )
            content = bytearray()
            # The timeout of a socket starts anew with each byte; this one does not.
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
            # Lengths, status lines and headers that are none come in many types.
            what = type(error).__name__
            raise Failed(f"the connection broke off ({what})", billed=True) from None
        return response, bytes(content)

    def _open_connections(self):
        """Connections to the endpoint, over the proxy of the environment if there is one."""

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
        """Text with the key replaced."""
        return str(text).replace(self.key, "[key]") if self.key else str(text)

    def redact_json(self, value):
        """JSON with the key replaced in all its texts."""
        if isinstance(value, str):
            return self.redact_key(value)
        if isinstance(value, dict):
            return {self.redact_key(name): self.redact_json(part) for name, part in value.items()}
        if isinstance(value, list):
            return [self.redact_json(part) for part in value]
        return value


def parse_retry_after(header):
    """Seconds that a Retry-After header asks to wait, or None.

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
