import { safeReason } from "@tillkit/core";
import { CLOCK_TOLERANCE_SECONDS } from "../protocol/signed-call.ts";
import { readJson } from "../transport/read-json.ts";
import { socketCode } from "../transport/trouble.ts";
import type { Finding } from "./examine-companion.ts";

const ANSWER_MS = 10_000;

/** `GET /wp-json/`: redirects, permalinks, WooCommerce itself, and the clock of the server. */
export async function examineAddress(url: string, now: () => number): Promise<readonly Finding[]> {
  let response: Response;
  let text: string;
  try {
    response = await fetch(`${url}/wp-json/`, { redirect: "manual", signal: AbortSignal.timeout(ANSWER_MS) });
    text = await response.text();
  } catch (error) {
    return [
      mistake(
        `The shop cannot be reached (${socketCode(error) ?? safeReason(error)}): check url, DNS, certificate and firewall.`,
      ),
    ];
  }
  const location = response.headers.get("location");
  if (location !== null && response.status < 400) {
    return [
      mistake(`The shop redirects to ${hostOf(location, url)}: set url to the address that WordPress itself uses.`),
    ];
  }
  const index = readJson(text);
  if (response.status !== 200 || index === null) {
    return [
      mistake(
        `The shop answered ${response.status} without data at /wp-json/: choose pretty permalinks (Settings, Permalinks, Post name) and let /wp-json/ through every firewall and cache.`,
      ),
    ];
  }
  if (!namespacesOf(index).includes("wc/v3")) {
    return [mistake("WordPress answers, WooCommerce does not: activate WooCommerce, version 8.2 or later.")];
  }
  const well: Finding = { about: "address", say: "well", text: "The shop answers at this address, with permalinks." };
  return [well, clockFinding(response.headers, now())];
}

function clockFinding(headers: Headers, now: number): Finding {
  // An answer from a cache bears the time it was made at, and in `Age` how long ago that was.
  const madeAt = Date.parse(headers.get("date") ?? "") + Number(headers.get("age") ?? 0) * 1_000;
  const apart = Math.round(Math.abs(madeAt - now) / 1_000);
  if (Number.isNaN(apart)) return { about: "clock", say: "warning", text: "The shop does not tell its time." };
  if (apart <= CLOCK_TOLERANCE_SECONDS / 5) return { about: "clock", say: "well", text: "Both clocks agree." };
  const text = `The clocks differ by ${apart} seconds: set both servers by the network's time.`;
  return { about: "clock", say: apart > CLOCK_TOLERANCE_SECONDS ? "mistake" : "warning", text };
}

function mistake(text: string): Finding {
  return { about: "address", say: "mistake", text };
}

function hostOf(location: string, url: string): string {
  return URL.canParse(location, url) ? new URL(location, url).origin : "another address";
}

function namespacesOf(index: object): readonly unknown[] {
  return "namespaces" in index && Array.isArray(index.namespaces) ? index.namespaces : [];
}
