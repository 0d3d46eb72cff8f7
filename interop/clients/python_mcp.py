"""The reference Python SDK: lists and calls tools as stdin says, and writes what it got to stdout."""

import asyncio
import json
import sys
from importlib.metadata import version

from mcp import Client, StdioServerParameters


async def main():
    task = json.load(sys.stdin)
    server = task.get("url") or StdioServerParameters(command=task["command"])
    mode = task["revision"] if task["modern"] else "legacy"
    report = {"client": "mcp " + version("mcp"), "results": []}
    async with Client(server, mode=mode) as client:
        report["revision"] = client.protocol_version
        report["tools"] = [tool.model_dump(mode="json", by_alias=True, exclude_none=True) for tool in (await client.list_tools()).tools]
        for call in task["calls"]:
            try:
                result = await client.call_tool(call["tool"], call["arguments"])
                report["results"].append(result.model_dump(mode="json", by_alias=True, exclude_none=True))
            except Exception as refusal:
                report["results"].append({"refused": str(refusal)})
    json.dump(report, sys.stdout)


asyncio.run(main())
