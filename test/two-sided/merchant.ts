import type { Sandbox } from "@tillkit/sandbox";

/** A sandbox merchant with two payments of a million francs: one by Wave, available, and one by card, on hold. */
export type Merchant = {
  readonly key: string;
  /** The transaction of the payment over Wave. */
  readonly paidTransaction: string;
  /** Reads from the service directly, without the client. */
  readonly read: (path: string) => Promise<Record<string, unknown>>;
  /** Counts the rows of this list at the service. */
  readonly count: (path: string) => Promise<number>;
  /** Counts the sessions of all merchants through the control API, because the service's API cannot list sessions. */
  readonly countSessions: () => Promise<number>;
  /** The available balance in francs. */
  readonly available: () => Promise<number>;
};

export async function createMerchant(sandbox: Sandbox): Promise<Merchant> {
  const { keys } = await sandbox.control.createOrganization("Marché des Épices");
  const key = keys.test.secret;
  const send = (path: string, body?: object) => request(sandbox.baseUrl + path, key, body);
  const pay = async (method: "wave" | "card") => {
    const session = await send("/checkout-sessions", { amount: 1_000_000, currency_code: "XOF" });
    return sandbox.control.paySession(String(session.id), { method, outcome: "completed" });
  };
  const { transaction_id } = await pay("wave");
  await pay("card");
  return {
    key,
    paidTransaction: String(transaction_id),
    read: send,
    count: async (path) => totalOf(await send(`${path}?limit=1`)),
    countSessions: async () => totalOf(await request(`${sandbox.controlUrl}/checkout-sessions?limit=1`, key)),
    async available() {
      const rows: unknown = await send("/accounts/balance?currency=XOF");
      return Number((rows as { balance: number }[])[0]?.balance);
    },
  };
}

function totalOf({ total_count }: Record<string, unknown>): number {
  return Number(total_count);
}

async function request(url: string, key: string, body?: object): Promise<Record<string, unknown>> {
  const answer = await fetch(url, {
    method: body === undefined ? "GET" : "POST",
    headers: { "X-API-Key": key, "Content-Type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`The service answered ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as Record<string, unknown>;
}
