import { type Answer, ask } from "./ask.ts";
import { bad, type Check, careful, good } from "./check.ts";

const MAX_CLOCK_DIFFERENCE_MS = 60_000;

/** Checks a checkout server from outside, as the service and the shopper's browser see it. */
export async function* checkServer(server: string): AsyncGenerator<Check> {
  yield await checkAddress(server);
  const health = await ask(`${server}/healthz`);
  if (health === null) return yield noAnswer(server);
  yield healthCheck(health);
  yield* readyChecks(await ask(`${server}/readyz`));
  yield clockCheck(health.date);
}

/** Whether the address is encrypted, as the service requires. */
export async function checkAddress(server: string): Promise<Check> {
  const { addressFault, addressRule } = await import("@tillkit/client");
  const fault = addressFault(server, "base");
  return fault === null
    ? good("address", `${server} is encrypted, or on this machine.`)
    : bad("address", `--server ${addressRule(fault)}.`);
}

export function noAnswer(server: string): Check {
  return bad("health", `${server} does not answer: start the server, or check name, port, certificate and firewall.`);
}

export function clockCheck(date: string | null): Check {
  const difference = date === null ? Number.NaN : Date.parse(date) - Date.now();
  if (Number.isNaN(difference)) return careful("clock", "The server does not tell its time.");
  if (Math.abs(difference) <= MAX_CLOCK_DIFFERENCE_MS)
    return good("clock", "The server's clock agrees with this machine's clock.");
  const seconds = Math.round(difference / 1000);
  return bad("clock", `The server's clock differs by ${seconds} s from this machine's: synchronise both.`);
}

function healthCheck({ status, facts }: Answer): Check {
  if (status === 200 && facts.ok === true) return good("health", "/healthz: the process works.");
  if (status === 503) return bad("health", "/healthz: the process is not healthy; its logs say why.");
  return careful("health", `/healthz answers ${status}: the checkout server's own routes are not at this address.`);
}

/** Whether the server is ready, and what it says that its operator must change soon. */
function* readyChecks(answer: Answer | null): Generator<Check> {
  if (answer?.status === 200) yield good("ready", "/readyz: ledger, work and configuration are ready.");
  else {
    const reason = answer === null ? "no answer" : `status ${answer.status}, ${JSON.stringify(answer.facts)}`;
    yield bad("ready", `/readyz: not ready (${reason}).`);
  }
  const warnings = answer?.facts.warnings;
  for (const warning of Array.isArray(warnings) ? warnings : []) yield careful("ready", `/readyz: ${warning}`);
}
