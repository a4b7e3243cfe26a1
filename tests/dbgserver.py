# SPDX-License-Identifier: MIT
"""Servers of debuginfod on the loopback: the real one, and one that answers
as a test wants."""
import contextlib
import http.server
import os
import shutil
import socket
import subprocess
import threading


def environment(home, urls=None, **more):
    """Of programs that know no cache and no server but these."""
    env = {k: v for k, v in os.environ.items()
           if not k.startswith("DEBUGINFOD") and k != "XDG_CACHE_HOME"}
    env.update(HOME=home, LC_ALL="C", TZ="UTC", **more)
    if urls is not None:
        env["DEBUGINFOD_URLS"] = urls
    return env


class Server:
    """Answers on the loopback as `behave(handler, build_id, kind)` says."""

    def __init__(self, behave):
        self.asked = []
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                parts = self.path.strip("/").split("/")
                outer.asked.append("/".join(parts[1:3]))
                try:
                    behave(self, parts[1], parts[2])
                except OSError:
                    pass

            def log_message(self, *arguments):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0),
                                                      Handler)
        self.server.daemon_threads = True
        self.url = "http://127.0.0.1:%d" % self.server.server_address[1]
        # shutdown() waits until serve_forever() looks again.
        threading.Thread(target=self.server.serve_forever, args=(0.02,),
                         daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()


def send_file(handler, name):
    with open(name, "rb") as f:
        data = f.read()
    handler.send_response(200)
    handler.send_header("Content-Length", str(len(data)))
    handler.end_headers()
    handler.wfile.write(data)


@contextlib.contextmanager
def real(folder, home):
    """The URL of a debuginfod that serves a folder, which it begins to look
    through; None: there is no such program."""
    if shutil.which("debuginfod") is None:
        yield None
        return
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        port = s.getsockname()[1]
    p = subprocess.Popen(["debuginfod", "-F", "-p", str(port), "-d",
                          ":memory:", folder], stdout=subprocess.DEVNULL,
                         stderr=subprocess.DEVNULL, env=environment(home))
    try:
        yield "http://127.0.0.1:%d" % port
    finally:
        p.terminate()
        p.wait()
