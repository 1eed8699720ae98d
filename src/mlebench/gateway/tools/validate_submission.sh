#!/bin/sh
# Checks the format of a submission. It does not report a score.
# Checks may compute for some minutes in total, and then for three seconds a minute. The response of a check that would
# exceed this is an error, which says when to check again.

url="${VALIDATE_URL:-http://localhost:5000}/validate"

if [ $# -ne 1 ]; then
    echo "Usage: validate_submission.sh FILE" >&2
    echo "Checks the format of a submission, for example: validate_submission.sh \$SUBMISSION_DIR/submission.csv" >&2
    exit 1
fi
if [ ! -f "$1" ]; then
    echo "There is no file $1." >&2
    exit 1
fi

if command -v curl >/dev/null 2>&1; then
    # In double quotes, curl accepts any name if these two characters are escaped.
    name=$(printf '%s' "$1" | sed 's/[\\"]/\\&/g')
    response=$(curl --silent --show-error --noproxy '*' \
        --form "file=@\"$name\";filename=submission.csv;type=text/csv" "$url")
elif command -v python3 >/dev/null 2>&1; then
    response=$(python3 - "$1" "$url" <<'PYTHON'
import os, sys, urllib.error, urllib.request, uuid

path, url = sys.argv[1:]
boundary = uuid.uuid4().hex
head = (
    f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="submission.csv"\r\n'
    "Content-Type: text/csv\r\n\r\n"
).encode()
tail = f"\r\n--{boundary}--\r\n".encode()


def body():
    yield head
    with open(path, "rb") as file:
        while data := file.read(65536):
            yield data
    yield tail


headers = {
    "Content-Type": f"multipart/form-data; boundary={boundary}",
    "Content-Length": str(len(head) + os.path.getsize(path) + len(tail)),
}
request = urllib.request.Request(url, data=body(), headers=headers, method="POST")
opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
try:
    response = opener.open(request).read()
except urllib.error.HTTPError as error:
    response = error.read()
except OSError as error:
    sys.exit(f"No response from {url}: {error}")
sys.stdout.write(response.decode())
PYTHON
)
else
    echo "This script needs curl or python3." >&2
    exit 1
fi

if [ -z "$response" ]; then
    echo "No response from $url." >&2
    exit 1
fi
printf '%s\n' "$response"
