export type CompleteCheckoutOptions = {
  /** The parameter `tillkit` of the URL that the shopper returned to. */
  readonly token: string;
  /** Medusa's absolute URL, such as `https://medusa.example.com`. */
  readonly backendUrl: string;
  readonly publishableKey: string;
  /** How long to wait for the order; 20 s by default. Webhook and work timer continue afterwards. */
  readonly waitMs?: number;
  readonly fetch?: typeof globalThis.fetch;
  readonly sleep?: (ms: number) => Promise<void>;
};

/**
 * `paid`: the order exists, show it. `waiting`: no payment yet, offer to check again. `held`: a payment was received and is
 * being checked; the shopper must not pay again. `expired`: the hosted page expired, go back to the checkout. `refunded`: the
 * payment was refunded. `unknown`: the link is invalid or too old.
 */
export type CheckoutResult =
  | { readonly status: "paid"; readonly orderId: string }
  | { readonly status: "waiting" | "held" | "expired" | "refunded" | "unknown" };

const POLL_INTERVAL_MS = 2_000;
const DEFAULT_WAIT_MS = 20_000;

/**
 * Asks Medusa to confirm the payment and to place its order, and repeats the request while the result is `waiting`. The
 * token alone identifies the payment: any browser may call this any number of times. A failed request counts as `waiting`,
 * never as a failed payment, and is not thrown.
 * @throws Error when `backendUrl` is no absolute URL, because no request would ever reach Medusa
 */
export async function completeCheckout(options: CompleteCheckoutOptions): Promise<CheckoutResult> {
  const { waitMs = DEFAULT_WAIT_MS, sleep = sleepFor } = options;
  assertBackendUrl(options.backendUrl);
  for (let waitedMs = 0; ; waitedMs += POLL_INTERVAL_MS) {
    const result = await requestResult(options, { isRepeat: waitedMs > 0 });
    if (result.status !== "waiting" || waitedMs + POLL_INTERVAL_MS > waitMs) return result;
    await sleep(POLL_INTERVAL_MS);
  }
}

function assertBackendUrl(url: unknown): void {
  if (typeof url === "string" && /^https?:\/\/[^/]/.test(url)) return;
  const variables =
    "NEXT_PUBLIC_MEDUSA_BACKEND_URL in the DTC starter, MEDUSA_BACKEND_URL in the older Next.js starter";
  throw new Error(
    `completeCheckout needs backendUrl, Medusa's absolute URL. Set the variable that holds it: ${variables}.`,
  );
}

async function requestResult(
  options: CompleteCheckoutOptions,
  { isRepeat }: { readonly isRepeat: boolean },
): Promise<CheckoutResult> {
  const { token, backendUrl, publishableKey, fetch = globalThis.fetch } = options;
  const query = isRepeat ? "?again" : "";
  const url = `${backendUrl.replace(/\/+$/, "")}/store/tillkit/returns/${encodeURIComponent(token)}${query}`;
  try {
    // Next.js caches answers, even to a POST, without `no-store`.
    const request = {
      method: "POST",
      headers: { "x-publishable-api-key": publishableKey },
      cache: "no-store",
    } as const;
    const response = await fetch(url, request);
    return readResult(await response.json());
  } catch {
    return { status: "waiting" };
  }
}

function readResult(answer: unknown): CheckoutResult {
  if (typeof answer !== "object" || answer === null || !("status" in answer)) return { status: "waiting" };
  if (answer.status === "paid") {
    const orderId = "order_id" in answer ? answer.order_id : null;
    return typeof orderId === "string" ? { status: "paid", orderId } : { status: "waiting" };
  }
  return { status: UNPAID_STATUSES.find((status) => status === answer.status) ?? "waiting" };
}

const UNPAID_STATUSES = ["waiting", "held", "expired", "refunded", "unknown"] as const;

function sleepFor(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
