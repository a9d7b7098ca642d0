import { createSandbox, type Sandbox } from "@tillkit/sandbox";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createSkippingClock } from "./clocks.ts";
import { createMerchant, type Merchant } from "./merchant.ts";
import { createWatchedClient, type TransportName, transports } from "./watched-client.ts";

const title = "Àṣọ òkè « Épicé » · 布 · 🧵 · \u2067عربي\u2069 · e\u0301 · \u2028";
/**
 * More than one network packet, so that packets end in the middle of characters. Three of four values start later in the text, so
 * that different characters are split.
 */
const metadata = Object.fromEntries(
  Array.from({ length: 50 }, (_, index) => [`clé ${index} ✓`, "🧵布é".repeat(200).slice(index % 4 === 0 ? 0 : 3)]),
);

let sandbox: Sandbox;
let merchant: Merchant;
beforeAll(async () => {
  sandbox = await createSandbox({ settings: { ratePolicy: "off" } });
  merchant = await createMerchant(sandbox);
});
afterAll(() => sandbox.close());

describe.each(Object.keys(transports) as TransportName[])("over %s,", (transport) => {
  test("a title and large metadata come back letter by letter as they were sent, also after a cut answer", async () => {
    const { client } = createWatchedClient(transport, sandbox.baseUrl, merchant.key, createSkippingClock());
    await sandbox.control.addFault({ method: "POST", path: "/checkout-sessions", cutBody: true });
    const body = { amount: 5_000, currency_code: "XOF" as const, title, metadata };
    const { data, replayed } = await client.checkoutSessions.create(body, {
      idempotencyKey: `letters over ${transport}`,
    });
    expect(replayed).toBe(true);
    expect(data).toMatchObject({ title, metadata });

    const stored = await client.checkoutSessions.read(data.id);
    expect(stored.data).toMatchObject({ title, metadata });
    expect(await merchant.read(`/checkout-sessions/${data.id}`)).toMatchObject({ title, metadata });
  });

  test("an error message keeps its letters with accents", async () => {
    const { client } = createWatchedClient(transport, sandbox.baseUrl, merchant.key, createSkippingClock());
    const message = "Le montant dépasse ce qui a été payé · 布";
    await sandbox.control.addFault({ method: "POST", path: "/refunds", patch: { error: { message } } });
    const refund = { transaction_id: merchant.paidTransaction, amount: 9_000_000 };
    await expect(client.refunds.create(refund, { idempotencyKey: `refund over ${transport}` })).rejects.toMatchObject({
      code: "amount_invalid",
      message: expect.stringContaining(message),
    });
  });
});
