import { once } from "node:events";
import type { Request, Response } from "express";
import { operatorPageHeaders, privateHeaders } from "../pages/page-headers.ts";
import type { OperatorReply } from "./operator-visit.ts";
import { renderOperatorPage } from "./pages/layout.ts";
import type { Look } from "./pages/look.ts";

export async function sendOperatorReply(
  request: Request,
  response: Response,
  reply: OperatorReply,
  look: Look,
  cookie?: string,
): Promise<void> {
  if (reply.say === "go") {
    const cookies = reply.cookie === undefined ? {} : { "Set-Cookie": reply.cookie };
    response.writeHead(303, { ...privateHeaders, ...cookies, Location: reply.to }).end();
  } else if (reply.say === "page") {
    const path = `${look.base}${request.url === "/" ? "" : withoutOutcome(request.url)}`;
    response.writeHead(reply.status, {
      ...operatorPageHeaders,
      Vary: "Accept-Language, Cookie",
      "Content-Language": look.language,
      ...(cookie === undefined ? {} : { "Set-Cookie": cookie }),
      ...(reply.status === 429 ? { "Retry-After": "600" } : {}),
    });
    response.end(renderOperatorPage(reply.page, look, path));
  } else {
    await sendFile(response, reply.name, reply.lines);
  }
}

// Nothing is read from the ledger faster than the other side takes it, and nothing more once it left.
async function sendFile(response: Response, name: string, lines: AsyncIterable<string>): Promise<void> {
  for await (const line of lines) {
    // What fails before the first lines are there can still be said in words.
    if (!response.headersSent) {
      response.writeHead(200, {
        ...privateHeaders,
        "Content-Type": "text/csv; charset=utf-8; header=present",
        "Content-Disposition": `attachment; filename="${name}"`,
      });
    }
    if (response.destroyed) return;
    if (!response.write(line)) await Promise.race([once(response, "drain"), once(response, "close")]);
  }
  response.end();
}

function withoutOutcome(url: string): string {
  const [path = "", query = ""] = url.split("?", 2);
  const rest = new URLSearchParams(query);
  rest.delete("done");
  rest.delete("problem");
  return rest.size > 0 ? `${path}?${rest}` : path;
}
