import type { Ledger } from "@tillkit/core";
import { formatCount } from "../../command-line/format-count.ts";
import { type LedgerAddress, openExistingLedger } from "../../options/ledger-option.ts";
import { bad, type Check, careful, good } from "./check.ts";

const MINUTE_MS = 60_000;
const LONGEST_WAIT_MS = 10 * MINUTE_MS;

/** Checks what a ledger knows: whether a server works on it, and what waits for a person. */
export async function* checkLedger(address: LedgerAddress): AsyncGenerator<Check> {
  const opened = await openExistingLedger({ ...address, readOnly: true }).catch((error: Error) =>
    bad("ledger", error.message),
  );
  if ("check" in opened) return yield opened;
  try {
    yield good("ledger", "The ledger answers.");
    yield* examineLedger(opened);
  } finally {
    await opened.close();
  }
}

async function* examineLedger(ledger: Ledger): AsyncGenerator<Check> {
  const dueAt = await ledger.nextDueAt();
  const waitedMs = dueAt === null ? 0 : Date.now() - dueAt;
  const waited = formatCount(Math.round(waitedMs / MINUTE_MS), "minute");
  yield waitedMs <= LONGEST_WAIT_MS
    ? good("work", "No job has been waiting for long.")
    : bad("work", `A job has been waiting for ${waited}: start the server that works on this ledger.`);
  const { dead } = await ledger.countJobs(Date.now());
  yield dead === 0
    ? good("dead-letters", "No job was given up.")
    : careful("dead-letters", `${formatCount(dead, "job")} given up: tillkit jobs --dead-letter shows why.`);
  const { HELD_STATES } = await import("@tillkit/core/back-office");
  const counts = await ledger.countPayments();
  const held = HELD_STATES.reduce((sum, state) => sum + counts[state], 0);
  yield held === 0
    ? good("holds", "No payment is held.")
    : careful("holds", `${formatCount(held, "payment")} held until the shop's owner decides: tillkit holds shows why.`);
}
