import { randomUUID } from "node:crypto";
import process from "node:process";
import type { Engine, Ledger, Payment, Refund } from "@tillkit/core";
import type { BackOffice, Choice, View } from "@tillkit/core/back-office";
import type { CommandLine, Option } from "../../command-line/command.ts";
import { UsageError } from "../../command-line/usage-error.ts";
import { findPaymentById, findTarget } from "../../options/find-target.ts";
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

export type Deciding = {
  readonly engine: Engine;
  readonly payment: Payment;
  /** The payment as the person sees it before they confirm. */
  readonly view: View;
  /**
   * Carries the choice out if the payment is still as `view` shows it, and returns its refund. `id` names the decision: a repeat of it is
   * answered with the result of the first. @throws Error with the reason for the person
   */
  decide(choice: Choice, id?: string): Promise<Refund | null>;
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
  run: (deciding: Deciding) => Promise<void>,
): Promise<void> {
  const [id = ""] = args.positionals;
  const { createEngine, silentLog, systemClock, systemRandom } = await import("@tillkit/core");
  const { personName, viewPayment } = await import("@tillkit/core/back-office");
  const { purposeKey, serviceFromClient } = await import("@tillkit/core/hosts");
  const by = personName(args.values.get("by"));
  if (by === null) throw new UsageError("Say who decides: --by <name or role>, without an e-mail address.");
  const [newestKey, ...olderKeys] = needs === "keys" ? signingKeys() : [randomUUID()];
  const client = needs === "ledger" ? null : await openRequiredService(args);
  await withLedger(args, async (ledger) => {
    const payment = await findPayment(ledger, id);
    const refuse = async () => {
      throw new Error(
        "The shop may still be told of this payment, and this command reads no shop: try again in a few minutes.",
      );
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
    const office = { engine, acts: ledger };
    const view = await viewPayment(office, payment);
    await run({ engine, payment, view, decide: (choice, id) => carryOut(office, view, by, choice, id) });
  });
}

async function carryOut(
  office: BackOffice,
  { payment, seen }: View,
  by: string,
  choice: Choice,
  id: string | undefined,
): Promise<Refund | null> {
  const { decide, explainNotDone } = await import("@tillkit/core/back-office");
  const person = { by, right: "operator", storeId: null } as const;
  const named = id === undefined ? {} : { id };
  const decided = await decide(office, { ...choice, ...named, paymentId: payment.id, person, seen });
  if (decided.status === "done") return decided.refund;
  throw new Error(explainNotDone(decided, "en"));
}

/**
 * The payment that this text names: its ID, that of its session or transaction, the address of its page, or the number of an order
 * that has one payment.
 * @throws Error when there is none, UsageError when it could be several
 */
export async function findPayment(ledger: Ledger, text: string): Promise<Payment> {
  const target = await findTarget(ledger, text);
  const found =
    "ref" in target ? await ledger.paymentsOfOrder(target.ref) : [await findPaymentById(ledger, target.paymentId)];
  const [payment, ...others] = found.filter((one) => one !== null);
  if (payment === undefined)
    throw new Error(
      `There is no payment "${text}" in this ledger: tillkit explain <order> shows the payments of an order.`,
    );
  if (others.length === 0) return payment;
  const ids = [payment, ...others].map(({ id, state }) => `${id} (${state})`).join(", ");
  throw new UsageError(`The order ${text} has several payments: name one of ${ids}.`);
}

// Secrets never come from the command line, where other users could read them.
function signingKeys(): readonly [string, ...string[]] {
  const [newest, ...older] = (process.env.TILLKIT_KEYS ?? "").split(",").filter(Boolean);
  if (newest !== undefined) return [newest, ...older];
  throw new UsageError(
    "Set the environment variable TILLKIT_KEYS to the keys of the server's configuration, newest first, separated by commas: they sign the mark of a refund.",
  );
}
