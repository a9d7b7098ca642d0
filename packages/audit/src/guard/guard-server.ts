import { createHash, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Language } from "@tillkit/core";
import { FINDING_KINDS } from "../findings/finding.ts";
import { auditLimits } from "../limits.ts";
import type { Guard } from "./guard.ts";
import { renderGuardPage } from "./guard-page.ts";
import { countKinds } from "./send-alerts.ts";

export type GuardServerOptions = {
  readonly language: Language;
  /** Opens page and metrics; null where only this machine can reach the server. */
  readonly token: string | null;
  readonly everyMs: number;
  readonly now: () => number;
};

type Answer = {
  readonly status: number;
  readonly type: string;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
};

/** `/healthz`, `/metrics` and the page. Everything else is 404, and nothing but GET and HEAD is answered. */
export function createGuardServer(guard: Guard, options: GuardServerOptions): Server {
  return createServer((request, response) => {
    request.resume();
    void answer(request, guard, options)
      .catch((): Answer => ({ status: 503, type: "text/plain", body: "unavailable\n" }))
      .then((ready) => send(response, ready, request.method === "HEAD"));
  });
}

function send(response: ServerResponse, { status, type, body, headers = {} }: Answer, isHead: boolean): void {
  response.writeHead(status, {
    "Content-Type": `${type}; charset=utf-8`,
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'",
    ...headers,
  });
  response.end(isHead ? undefined : body);
}

async function answer(request: IncomingMessage, guard: Guard, options: GuardServerOptions): Promise<Answer> {
  if (request.method !== "GET" && request.method !== "HEAD")
    return { status: 405, type: "text/plain", body: "GET only\n" };
  const [path] = (request.url ?? "/").split("?", 1);
  if (path === "/healthz") return health(guard, options);
  if (path !== "/" && path !== "/metrics") return { status: 404, type: "text/plain", body: "not found\n" };
  if (!isAllowed(request, options.token)) return LOG_IN;
  if (path === "/metrics") return { status: 200, type: "text/plain", body: await metrics(guard) };
  return { status: 200, type: "text/html", body: await renderGuardPage(guard, options.language) };
}

const LOG_IN: Answer = {
  status: 401,
  type: "text/plain",
  body: "Log in with any name, and the token as password.\n",
  headers: { "WWW-Authenticate": 'Basic realm="tillkit guard", charset="UTF-8"' },
};

/** The token as the password of a browser, or as a bearer of a program. */
function isAllowed({ headers: { authorization = "" } }: IncomingMessage, token: string | null): boolean {
  if (token === null) return true;
  const [, scheme = "", value = ""] = /^(\w+) +(.*)$/.exec(authorization) ?? [];
  const isBasic = scheme.toLowerCase() === "basic";
  const given = isBasic
    ? Buffer.from(value, "base64")
        .toString()
        .replace(/^[^:]*:/, "")
    : value;
  return timingSafeEqual(digest(given), digest(token));
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

/** Unwell when no round compared both sides for three intervals. */
function health(guard: Guard, { everyMs, now }: GuardServerOptions): Answer {
  const goodAt = guard.lastGoodAt();
  const round = guard.lastRound();
  const isWell = goodAt !== null && now() - goodAt < 3 * everyMs + auditLimits.callDeadlineMs;
  const isStarting = round === null;
  const body = { status: isWell ? "ok" : isStarting ? "starting" : "failing", code: round?.failure ?? null };
  return { status: isWell || isStarting ? 200 : 503, type: "application/json", body: `${JSON.stringify(body)}\n` };
}

async function metrics(guard: Guard): Promise<string> {
  const counts = countKinds(await guard.findings.open(auditLimits.guardRows));
  const lines = FINDING_KINDS.map((kind) => `tillkit_guard_findings_open{kind="${kind}"} ${counts[kind] ?? 0}`);
  const goodAt = guard.lastGoodAt();
  return [
    "# HELP tillkit_guard_findings_open Differences between orders and money that are open now.",
    "# TYPE tillkit_guard_findings_open gauge",
    ...lines,
    "# HELP tillkit_guard_findings_healed Differences that are not there any more.",
    "# TYPE tillkit_guard_findings_healed gauge",
    `tillkit_guard_findings_healed ${await guard.findings.countHealed()}`,
    "# HELP tillkit_guard_last_round_timestamp_seconds When both sides were compared last.",
    "# TYPE tillkit_guard_last_round_timestamp_seconds gauge",
    `tillkit_guard_last_round_timestamp_seconds ${goodAt === null ? 0 : Math.floor(goodAt / 1_000)}`,
    "# HELP tillkit_guard_failing Whether the last comparison failed.",
    "# TYPE tillkit_guard_failing gauge",
    `tillkit_guard_failing ${guard.lastRound()?.failure ? 1 : 0}`,
    "",
  ].join("\n");
}
