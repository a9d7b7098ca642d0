/** How to ask Medusa. Everything but the token is what the storefront's own client uses. */
export type CompleteAfterReturn = {
  /** `?tillkit=…` of the page that the shopper came back to. */
  readonly token: string;
  /** Medusa's address. */
  readonly backendUrl: string;
  readonly publishableKey: string;
  /** How long to wait for the order; 20 s unless set. Webhook and timer go on afterwards. */
  readonly waitMs?: number;
  readonly fetch?: typeof globalThis.fetch;
  readonly sleep?: (ms: number) => Promise<void>;
};

/**
 * `paid`: the order is there, show it. `waiting`: nothing has arrived yet: offer to look again. `held`: the payment arrived and
 * the shop looks at it: nobody should pay again. `lapsed`: the hosted page ran out: back to the checkout. `refunded`: the money
 * is on its way back. `unknown`: not one of our links, or too old.
 */
export type AfterReturn =
  | { readonly say: "paid"; readonly orderId: string }
  | { readonly say: "waiting" | "held" | "lapsed" | "refunded" | "unknown" };

const EVERY_MS = 2_000;
const WAIT_MS = 20_000;

/**
 * Asks Medusa to look at the payment and place its order, until there is an answer. The token alone says which order it is:
 * it works in another browser, in an in-app browser, and as often as one likes. A Medusa that does not answer counts as
 * waiting, never as a failed payment.
 */
export async function completeAfterReturn(options: CompleteAfterReturn): Promise<AfterReturn> {
  const { waitMs = WAIT_MS, sleep = sleepFor } = options;
  for (let waited = 0; ; waited += EVERY_MS) {
    const answer = await ask(options, waited > 0);
    if (answer.say !== "waiting" || waited + EVERY_MS > waitMs) return answer;
    await sleep(EVERY_MS);
  }
}

async function ask(options: CompleteAfterReturn, again: boolean): Promise<AfterReturn> {
  const { token, backendUrl, publishableKey, fetch = globalThis.fetch } = options;
  const url = `${backendUrl.replace(/\/+$/, "")}/store/tillkit/returns/${encodeURIComponent(token)}${again ? "?again" : ""}`;
  try {
    // Next remembers answers, even to a POST, unless it is told not to.
    const request = {
      method: "POST",
      headers: { "x-publishable-api-key": publishableKey },
      cache: "no-store",
    } as const;
    const response = await fetch(url, request);
    return readAnswer(await response.json());
  } catch {
    return { say: "waiting" };
  }
}

function readAnswer(answer: unknown): AfterReturn {
  if (typeof answer !== "object" || answer === null || !("say" in answer)) return { say: "waiting" };
  if (answer.say === "paid") {
    const orderId = "order_id" in answer ? answer.order_id : null;
    return typeof orderId === "string" ? { say: "paid", orderId } : { say: "waiting" };
  }
  return { say: OTHERS.find((one) => one === answer.say) ?? "waiting" };
}

const OTHERS = ["waiting", "held", "lapsed", "refunded", "unknown"] as const;

function sleepFor(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
