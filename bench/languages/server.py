"""The bench's tools on the Python SDK or on FastMCP: server.py (mcp|fastmcp) PORT.

Served as fast as their documentation knows how: no sessions, a JSON body instead of events, no log of requests. One
worker, because what counts is the CPU time of a call; uvloop and httptools, which uvicorn takes where they are installed,
change nothing that can be measured.
"""

import sys

import uvicorn
from typing_extensions import TypedDict


class Reading(TypedDict):
    temperature: float
    condition: str
    humidity: int


class Row(TypedDict):
    id: int
    name: str
    country: str
    kind: str
    price: float
    count: int
    active: bool
    note: str


ROWS: list[Row] = [
    Row(
        id=i + 1,
        name=f"Station number {i}",
        country=("PT", "DE", "FR")[i % 3],
        kind=("river", "coast", "mountain")[i % 3],
        price=(i * 37 % 100_000) / 100,
        count=i * 7 % 10_007,
        active=i % 2 == 0,
        note="measured twice a day, at dawn and at dusk",
    )
    for i in range(10_000)
]


def number() -> int:
    return 17


def reading() -> Reading:
    return Reading(temperature=21.5, condition="partly cloudy", humidity=60)


def rows_10000() -> list[Row]:
    return ROWS


kind, port = sys.argv[1], int(sys.argv[2])
if kind == "mcp":
    from mcp.server.mcpserver import MCPServer

    server = MCPServer("bench", log_level="ERROR")
    for tool in (number, reading, rows_10000):
        server.tool()(tool)
    app = server.streamable_http_app(streamable_http_path="/", stateless_http=True, json_response=True)
else:
    from fastmcp import FastMCP

    server = FastMCP("bench")
    for tool in (number, reading, rows_10000):
        server.tool(tool)
    app = server.http_app(path="/", stateless_http=True, json_response=True)
uvicorn.run(app, host="127.0.0.1", port=port, log_level="error", access_log=False)
