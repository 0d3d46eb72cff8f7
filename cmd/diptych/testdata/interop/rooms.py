"""A small FastMCP server with good tools and flawed ones. Run it with a port to serve over HTTP."""

import sys
from dataclasses import dataclass
from typing import Annotated, Literal

from fastmcp import FastMCP
from pydantic import Field

mcp = FastMCP("rooms")

READ_ONLY = {"readOnlyHint": True}


@dataclass
class Slot:
    room_id: str
    start: str
    minutes: int


@mcp.tool(annotations=READ_ONLY)
def find_slots(
    room_id: Annotated[str, Field(description="The room.")],
    minutes: Annotated[Literal[30, 60, 120], Field(description="How long.")] = 60,
) -> list[Slot]:
    """Find free slots in a room."""
    return [Slot(room_id, "09:00", minutes)]


@mcp.tool(annotations=READ_ONLY)
def occupancy(room_id: str) -> dict:
    """Count who is in a room."""
    return {"room_id": room_id, "people": 4}


@mcp.tool(annotations=READ_ONLY)
def badge_number() -> int:
    """Answer with an integer that no float holds."""
    return 2**53 + 1


@mcp.tool(annotations=READ_ONLY)
def report() -> str:
    """Answer with JSON in a string."""
    return '{"rooms": 3}'


@mcp.tool(annotations=READ_ONLY)
def keyholder(room_id: str) -> str:
    """Fail with a path of the host."""
    raise FileNotFoundError("cannot open /home/ann/keys.json")


@mcp.tool
def book(room_id: str):
    return "booked " + room_id


if __name__ == "__main__":
    if len(sys.argv) > 1:
        mcp.run(transport="http", host="127.0.0.1", port=int(sys.argv[1]), show_banner=False, stateless_http=sys.argv[2:] == ["stateless"])
    else:
        mcp.run(show_banner=False)
