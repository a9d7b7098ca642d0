import { randomUUID } from "node:crypto";
import process from "node:process";
import type { Engine, Ledger, Payment } from "@tillkit/core";
import type { CommandLine, Option } from "../../command-line/command.ts";
import { UsageError } from "../../command-line/usage-error.ts";
import { ledgerOptions, withLedger } from "../../options/ledger-option.ts";
import { openRequiredService, requiredServiceOptions } from "../../options/service-option.ts";

/** The options of every command with which a person decides about a payment. */
export const decisionOptions: Readonly<Record<string, Option>> = {
  by: { value: "name", description: "who decides, for the timeline: a name or a role, no e-mail address" },
  yes: { description: "confirm without being asked" },
  ...ledgerOptions,
};

/** The same for decisions that read or call the service: its key must be the key that opened the payment. */
export const serviceDecisionOptions: Readonly<Record<string, Option>> = {
  ...decisionOptions,
  ...requiredServiceOptions,
};

const MAX_NAME_LENGTH = 60;

export type Decision = {
  readonly engine: Engine;
  readonly ledger: Ledger;
  readonly payment: Payment;
  readonly by: string;
  /** Writes the decision into the log of acts, before it is carried out. */
  record(act: string, detail: string): Promise<void>;
};

/**
 * Runs a decision about the payment of the first argument on an engine that shares the ledger with the running server. The server
 * carries out what follows in the shop.
 *
 * @param needs what the decision needs besides the ledger: the service, or also the keys that sign the mark of a refund
 */
export async function withDecision(
  args: CommandLine,
  needs: "ledger" | "service" | "keys",
  decide: (decision: Decision) => Promise<void>,
): Promise<void> {
  const [id = ""] = args.positionals;
  const name = args.values.get("by") ?? "";
  const { createEngine, purposeKey, safeText, serviceFromClient, silentLog, systemClock, systemRandom } = await import(
    "@tillkit/core"
  );
  const by = name.trim().replace(/\s+/g, " ");
  if (by === "" || by.length > MAX_NAME_LENGTH || safeText(by) !== by)
    throw new UsageError("Say who decides: --by <name or role>, without an e-mail address.");
  const [newestKey, ...olderKeys] = needs === "keys" ? signingKeys() : [randomUUID()];
  const client = needs === "ledger" ? null : await openRequiredService(args);
  await withLedger(args, async (ledger) => {
    const payment = await findPayment(ledger, id);
    const refuse = async () => {
      throw new Error("This command reads no shop: the running server does.");
    };
    const engine = createEngine({
      ledger,
      tenants: {
        credentialFor: refuse,
        service: client === null ? refuse : async () => serviceFromClient(client, systemClock),
        endpoint: async () => null,
      },
      store: refuse,
      clock: systemClock,
      random: systemRandom,
      log: silentLog,
      referenceKeys: [purposeKey(newestKey, "reference"), ...olderKeys.map((key) => purposeKey(key, "reference"))],
      returnUrls: () => ({ success: "", cancel: "" }),
    });
    const record = (act: string, detail: string) =>
      ledger.recordAct({ at: systemClock.now(), by, act, paymentId: payment.id, detail });
    await decide({ engine, ledger, payment, by, record });
  });
}

/** The payment with this id, or of the session or transaction with this id or code. @throws Error when there is none */
export async function findPayment(ledger: Ledger, id: string): Promise<Payment> {
  const keys = [{ id }, { sessionId: id }, { transactionId: id }, { sessionCode: id }, { transactionCode: id }];
  for (const key of keys) {
    const payment = await ledger.find(key);
    if (payment) return payment;
  }
  throw new Error(
    `There is no payment "${id}" in this ledger: tillkit explain <order> shows the payments of an order.`,
  );
}

// Secrets never come from the command line, where other users could read them.
function signingKeys(): readonly [string, ...string[]] {
  const [newest, ...older] = (process.env.TILLKIT_KEYS ?? "").split(",").filter(Boolean);
  if (newest !== undefined) return [newest, ...older];
  throw new UsageError(
    "Set the environment variable TILLKIT_KEYS to the keys of the server's configuration, newest first, separated by commas: they sign the mark of a refund.",
  );
}
