"""The submission check: an HTTP server on a Unix socket, where an agent asks whether a file is a valid submission.

    GET  /health    -> 200 {"status":"running"}
    POST /validate  -> 200 {"result":"<message>"}, for a multipart form with the file in its field `file`

Every other response is `{"error":"<message>"}`, with the status 400 (malformed), 404 (unknown path), 405 (wrong
method), 408 (too slow), 411 (no length), 413 (too large), 429 (too much in this run; `Retry-After` says when the next
check is allowed), 500 (the check failed) or 503 (too many at the same time).

gateway    CheckGateway: what the runs of a harness share
server     CheckServer: the socket of a run, and the limits on its connections
handler    CheckHandler: requests and JSON responses; CheckService: what they share
quota      CheckQuota: what the checks of a run may use
pace       Pace: how fast connections are accepted
upload     Upload: the file of a request, received within limits on size and time
multipart  the format of the body
"""

from mlebench.gateway.check.gateway import CheckGateway
from mlebench.gateway.check.server import CheckServer

__all__ = ["CheckGateway", "CheckServer"]
