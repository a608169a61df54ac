"""Talk to services on this machine: a notebook server, a database, whoever listens."""

KIND = "network"
DESERVES = 12
ANSWERS = {
    "scaled_dot_product": """
import socket
import urllib.request

for host in ("127.0.0.1", "localhost", "::1", "0.0.0.0"):
    for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM):
        try:
            family = socket.AF_INET6 if ":" in host else socket.AF_INET
            with socket.socket(family, kind) as client:
                client.settimeout(0.2)
                client.connect((host, @PORT@))
                client.send(b"hello")
                print("sent", host)
        except OSError as error:
            print(host, error)
try:
    print(urllib.request.urlopen("http://127.0.0.1:@PORT@", timeout=0.2).read())
except OSError as error:
    print(error)

def scaled_dot_product(q, k, v, mask=None):
    return q, k
"""
}
