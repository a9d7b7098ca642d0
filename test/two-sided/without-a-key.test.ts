import type { ServiceClient } from "@tillkit/client";
import { createSandbox, type FaultRequest, type Sandbox } from "@tillkit/sandbox";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createSkippingClock } from "./clocks.ts";
import { type Merchant, newMerchant } from "./merchant.ts";
import { type Form, forms, type WatchedClient, watchedClient } from "./watched-client.ts";
import { customer } from "./writes.ts";

/** Writes that the service accepts without an Idempotency-Key. A retry could take effect twice. */
type Keyless = {
  path: string;
  send(client: ServiceClient): Promise<unknown>;
  count(merchant: Merchant): Promise<number>;
};
const keyless: Record<string, Keyless> = {
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
  ["refused with 503", { status: 503 }, { code: "service_unavailable", made: 0 }],
  ["refused with 429", { status: 429 }, { code: "rate_limit_exceeded", made: 0 }],
  ["lost on the way there", { reset: true }, { code: "connection_failed", made: 0 }],
  ["taken and answered with 500", { when: "after", status: 500 }, { code: "internal_error", made: 1 }],
  ["taken and lost on the way back", { when: "after", reset: true }, { code: "connection_failed", made: 1 }],
  ["taken and cut in the middle of its answer", { cutBody: true }, { code: "response_truncated", made: 1 }],
];

let sandbox: Sandbox;
let merchant: Merchant;
let watched: WatchedClient;

beforeAll(async () => {
  sandbox = await createSandbox({ settings: { ratePolicy: "off" } });
});
afterAll(() => sandbox.close());

describe.each(Object.keys(forms) as Form[])("over %s,", (form) => {
  beforeEach(async () => {
    merchant = await newMerchant(sandbox);
    watched = watchedClient(form, sandbox.baseUrl, merchant.key, createSkippingClock());
  });

  describe.each(Object.entries(keyless))("%s without a key", (_, { path, send, count }) => {
    test.each(faults)("that is %s is sent once and reported", async (_, fault, expected) => {
      const before = await count(merchant);
      await sandbox.control.addFault({ ...fault, method: "POST", path });
      const error = await send(watched.client).catch(watched.print);
      expect(error).toMatchObject({ name: "ServiceError", code: expected.code });
      expect(watched.sent()).toBe(1);
      expect((await count(merchant)) - before).toBe(expected.made);
      watched.expectNothingPrivate();
    });
  });

  test.each(faults)("a read that is %s is asked again", async (_, fault) => {
    await sandbox.control.addFault({ ...fault, method: "GET", path: "/transactions/{id}" });
    const { data } = await watched.client.transactions.read(merchant.paidTransaction);
    expect(data).toMatchObject({ id: merchant.paidTransaction, status: "completed", grossAmount: 1_000_000 });
    expect(watched.sent()).toBe(2);
  });
});
