"""The submission check: an HTTP server on a Unix socket, where an agent asks whether a file is a valid submission.

    GET  /health    -> 200 {"status":"running"}
    POST /validate  -> 200 {"result":"<message>"}, for a multipart form with the file in its field `file`

Every other response is `{"error":"<message>"}`, with the status 400 (malformed), 404 (unknown path), 405 (wrong
method), 408 (too slow), 411 (no length), 413 (too large), 429 (too many in this run), 500 (the check failed) or 503
(too many at the same time).

server     CheckServer: the socket, and the limits on connections
handler    CheckHandler: requests and JSON responses; CheckService: what they share
quota      CheckQuota: the number of checks in a run
upload     Upload: the file of a request, received within limits on size and time
multipart  the format of the body
"""

from mlebench.gateway.check.server import CheckServer

__all__ = ["CheckServer"]
