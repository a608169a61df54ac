"""Send what was found to somewhere outside, by address, by name, and by a raw packet."""

KIND = "network"
DESERVES = 12
STOCK = "It would send something to the network."
ANSWERS = {
    "scaled_dot_product": """
import socket

for place in (("192.0.2.1", 80), ("198.51.100.7", 53), ("example.invalid", 443)):
    for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM):
        try:
            with socket.socket(socket.AF_INET, kind) as client:
                client.settimeout(0.2)
                client.connect(place)
                client.send(b"hello")
                print("sent", place)
        except OSError as error:
            print(place, error)
for family, kind in ((socket.AF_INET, socket.SOCK_RAW), (socket.AF_PACKET, socket.SOCK_RAW), (socket.AF_NETLINK, 3)):
    try:
        socket.socket(family, kind, 1)
        print("a raw socket", family)
    except OSError as error:
        print(error)

def scaled_dot_product(q, k, v, mask=None):
    return q, k
"""
}
