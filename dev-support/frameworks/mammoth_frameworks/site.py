# SPDX-License-Identifier: Apache-2.0
"""A small web site of several hosts, the same on every machine, for crawlers."""

import hashlib
import http.server
import threading
import urllib.parse

HOSTS = 8
PAGES = 40
#: Where a crawl begins: pages of all hosts.
FIRST = tuple(f"{'page' if host % 2 else 'http'}://www{host}.example.org/{number}.html" for host in range(HOSTS) for number in range(0, PAGES, 8))


def _number(*of):
    return int.from_bytes(hashlib.sha256(repr(of).encode()).digest()[:4], "big")


def page(host, number):
    """(status, type, text or where it has moved)."""
    if number >= PAGES:
        return 404, "text/plain", "none"
    kind = _number("kind", host, number) % 20
    if number and kind == 0:
        return 301, "text/html", f"http://www{host}.example.org/{(number + 1) % PAGES}.html"
    if number and kind == 1:
        return 200, "text/plain", f"plain {host} {number}\n"
    # Some pages are there by several names.
    about = number % 3 if kind == 2 else number
    links = []
    for each in range(_number("links", host, about) % 6 + 2):
        other = _number("host", host, about, each) % HOSTS
        scheme = "page" if other % 2 else "http"
        target = _number("page", host, about, each) % (PAGES + 2)
        links.append(f'<a href="{scheme}://www{other}.example.org/{target}.html">to {target} of {other}</a>')
    links.append(f'<a href="{(about + 1) % PAGES}.html">next</a>')
    body = "\n".join(f"<p>{link} {_number(link)}</p>" for link in links)
    return 200, "text/html", f"<html><head><title>Page {about} of {host}</title></head><body>\n{body}\n</body></html>\n"


class _Handler(http.server.BaseHTTPRequestHandler):
    """Answers for all hosts, as their proxy would."""

    def do_GET(self):
        url = urllib.parse.urlsplit(self.path)
        host = int(url.hostname.removeprefix("www").partition(".")[0])
        status, kind, text = page(host, int(url.path.strip("/").partition(".")[0]))
        self.send_response_only(status)
        body = b"" if status == 301 else text.encode()
        if status == 301:
            self.send_header("Location", text)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class Site:
    """Serves the pages while a block runs."""

    def __enter__(self):
        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
        self.port = self._server.server_address[1]
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self._server.shutdown()
        self._server.server_close()
