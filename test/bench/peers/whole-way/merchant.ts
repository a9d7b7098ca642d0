import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { createServiceClient } from "@tillkit/client";
import { CHECKOUT_EVENTS } from "@tillkit/client/webhooks";
import { createSandbox, type Sandbox } from "@tillkit/sandbox";
import { STORE } from "./memory-store.ts";
import type { Credential, MerchantAnswer, MerchantRequest, Usage } from "./messages.ts";
import { createOrderClock } from "./order-clock.ts";

/** `cpuMs`: CPU time of all processes of the merchant for one order. `rssMb`: their memory at the end. */
export type WholeWay = {
  readonly cpuMs: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly perSecond: number;
  readonly rssMb: number;
};

/** A merchant's server in processes of its own, and the service in this one. */
export type Merchant = {
  /** Starts this many orders, `inFlight` at a time, pays each at once and waits until its store shows it as paid. */
  checkOut(orders: number, inFlight: number): Promise<WholeWay>;
  stop(): Promise<void>;
};

/**
 * All processes start checkouts and run jobs; the first one receives the webhooks.
 * @param program what `bundleContender` made of one-merchant.ts
 */
export async function startMerchant(program: URL, ledgerUrl: string, processes: number): Promise<Merchant> {
  const sandbox = await createSandbox({ settings: { ratePolicy: "off" } });
  const children = Array.from({ length: processes }, () =>
    fork(fileURLToPath(program), [ledgerUrl], { execArgv: [], env: { ...process.env, NODE_ENV: "production" } }),
  );
  const ports = await Promise.all(children.map((child) => answerOf<{ port: number }>(child, "port")));
  const credential = await credentialFor(sandbox, ports[0]?.port ?? 0);
  for (const child of children) child.send(credential);
  // Merchants with different numbers of processes share a ledger, and none may start an order of another.
  const clock = createOrderClock((number) => children[number % processes]?.send({ start: number }), processes * 1e9);
  for (const child of children) {
    child.on("message", (answer: MerchantAnswer) => {
      if ("opened" in answer) for (const url of answer.opened) void pay(sandbox, url);
      if ("paid" in answer) clock.paid(answer.paid);
    });
    child.once("exit", (code) => {
      if (code !== 0) throw new Error(`The merchant's server ended with code ${code}.`);
    });
  }

  return {
    async checkOut(orders, inFlight) {
      const before = await usageOf(children);
      const times = await clock.run(orders, inFlight);
      const after = await usageOf(children);
      return { ...times, cpuMs: (after.cpuMs - before.cpuMs) / orders, rssMb: after.rssMb };
    },
    async stop() {
      const exited = children.map((child) => once(child, "exit"));
      for (const child of children) child.disconnect();
      await Promise.all(exited);
      await sandbox.close();
    },
  };
}

async function credentialFor({ keys, baseUrl }: Sandbox, port: number): Promise<Credential> {
  const apiKey = keys.test.secret;
  const url = `http://127.0.0.1:${port}/hooks/service/main`;
  const { webhooks } = createServiceClient({ apiKey, baseUrl });
  const { data } = await webhooks.create({ url, authorized_events: [...CHECKOUT_EVENTS] });
  if (data.secret === undefined) throw new Error("The sandbox did not show the secret of its endpoint.");
  return { storeIds: [STORE], apiKey, baseUrl, endpointId: "main", webhookSecrets: [data.secret] };
}

async function pay({ control }: Sandbox, pageUrl: string): Promise<void> {
  const code = new URL(pageUrl).pathname.split("/").at(-1) ?? "";
  await control.paySession(code, { method: "wave", outcome: "completed" });
}

async function usageOf(children: readonly ChildProcess[]): Promise<Usage> {
  const request: MerchantRequest = { usage: true };
  const usages = children.map((child) => {
    child.send(request);
    return answerOf<Usage>(child, "cpuMs");
  });
  const addUsages = (left: Usage, right: Usage) => ({
    cpuMs: left.cpuMs + right.cpuMs,
    rssMb: left.rssMb + right.rssMb,
  });
  return (await Promise.all(usages)).reduce(addUsages);
}

/** The next answer that has this field. */
function answerOf<Answer>(child: ChildProcess, field: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null) => reject(new Error(`The merchant's server ended with code ${code}.`));
    const onAnswer = (answer: MerchantAnswer) => {
      if (!(field in answer)) return;
      child.off("message", onAnswer).off("exit", onExit);
      resolve(answer as Answer);
    };
    child.on("message", onAnswer).once("exit", onExit);
  });
}
