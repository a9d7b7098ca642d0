import type { ServiceClient } from "@tillkit/client";
import { createSandbox, type FaultRequest, type Sandbox } from "@tillkit/sandbox";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createSkippingClock } from "./clocks.ts";
import { createMerchant, type Merchant } from "./merchant.ts";
import { createWatchedClient, type TransportName, transports, type WatchedClient } from "./watched-client.ts";
import { customer } from "./writes.ts";

/** Writes that the service accepts without an Idempotency-Key. If one were retried, it could take effect twice. */
type KeylessWrite = {
  path: string;
  send(client: ServiceClient): Promise<unknown>;
  count(merchant: Merchant): Promise<number>;
};
const keylessWrites: Record<string, KeylessWrite> = {
  "a checkout session": {
    path: "/checkout-sessions",
    send: (client) => client.checkoutSessions.create({ amount: 5_000, currency_code: "XOF" }),
    count: (merchant) => merchant.countSessions(),
  },
  "a customer": {
    path: "/customers",
    send: (client) => client.customers.create({ name: customer.name, email: customer.email }),
    count: (merchant) => merchant.count("/customers"),
  },
};

type Fault = Omit<FaultRequest, "method" | "path">;
const faults: [string, Fault, { code: string; made: number }][] = [
  ["answered with 503", { status: 503 }, { code: "service_unavailable", made: 0 }],
  ["answered with 429", { status: 429 }, { code: "rate_limit_exceeded", made: 0 }],
  ["lost on the way to the service", { reset: true }, { code: "connection_failed", made: 0 }],
  ["processed and answered with 500", { when: "after", status: 500 }, { code: "internal_error", made: 1 }],
  ["processed and lost on the way back", { when: "after", reset: true }, { code: "connection_failed", made: 1 }],
  ["processed and cut in the middle of its answer", { cutBody: true }, { code: "response_truncated", made: 1 }],
];

let sandbox: Sandbox;
let merchant: Merchant;
let watched: WatchedClient;

beforeAll(async () => {
  sandbox = await createSandbox({ settings: { ratePolicy: "off" } });
});
afterAll(() => sandbox.close());

describe.each(Object.keys(transports) as TransportName[])("over %s,", (transport) => {
  beforeEach(async () => {
    merchant = await createMerchant(sandbox);
    watched = createWatchedClient(transport, sandbox.baseUrl, merchant.key, createSkippingClock(), {
      idempotencyKeys: "manual",
    });
  });

  describe.each(Object.entries(keylessWrites))("%s without an Idempotency-Key", (_, { path, send, count }) => {
    test.each(faults)("a write that is %s is sent once and reported", async (_, fault, expected) => {
      const before = await count(merchant);
      await sandbox.control.addFault({ ...fault, method: "POST", path });
      const error = await send(watched.client).catch(watched.recordAndReturn);
      expect(error).toMatchObject({ name: "ServiceError", code: expected.code });
      expect(watched.sent()).toBe(1);
      expect((await count(merchant)) - before).toBe(expected.made);
      watched.expectNothingPrivateRecorded();
    });
  });

  test.each(faults)("a read that is %s is repeated", async (_, fault) => {
    await sandbox.control.addFault({ ...fault, method: "GET", path: "/transactions/{id}" });
    const { data } = await watched.client.transactions.read(merchant.paidTransaction);
    expect(data).toMatchObject({ id: merchant.paidTransaction, status: "completed", grossAmount: 1_000_000 });
    expect(watched.sent()).toBe(2);
  });
});
