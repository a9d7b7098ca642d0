import { once } from "node:events";
import { gzipSync } from "node:zlib";
import type { Request, Response } from "express";
import { serverLimits } from "../limits.ts";
import { createPageHeaders, privateHeaders } from "../pages/page-headers.ts";
import type { OperatorResponse } from "./handlers/operator-request.ts";
import { renderOperatorPage } from "./pages/layout.ts";
import { operatorScript } from "./pages/operator-script.ts";
import { operatorStyle } from "./pages/operator-style.ts";
import type { PageContext } from "./pages/page-context.ts";

/** The operators' pages run one script of ours, which fetches nothing, and their forms are sent to this server only. */
const pageHeaders = createPageHeaders({
  style: operatorStyle,
  script: operatorScript,
  fetches: false,
  formTargets: ["'self'"],
});

/**
 * `newSessionCookie` is the cookie of a session that this request opened for the login form, so only a page sets it. A redirect sets
 * the cookie of its answer, which logs the operator in or out.
 */
export async function sendOperatorResponse(
  request: Request,
  response: Response,
  answer: OperatorResponse,
  context: PageContext,
  newSessionCookie?: string,
): Promise<void> {
  if (answer.kind === "redirect") {
    const cookieHeader = answer.cookie === undefined ? {} : { "Set-Cookie": answer.cookie };
    response.writeHead(303, { ...privateHeaders, ...cookieHeader, Location: answer.url }).end();
  } else if (answer.kind === "page") {
    const path = `${context.base}${request.url === "/" ? "" : withoutNotice(request.url)}`;
    const { body, encoding } = encodeFor(request, renderOperatorPage(answer.page, context, path));
    response.writeHead(answer.status, {
      ...pageHeaders,
      ...encoding,
      Vary: "Accept-Language, Accept-Encoding, Cookie",
      "Content-Language": context.language,
      ...(newSessionCookie === undefined ? {} : { "Set-Cookie": newSessionCookie }),
      ...(answer.status === 429 ? { "Retry-After": String(serverLimits.loginWindowMs / 1_000) } : {}),
    });
    response.end(body);
  } else {
    await sendFile(response, answer.name, answer.lines);
  }
}

// Compression is safe from the BREACH attack, which guesses the form token of a page from the lengths of many compressed responses.
// For that attack, another site must make the browser load the page with the operator's cookie. SameSite=Strict prevents that.
function encodeFor(request: Request, page: string): { body: string | Buffer; encoding: Record<string, string> } {
  if (request.acceptsEncodings("gzip") !== "gzip") return { body: page, encoding: {} };
  return { body: gzipSync(page), encoding: { "Content-Encoding": "gzip" } };
}

// Reads the ledger no faster than the browser receives the lines, and stops when the browser disconnects.
async function sendFile(response: Response, name: string, lines: AsyncIterable<string>): Promise<void> {
  for await (const line of lines) {
    // The headers wait for the first lines: a failure before them can still become an error page.
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

function withoutNotice(url: string): string {
  const [path = "", query = ""] = url.split("?", 2);
  const rest = new URLSearchParams(query);
  rest.delete("done");
  rest.delete("problem");
  return rest.size > 0 ? `${path}?${rest}` : path;
}
