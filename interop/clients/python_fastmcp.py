"""FastMCP: lists and calls tools as stdin says, and writes what it got to stdout."""

import asyncio
import json
import sys
from importlib.metadata import version

from fastmcp import Client
from fastmcp.client.transports import StdioTransport


async def main():
    task = json.load(sys.stdin)
    server = task.get("url") or StdioTransport(command=task["command"], args=[], keep_alive=False)
    mode = task["revision"] if task["modern"] else "legacy"
    report = {"client": "fastmcp " + version("fastmcp"), "results": []}
    async with Client(server, mode=mode) as client:
        report["revision"] = client.protocol_version
        report["tools"] = [tool.model_dump(mode="json", by_alias=True, exclude_none=True) for tool in await client.list_tools()]
        for call in task["calls"]:
            try:
                result = await client.call_tool(call["tool"], call["arguments"], raise_on_error=False)
                answer = {"content": [block.model_dump(mode="json", by_alias=True, exclude_none=True) for block in result.content]}
                if result.structured_content is not None:
                    answer["structuredContent"] = result.structured_content
                report["results"].append(answer | {"isError": result.is_error})
            except Exception as refusal:
                report["results"].append({"refused": str(refusal)})
    json.dump(report, sys.stdout)


asyncio.run(main())
