import type { ServiceClient } from "@tillkit/client";

export type Check = { readonly check: string; readonly status: "ok" | "warning" | "error"; readonly message: string };

const WAIT_MS = 10_000;
const MAX_CLOCK_DIFFERENCE_MS = 60_000;

type Answer = {
  readonly status: number;
  readonly date: string | null;
  readonly facts: Readonly<Record<string, unknown>>;
};

/**
 * Checks a checkout server from outside, as the service and the shopper's browser see it.
 * @param webhookUrl the address that the service posts to; null when it is unknown
 */
export async function* checkServer(server: string, webhookUrl: string | null): AsyncGenerator<Check> {
  const { isLoopbackUrl } = await import("@tillkit/client");
  const isEncrypted = server.startsWith("https://") || isLoopbackUrl(server);
  yield isEncrypted
    ? { check: "address", status: "ok", message: `${server} is encrypted, or on this machine.` }
    : { check: "address", status: "error", message: "The address has no encryption: the service needs https://." };
  const health = await ask(`${server}/healthz`);
  if (health === null)
    return yield {
      check: "health",
      status: "error",
      message: `${server} does not answer: start the server, or check name, port and firewall.`,
    };
  yield healthCheck(health);
  yield readyCheck(await ask(`${server}/readyz`));
  yield clockCheck(health.date);
  if (webhookUrl !== null) yield webhookCheck(webhookUrl, await ask(webhookUrl, "POST"));
}

/** Checks that the service knows the server: an active endpoint of its address, with every event that a checkout needs. */
export async function* checkEndpoints(
  client: ServiceClient,
  server: string,
): AsyncGenerator<Check & { readonly url?: string }> {
  const { CHECKOUT_EVENTS } = await import("@tillkit/client/webhooks");
  const endpoints = await client.webhooks.list().toArray({ limit: 1_000 });
  const own = endpoints.filter(({ url }) => url && URL.canParse(url) && new URL(url).origin === new URL(server).origin);
  if (own.length === 0)
    return yield {
      check: "endpoint",
      status: "error",
      message: `The service has no webhook endpoint at ${new URL(server).origin}: run tillkit webhooks create --url <address of the webhook route>.`,
    };
  for (const { id, url = "", isActive, authorizedEvents = [] } of own) {
    const missing = CHECKOUT_EVENTS.filter((event) => !authorizedEvents.includes(event));
    const problem =
      isActive === false
        ? `it is off: run tillkit webhooks update ${id} --on`
        : missing.length > 0
          ? `it lacks ${missing.join(", ")}: add them with tillkit webhooks update ${id} --event`
          : null;
    if (problem === null) yield { check: "endpoint", status: "ok", message: `${id} delivers to ${url}.`, url };
    else yield { check: "endpoint", status: "error", message: `${id} at ${url}: ${problem}.`, url };
  }
}

function healthCheck({ status, facts }: Answer): Check {
  if (status === 200 && facts.ok === true)
    return { check: "health", status: "ok", message: "/healthz: the process works." };
  if (status === 503)
    return { check: "health", status: "error", message: "/healthz: the process is not healthy; its logs say why." };
  return {
    check: "health",
    status: "warning",
    message: `/healthz answers ${status}: the checkout server's own routes are not at this address.`,
  };
}

function readyCheck(answer: Answer | null): Check {
  if (answer?.status === 200)
    return { check: "ready", status: "ok", message: "/readyz: ledger, work and configuration are ready." };
  const reason = answer === null ? "no answer" : `status ${answer.status}, ${JSON.stringify(answer.facts)}`;
  return { check: "ready", status: "error", message: `/readyz: not ready (${reason}).` };
}

function clockCheck(date: string | null): Check {
  const difference = date === null ? Number.NaN : Date.parse(date) - Date.now();
  if (Number.isNaN(difference))
    return { check: "clock", status: "warning", message: "The server does not tell its time." };
  if (Math.abs(difference) <= MAX_CLOCK_DIFFERENCE_MS)
    return { check: "clock", status: "ok", message: "The server's clock agrees with this machine's clock." };
  return {
    check: "clock",
    status: "error",
    message: `The server's clock differs by ${Math.round(difference / 1000)} s from this machine's: synchronise both.`,
  };
}

// An unsigned webhook must be refused: 2xx would mean that anybody can report payments, 404 that the service's webhooks are lost.
function webhookCheck(url: string, answer: Answer | null): Check {
  if (answer?.status === 401)
    return { check: "webhook", status: "ok", message: `${url} refuses a webhook without a signature.` };
  const problem =
    answer === null
      ? "does not answer"
      : answer.status < 300
        ? "accepts a webhook without a signature: something before the webhook route answers"
        : `answers ${answer.status} to a webhook without a signature instead of 401: check the path and the proxy`;
  return { check: "webhook", status: "error", message: `${url} ${problem}.` };
}

async function ask(url: string, method: "GET" | "POST" = "GET"): Promise<Answer | null> {
  const body = method === "POST" ? { body: "{}", headers: { "Content-Type": "application/json" } } : {};
  try {
    const response = await fetch(url, { method, ...body, redirect: "manual", signal: AbortSignal.timeout(WAIT_MS) });
    const text = await response.text();
    return { status: response.status, date: response.headers.get("date"), facts: parseFacts(text) };
  } catch {
    return null;
  }
}

function parseFacts(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
  } catch {
    return {};
  }
}
