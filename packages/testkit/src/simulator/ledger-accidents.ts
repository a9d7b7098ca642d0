import { HOUR, MINUTE } from "./hazards/durations.ts";
import { happens, randomMs } from "./hazards/random-choice.ts";
import { repeatRefundsAfterRestore } from "./simulated-owner.ts";
import { CREDENTIAL_ID, ENVIRONMENT } from "./simulated-process.ts";
import { addHistory, anyAlive, type SimulationWorld, wakeWorker, withTimeout } from "./simulation-world.ts";
import { deliver, hasOwnTerms, withFreshId } from "./webhook-sender.ts";

/** Longer than a shop without conditional writes works on a request. */
const STOPPED_MS = 3 * MINUTE;

/** An older backup replaces the ledger while all processes are stopped. Then everything arrives again that can. */
export async function restoreBackup(world: SimulationWorld): Promise<void> {
  const { clock, hazards, ledger, processes } = world;
  const { restore } = hazards.money;
  if (restore === null) return;
  await clock.sleep(restore.backupAtMs);
  ledger.takeBackup();
  addHistory(world, "the ledger: backup");
  await clock.sleep(restore.restoreAtMs - restore.backupAtMs);
  world.isStopped = true;
  for (const { handle } of processes) handle.kill();
  // The guide says so: the restored ledger knows nothing of the requests that were on their way.
  await clock.sleep(STOPPED_MS);
  const restored = ledger.restore();
  // Opening a database takes real time, in which the clock stands still.
  clock.waitFor(restored);
  await restored;
  forgetLedger(world);
  addHistory(world, "the ledger: restored from the backup, all processes start again");
  world.isStopped = false;
  for (const _ of processes) wakeWorker(world);
  redeliverAtRandom(world, restore.redelivers);
  repeatRefundsAfterRestore(world);
  if (restore.recoversAfterMs === null) return;
  await clock.sleep(restore.recoversAfterMs);
  await recover(world);
}

/** That moment, or one at which the processes run again if a restore would stop them within a minute of it. */
export function outsideRestore({ hazards, startedAt }: SimulationWorld, moment: number): number {
  const { restore } = hazards.money;
  if (restore === null) return moment;
  const stopsAt = startedAt + restore.restoreAtMs;
  const runsAt = stopsAt + STOPPED_MS + MINUTE;
  return moment > stopsAt - MINUTE && moment < runsAt ? runsAt : moment;
}

/** The last moment at which the accidents of the seed still cause something, in milliseconds since 1970. */
export function endOfAccidents({ hazards, startedAt }: SimulationWorld): number {
  const { restore, erase } = hazards.money;
  const afterRestore = restore === null ? 0 : restore.restoreAtMs + 32 * HOUR;
  const afterErasure = erase === null ? 0 : erase.atMs + HOUR;
  return startedAt + Math.max(afterRestore, afterErasure);
}

/** The rows of finished payments are erased. Afterwards, events of these payments arrive once more. */
export async function eraseFinished(world: SimulationWorld): Promise<void> {
  const { clock, hazards, ledger, store, orders } = world;
  const { erase } = hazards.money;
  if (erase === null || !ledger.eraseOrders || !ledger.eraseStore) return;
  await clock.sleep(erase.atMs);
  // A write-only shop cannot be read, so its sessions are lost with its records.
  const isWhole = erase.what === "store" && store.kind !== "write-only";
  const { erased } = isWhole
    ? await ledger.eraseStore(store.storeId)
    : await ledger.eraseOrders(orders.map(({ placed }) => placed.ref));
  addHistory(world, `the ledger: ${erased} payments ${isWhole ? "deleted" : "emptied"}`);
  if (isWhole) forgetLedger(world);
  redeliverAtRandom(world, 1);
}

// What was observed of the old ledger is no history of the restored one, and the restored ledger may read everything again. What signals
// had named to the old one, after an earlier loss, they may never name to the restored one.
export function forgetLedger(world: SimulationWorld): void {
  const { clock, tallies, service, stateChanges, knownStates, remembered } = world;
  world.restoredAt = clock.now();
  world.startsAtLoss = new Map(world.startsUnderWay);
  remembered.clear();
  for (const tally of Object.values(tallies)) tally.clear();
  service.calls.clear();
  service.transactionReads.clear();
  stateChanges.length = 0;
  knownStates.clear();
}

function redeliverAtRandom(world: SimulationWorld, probability: number): void {
  const { clock, moneyRandom, webhooks } = world;
  const seen = new Set<object>();
  for (const { webhook } of [...webhooks]) {
    if (!webhook.genuine || webhook.event === "unrelated" || seen.has(webhook)) continue;
    seen.add(webhook);
    if (!happens(moneyRandom, probability)) continue;
    const again = happens(moneyRandom, 0.5) ? webhook : withFreshId(world, webhook);
    clock.setTimer(1 + randomMs(moneyRandom, 30 * MINUTE), () => void deliver(world, again));
  }
}

/** An operator repeats the recovery until it succeeds. */
export async function recover(world: SimulationWorld): Promise<void> {
  const { clock, startedAt, hazards } = world;
  const options = {
    credentialId: CREDENTIAL_ID,
    environment: ENVIRONMENT,
    account: hazards.account,
    from: startedAt,
    endpoint: { id: "main", url: "https://shop.example/webhooks" },
  };
  for (let tries = 0; tries < 100; tries += 1) {
    const shown = recoverablePayments(world);
    const app = anyAlive(world)?.app;
    const result = app && (await withTimeout(world, 10 * MINUTE, app.recover(options)).catch(() => null));
    addHistory(world, `recovery → ${result ? "done" : "failed"}`);
    if (result) {
      for (const paymentId of shown) world.remembered.add(paymentId);
      return;
    }
    await clock.sleep(2 * MINUTE);
  }
}

/** The payments that the service's list of transactions proves to be ours. A service that forgets lists none of them for certain. */
function recoverablePayments({ service, hazards, clock }: SimulationWorld): readonly string[] {
  const { naming } = hazards.money;
  if (!naming.session || !naming.reference || hazards.time.broken === "forgets") return [];
  const listedUntil = clock.now() - hazards.service.listLagMs;
  return service.transactions.flatMap(({ session, completedAt }) =>
    hasOwnTerms(session) && completedAt <= listedUntil ? [session.key] : [],
  );
}
