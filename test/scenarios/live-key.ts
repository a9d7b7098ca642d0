import { createBudget, createServiceClient, type Transport, type TransportResponse } from "@tillkit/client";
import type { Payment } from "@tillkit/core";
import { type Service, serviceFromClient } from "@tillkit/core/hosts";
import type { ManualClock } from "@tillkit/testkit";
import type { FakeService } from "./fake-service.ts";
import { MINUTE } from "./fixture.ts";

/** The service's rate limit for a live key. */
export const CALLS_A_MINUTE = 60;

/** Returns the number of calls in the busiest sixty seconds. Times in milliseconds since 1970. */
export function maxCallsInAMinute({ calls }: FakeService, from = 0, until = Number.POSITIVE_INFINITY): number {
  const times = calls.map(({ at }) => at).filter((at) => at >= from && at < until);
  let most = 0;
  // The index of the first call in the minute that ends with the current call.
  let first = 0;
  for (const [index, at] of times.entries()) {
    while ((times[first] ?? at) <= at - MINUTE) first += 1;
    most = Math.max(most, index - first + 1);
  }
  return most;
}

/** The real client with the call budget of a live key, connected to the fake service. */
export function connectWithLiveKey(fakeService: FakeService, clock: ManualClock): Service {
  const transport: Transport = async ({ method, url, headers, body }) => {
    if (fakeService.down) await failCall(fakeService);
    const { port } = fakeService;
    const path = new URL(url).pathname;
    if (method === "POST") {
      const request = new TextDecoder().decode(body);
      const key = headerOf(headers, "idempotency-key");
      const session = await port.openSession({ request, key, account: null, deadlineMs: 0 });
      const answer = { checkout_session_id: session.id, checkout_url: session.url };
      return asAnswer(201, { ...answer, expires_at: new Date(session.expiresAt).toISOString() });
    }
    const id = decodeURIComponent(path.split("/").at(-1) ?? "");
    if (path.startsWith("/transactions/")) {
      const transaction = await port.readTransaction({ id, account: null, deadlineMs: 0 });
      if (transaction === null)
        return asAnswer(404, { error: { code: "not_found", message: "Transaction not found" } });
      const { status, sessionId, refundedAmount } = transaction;
      return asAnswer(200, { id, status, checkout_session_id: sessionId, refunded_amount: refundedAmount });
    }
    const reading = await port.readSession({ session: { id } } as Payment, 0);
    return asAnswer(200, {
      id,
      status: reading.status,
      amount: reading.wireAmount,
      currency_code: reading.currency,
      metadata: { tillkit_reference: reading.reference },
      transaction_id: reading.transactionId,
    });
  };
  const client = createServiceClient({
    apiKey: `svc_sk_test_${"a".repeat(32)}`,
    baseUrl: "https://api.service.example",
    budget: createBudget({ environment: "live", clock }),
    clock: { now: clock.now, sleep: (ms, signal) => clock.sleep(Math.ceil(ms), signal) },
    transport,
  });
  return serviceFromClient(client, clock);
}

function headerOf(headers: Readonly<Record<string, string>>, lowerCaseName: string): string {
  return Object.entries(headers).find(([name]) => name.toLowerCase() === lowerCaseName)?.[1] ?? "";
}

function asAnswer(status: number, body: object): TransportResponse {
  const headers = { "content-type": "application/json" };
  return { status, headers, body: new TextEncoder().encode(JSON.stringify(body)) };
}

// A call to a service that is down is counted too, and its connection fails.
async function failCall({ port }: FakeService): Promise<never> {
  await port.readSession({ session: null } as Payment, 0).catch(() => undefined);
  throw new Error("connection refused");
}
