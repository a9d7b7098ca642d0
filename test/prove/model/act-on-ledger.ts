import { recoverPayments } from "@tillkit/core";
import { hasOwnTerms } from "./events.ts";
import { engineOf, type ModelFixture } from "./fixture.ts";
import type { StepOf } from "./steps.ts";

/** Accidents of the ledger, and what an operator does with it. */
export async function actOnLedger(fixture: ModelFixture, step: StepOf<"restore" | "erase">): Promise<void> {
  if (step.kind === "restore") await restore(fixture, step.backup);
  else await erase(fixture, step.what);
}

async function restore(fixture: ModelFixture, backup: number): Promise<void> {
  const { backups, processes } = fixture;
  for (const { handle } of processes) handle.kill();
  await backups.restore(backup);
  forget(fixture);
  for (const index of processes.keys()) fixture.restart(index);
}

async function erase(fixture: ModelFixture, what: StepOf<"erase">["what"]): Promise<void> {
  const { ledger, store, orders } = fixture;
  // A write-only shop cannot be read, so its sessions would be lost with its records.
  if (what === "orders" || store.kind === "write-only") {
    await ledger.eraseOrders(orders.map(({ placed }) => placed.ref));
  } else {
    await ledger.eraseStore(store.storeId);
    forget(fixture);
  }
}

function forget({ recorder, service }: ModelFixture): void {
  recorder.forgetLedger();
  recorder.retries += 2;
  service.forgetEngine();
}

/** An operator adds what the service shows and the ledger lacks. */
export async function recover(fixture: ModelFixture, by: number): Promise<void> {
  const { recorder, service, account, startedAt } = fixture;
  const shown = service.money.transactions.flatMap(({ session }) =>
    session !== null && service.traits.reads !== "nothing" && hasOwnTerms(session) ? [session.key] : [],
  );
  recorder.signal(null);
  await recoverPayments(engineOf(fixture, by), {
    credentialId: "key",
    environment: "test",
    account,
    from: startedAt,
    endpoint: { id: "main", url: "https://shop.example/webhooks" },
  });
  for (const paymentId of shown) recorder.remembered.add(paymentId);
}
