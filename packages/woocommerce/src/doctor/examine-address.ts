import { connectionFix, createNodeFetch, parseUrl } from "@tillkit/client";
import { safeReason } from "@tillkit/core";
import type { CheckResult } from "@tillkit/php-bridge";
import { CLOCK_TOLERANCE_SECONDS, readJson, socketCode } from "@tillkit/php-bridge";

const TIMEOUT_MS = 10_000;
/** From this difference of the clocks on the doctor warns, well before signed calls are refused. */
const CLOCK_WARNING_SECONDS = CLOCK_TOLERANCE_SECONDS / 5;

/** Requests `GET /wp-json/` and checks redirects, permalinks, WooCommerce and the clock of the server. `publicOnly`: a stranger named the address. */
export async function examineAddress(
  url: string,
  now: () => number,
  { publicOnly = false } = {},
): Promise<readonly CheckResult[]> {
  let response: Response;
  let text: string;
  try {
    response = await createNodeFetch({ publicOnly })(`${url}/wp-json/`, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    text = await response.text();
  } catch (error) {
    const code = socketCode(error);
    const fix = connectionFix(code) || ": check url, DNS, certificate and firewall";
    return [addressError(`The shop cannot be reached (${code ?? safeReason(error)})${fix}.`)];
  }
  const location = response.headers.get("location");
  if (location !== null && response.status < 400) {
    return [
      addressError(
        `The shop redirects to ${originOf(location, url)}: set url to the address that WordPress uses, or connect the shop there again.`,
      ),
    ];
  }
  const index = readJson(text);
  if (response.status !== 200 || index === null) {
    return [
      addressError(
        `The shop answered ${response.status} without JSON at /wp-json/: choose pretty permalinks (Settings, Permalinks, Post name) and let /wp-json/ through every firewall and cache.`,
      ),
    ];
  }
  if (!namespacesOf(index).includes("wc/v3")) {
    return [addressError("WordPress answers, but WooCommerce does not: activate WooCommerce, version 8.2 or later.")];
  }
  const reachable: CheckResult = {
    check: "address",
    status: "ok",
    message: "The shop answers at this address, with permalinks.",
  };
  return [reachable, examineClock(response.headers, now())];
}

function examineClock(headers: Headers, now: number): CheckResult {
  // A cached response has the date of its creation, and its age in `Age`.
  const shopTime = Date.parse(headers.get("date") ?? "") + Number(headers.get("age") ?? 0) * 1_000;
  const differenceSeconds = Math.round(Math.abs(shopTime - now) / 1_000);
  if (Number.isNaN(differenceSeconds))
    return { check: "clock", status: "warning", message: "The response of the shop has no date." };
  if (differenceSeconds <= CLOCK_WARNING_SECONDS)
    return { check: "clock", status: "ok", message: "Both clocks agree." };
  const text = `The clocks differ by ${differenceSeconds} seconds: synchronise both clocks (NTP).`;
  const areCallsRefused = differenceSeconds > CLOCK_TOLERANCE_SECONDS;
  return { check: "clock", status: areCallsRefused ? "error" : "warning", message: text };
}

function addressError(text: string): CheckResult {
  return { check: "address", status: "error", message: text };
}

function originOf(location: string, url: string): string {
  return parseUrl(location, url)?.origin ?? "another address";
}

function namespacesOf(index: object): readonly unknown[] {
  return "namespaces" in index && Array.isArray(index.namespaces) ? index.namespaces : [];
}
