import type { ServiceClient } from "@tillkit/client";
import type { EventName } from "@tillkit/client/webhooks";
import { type JsonRecord, type SandboxControl, textOf } from "../../options/sandbox-control.ts";

/** `session` is null when the scenario opens a new session. */
export type Stage = {
  readonly control: SandboxControl;
  readonly client: ServiceClient;
  readonly session: string | null;
};

/** The IDs of what a scenario created, by noun. */
export type CreatedIds = Readonly<Record<string, string>>;

/** For each event, the steps that make the service send it. Earlier steps send their own events too, as in reality. */
export const scenarios: Readonly<Record<EventName, (stage: Stage) => Promise<CreatedIds>>> = {
  PAYMENT_CREATED: (stage) => pay(stage, "wave", "pending"),
  PAYMENT_SUCCEEDED: (stage) => pay(stage, "wave", "completed"),
  PAYMENT_FAILED: (stage) => pay(stage, "card", "failed"),
  REFUND_CREATED: (stage) => refund(stage, null),
  REFUND_COMPLETED: (stage) => refund(stage, "complete"),
  REFUND_FAILED: (stage) => refund(stage, "fail"),
  DISPUTE_CREATED: dispute,
  DISPUTE_UPDATED: async (stage) => {
    const made = await dispute(stage);
    await stage.control("PATCH", `/disputes/${made.dispute}`, { status: "resolved" });
    return made;
  },
  DISPUTE_CLOSED: async (stage) => {
    const made = await dispute(stage);
    await stage.control("POST", `/disputes/${made.dispute}/close`, { outcome: "lost" });
    return made;
  },
  SUBSCRIPTION_CREATED: (stage) => subscribe(stage, null),
  SUBSCRIPTION_UPDATED: (stage) => subscribe(stage, "pause"),
  SUBSCRIPTION_RENEWED: (stage) => subscribe(stage, "renew"),
  SUBSCRIPTION_CANCELLED: (stage) => subscribe(stage, "cancel"),
  "test.webhook": sendTests,
};

async function pay({ control, client, session }: Stage, method: string, outcome: string): Promise<CreatedIds> {
  const id = session ?? (await openSession(client));
  const transaction = await control("POST", `/checkout-sessions/${encodeURIComponent(id)}/pay`, { method, outcome });
  return { session: id, transaction: textOf(transaction, "transaction_id") };
}

async function openSession(client: ServiceClient): Promise<string> {
  const body = { amount: 5000, currency_code: "XOF", title: "tillkit trigger" } as const;
  return (await client.checkoutSessions.create(body)).data.id;
}

// A sandbox can only fail a refund that is pending, so a setting keeps new refunds pending for a moment.
async function refund(stage: Stage, end: "complete" | "fail" | null): Promise<CreatedIds> {
  const made = await pay(stage, "card", "completed");
  const { client, control } = stage;
  const transaction = (await client.transactions.read(made.transaction ?? "")).data;
  const previousSetting = textOf(await control("GET", "/settings"), "refunds");
  await control("PATCH", "/settings", { refunds: "pending" });
  try {
    const body = { transaction_id: made.transaction ?? "", amount: transaction.grossAmount ?? 0 };
    const { data } = await client.refunds.create(body);
    if (end !== null) await control("POST", `/refunds/${data.id}/${end}`);
    return { ...made, refund: data.id };
  } finally {
    await control("PATCH", "/settings", { refunds: previousSetting });
  }
}

async function dispute(stage: Stage): Promise<CreatedIds> {
  const made = await pay(stage, "card", "completed");
  const opened = await stage.control("POST", "/disputes", { transaction_id: made.transaction, reason: "fraudulent" });
  return { ...made, dispute: textOf(opened, "dispute_id") };
}

async function subscribe({ control }: Stage, change: "pause" | "renew" | "cancel" | null): Promise<CreatedIds> {
  const created: JsonRecord = await control("POST", "/subscriptions", {});
  const id = textOf(created, "subscription_id");
  if (change !== null) await control("POST", `/subscriptions/${id}/${change}`, {});
  return { subscription: id };
}

async function sendTests({ client }: Stage): Promise<CreatedIds> {
  const endpoints = await client.webhooks.list().toArray({ limit: 100 });
  if (endpoints.length === 0) throw new Error("There is no webhook endpoint to test: see tillkit webhooks create.");
  for (const { id } of endpoints) if (id !== undefined) await client.webhooks.test(id);
  return { endpoints: endpoints.map(({ id }) => id).join(" ") };
}
