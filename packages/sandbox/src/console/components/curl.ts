import type { Exchange, RequestRecord } from "../../runtime/request-log.ts";

const headerNames: Readonly<Record<string, string>> = {
  "content-type": "Content-Type",
  "service-account": "Service-Account",
  "service-version": "Service-Version",
  "x-scenario-key": "X-Scenario-Key",
};

/**
 * The curl command that sends a request again. `$API_KEY` stands for the key, which the sandbox never shows, and `[hidden]` for
 * what is hidden in the body.
 */
export function curlCommand(baseUrl: string, request: RequestRecord, exchange: Exchange): string {
  const { method, path, idempotency_key } = request;
  const query = exchange.query === "" ? "" : `?${exchange.query}`;
  const lines = [
    `curl${method === "GET" ? "" : ` -X ${method}`} ${quoteForShell(`${baseUrl}${path}${query}`)}`,
    '-H "X-API-Key: $API_KEY"',
  ];
  if (idempotency_key !== null) lines.push(`-H ${quoteForShell(`Idempotency-Key: ${idempotency_key}`)}`);
  for (const [name, value] of Object.entries(exchange.headers)) {
    lines.push(`-H ${quoteForShell(`${headerNames[name] ?? name}: ${value}`)}`);
  }
  if (exchange.requestBody !== null) lines.push(`-d ${quoteForShell(exchange.requestBody)}`);
  return lines.join(" \\\n  ");
}

/** A shell changes nothing between single quotes. A single quote in the text ends the quotes, is escaped, and opens them again. */
function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
