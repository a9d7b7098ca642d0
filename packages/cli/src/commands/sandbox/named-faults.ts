import type { JsonRecord, SandboxControl } from "../../options/sandbox-control.ts";

const MINUTE_MS = 60_000;
const SESSIONS = "/checkout-sessions";
const EVERY_CALL = ["GET", "POST", "PATCH", "DELETE"] as const;

export type NamedFault = {
  /** What happens, and what a shop has to survive. One sentence. */
  readonly text: string;
  readonly faults?: readonly object[];
  /** Changes to the setting `delivery` of the sandbox. */
  readonly delivery?: Readonly<Record<string, unknown>>;
};

/** The sandbox drops at most this many attempts of a delivery, more than it makes. */
const EVERY_ATTEMPT = 20;

const callsOf = (methods: readonly string[], paths: readonly string[], effect: object) =>
  methods.flatMap((method) => paths.map((path) => ({ method, path, ...effect })));

const PATHS = [SESSIONS, `${SESSIONS}/{id}`, "/transactions", "/transactions/{id}", "/refunds", "/refunds/{id}"];

/** Faults that a person tries on purpose, by name. Each lasts until `tillkit fault --off`, where its sentence names no end. */
export const NAMED_FAULTS: Readonly<Record<string, NamedFault>> = {
  "lose-webhook": {
    text: "No webhook arrives: the return of the shopper or the timer has to find the payment.",
    delivery: { dropFirst: EVERY_ATTEMPT },
  },
  "late-webhook": {
    text: "The first two attempts of each webhook are lost: it arrives 15 seconds late, on the sandbox's clock.",
    delivery: { dropFirst: 2 },
  },
  "repeat-webhook": { text: "Each webhook arrives three times.", delivery: { duplicate: 2 } },
  "forge-webhook": { text: "The body of each webhook is changed after it was signed.", delivery: { tamper: true } },
  "lose-answer": {
    text: "The next session is opened, and the answer is lost: the shop repeats the request under its key.",
    faults: [{ method: "POST", path: SESSIONS, when: "after", reset: true }],
  },
  "lose-refund-answer": {
    text: "The next refund is made, and the answer is lost: money must not go back twice.",
    faults: [{ method: "POST", path: "/refunds", when: "after", reset: true }],
  },
  "refuse-session": {
    text: "The next session is refused with 400, as for an unknown currency.",
    faults: [{ method: "POST", path: SESSIONS, status: 400 }],
  },
  "wrong-amount": {
    text: "The next five readings of a session report another amount: the payment has to be held.",
    faults: [{ method: "GET", path: `${SESSIONS}/{id}`, patch: { amount: 1 }, times: 5 }],
  },
  down: {
    text: "The service answers 503 to every call for ten minutes of the sandbox's clock.",
    faults: callsOf(EVERY_CALL, PATHS, { status: 503, forMs: 10 * MINUTE_MS }),
  },
  slow: {
    text: "The service takes three seconds for every call, for ten minutes of the sandbox's clock.",
    faults: callsOf(EVERY_CALL, PATHS, { delayMs: 3_000, forMs: 10 * MINUTE_MS }),
  },
  busy: {
    text: "The service answers 429 to the next three calls of each kind.",
    faults: callsOf(["GET", "POST"], [SESSIONS, `${SESSIONS}/{id}`, "/refunds"], {
      status: 429,
      retryAfterSeconds: 1,
      times: 3,
    }),
  },
};

export const FAULT_NAMES = Object.keys(NAMED_FAULTS);

/** Adds a fault to those that are set. */
export async function addFault(control: SandboxControl, { faults = [], delivery }: NamedFault): Promise<void> {
  for (const fault of faults) await control("POST", "/faults", fault);
  if (delivery !== undefined) await control("PATCH", "/settings", { delivery });
}

/** Removes all faults and delivers webhooks as usual. */
export async function removeFaults(control: SandboxControl): Promise<void> {
  await control("DELETE", "/faults");
  await control("PATCH", "/settings", { delivery: USUAL_DELIVERY });
}

/** What is set now: the faults that are left, and how webhooks are delivered. */
export async function readFaults(control: SandboxControl): Promise<JsonRecord> {
  const [{ data = [] }, { delivery }] = await Promise.all([control("GET", "/faults"), control("GET", "/settings")]);
  return { faults: data, delivery };
}

const USUAL_DELIVERY = { duplicate: 0, reorder: false, dropFirst: 0, tamper: false };
