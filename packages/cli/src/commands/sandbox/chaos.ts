import { randomInt } from "node:crypto";
import type { Command, CommandLine } from "../../command-line/command.ts";
import { formatCount } from "../../command-line/format-count.ts";
import { parseDuration } from "../../command-line/parse-number.ts";
import { UsageError } from "../../command-line/usage-error.ts";
import { jsonOption } from "../../options/row-options.ts";
import { openSandboxControl } from "../../options/sandbox-control.ts";
import { requiredServiceOptions } from "../../options/service-option.ts";

export const chaos: Command = {
  name: "chaos",
  summary: "Let a sandbox fail at random for a while, the same way for the same seed",
  positionals: [],
  options: {
    seed: { value: "text", description: "the same seed fails the same requests; the default is a new one, printed" },
    share: { value: "percent", description: "how many requests fail in each way, from 1 to 50; the default is 10" },
    for: { value: "duration", description: "how long, on the sandbox's clock; the default is 10m" },
    off: { description: "end the chaos now: remove all faults and deliver webhooks as usual" },
    ...requiredServiceOptions,
    ...jsonOption,
  },
  example: "tillkit chaos --seed 42 --for 10m",
  async run(args, terminal) {
    const { values, flags } = args;
    const off = flags.has("off");
    const seed = values.get("seed") ?? String(randomInt(1_000_000));
    const share = parseShare(values.get("share") ?? "10");
    const forMs = parseDuration(values.get("for") ?? "10m");
    const control = await openSandboxControl(args);
    await control("DELETE", "/faults");
    await control("PATCH", "/settings", { delivery: off ? USUAL_DELIVERY : CHAOTIC_DELIVERY });
    const faults = off ? [] : FAULTS.map((fault, index) => ({ ...fault, share, forMs, seed: `${seed}:${index}` }));
    for (const fault of faults) await control("POST", "/faults", fault);
    const row = off ? { chaos: false } : { chaos: true, seed, share, forMs, faults: faults.length };
    const sentence = off ? OFF_SENTENCE : sentenceOf(args, seed, faults.length);
    terminal.log(flags.has("json") ? JSON.stringify(row) : sentence);
  },
};

/** The faults that lose money when a store does not handle them: lost answers, outages, and answers that hold too little. */
const FAULTS = [
  { method: "POST", path: "/checkout-sessions", when: "after", reset: true },
  { method: "POST", path: "/checkout-sessions", status: 503 },
  { method: "GET", path: "/checkout-sessions/{id}", status: 503 },
  { method: "GET", path: "/checkout-sessions/{id}", status: 404 },
  { method: "GET", path: "/checkout-sessions/{id}", empty: "object" },
  { method: "GET", path: "/transactions/{id}", cutBody: true },
  { method: "POST", path: "/refunds", when: "after", reset: true },
  { method: "POST", path: "/refunds", status: 429, retryAfterSeconds: 1 },
] as const;

/** Webhooks arrive twice, in another order, and the first attempt is lost. */
const CHAOTIC_DELIVERY = { duplicate: 1, reorder: true, dropFirst: 1 };
const USUAL_DELIVERY = { duplicate: 0, reorder: false, dropFirst: 0 };
const OFF_SENTENCE = "The chaos is over: all faults are removed, and webhooks are delivered as usual.";

function sentenceOf({ values }: CommandLine, seed: string, faultCount: number): string {
  const duration = values.get("for") ?? "10m";
  return [
    `${formatCount(faultCount, "fault")} for ${duration}, seed ${seed}.`,
    "Webhooks arrive twice, in another order and after a lost first attempt, until tillkit chaos --off.",
  ].join(" ");
}

function parseShare(text: string): number {
  const percent = Number(text);
  if (/^\d{1,2}$/.test(text) && percent >= 1 && percent <= 50) return percent / 100;
  throw new UsageError(`The share must be a whole number of percent from 1 to 50, not "${text}".`);
}
