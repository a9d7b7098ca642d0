import { setTimeout as sleep } from "node:timers/promises";
import { type Ledger, openLedger } from "@tillkit/ledger";
import { openPair, type Pair } from "./pair.ts";
import { openShop } from "./shop.ts";
import { startWriters, type Writers, writtenNames } from "./writers.ts";

/** How the machine of the database dies. */
export const KINDS = ["killed", "silent", "standby first", "old primary returns", "asynchronous"] as const;
export type Kind = (typeof KINDS)[number];

/**
 * `lost`: acknowledged writes that are gone. `failed`: calls without a success. `settled`: writes that had happened although their
 * answer was lost, found by their name. `stalledMs`: the time without a write.
 */
export type Round = {
  readonly violations: readonly string[];
  readonly acknowledged: number;
  readonly lost: number;
  readonly failed: number;
  readonly settled: number;
  readonly stalledMs: number;
};

const WRITES_BEFORE = 200;
const WRITES_AFTER = 100;
/** A silent machine may stop the ledger for the timeout of a write, and for a second to connect. */
const MAX_STALL_MS = 9_000;
const ALARM_MS = 10_000;
const POLL_MS = 50;

type RoundOptions = { open?(): Promise<Pair>; readonly maxStallMs?: number; readonly writeOnMs?: number };

/**
 * `strikeAfterMs`: when the machine dies, after shoppers began to pay and the merchant to refund.
 * @param options another pair, how long it may take until its standby has taken over, and how long writes go on after that
 */
export async function playRound(kind: Kind, strikeAfterMs: number, options: RoundOptions = {}): Promise<Round> {
  const {
    open = () => openPair({ synchronous: kind !== "asynchronous" }),
    maxStallMs = MAX_STALL_MS,
    writeOnMs = 0,
  } = options;
  const pair = await open();
  try {
    const ledger = await openLedger(pair.url);
    try {
      await untilStandbyHasTables(pair);
      return await play(kind, pair, ledger, { strikeAfterMs, maxStallMs, writeOnMs });
    } finally {
      await ledger.close();
    }
  } finally {
    await pair.close();
  }
}

/** A standby that took over without the ledger's tables would only show that the round began too early. */
async function untilStandbyHasTables({ standby }: Pair): Promise<void> {
  while ((await standby.query("select to_regclass('tillkit_records') is not null")) !== "t") await sleep(POLL_MS);
}

async function play(
  kind: Kind,
  pair: Pair,
  ledger: Ledger,
  { strikeAfterMs, maxStallMs, writeOnMs }: { strikeAfterMs: number; maxStallMs: number; writeOnMs: number },
): Promise<Round> {
  // An asynchronous standby may lose payments, so there the round has no shop and counts only writes.
  const shop = kind === "asynchronous" ? null : await openShop(ledger);
  const writers = startWriters(ledger);
  await writers.acknowledge(WRITES_BEFORE);
  const ordersSettled = shop?.payAndRefund() ?? Promise.resolve();
  // A failure is thrown below, where the promise is awaited.
  ordersSettled.catch(() => {});
  await sleep(strikeAfterMs);
  // The strike follows a write immediately, so that an asynchronous standby has not received everything.
  await writers.acknowledge(1);
  const diedAt = performance.now();
  const mistakes = await strikes[kind](pair, ledger);
  await writers.acknowledge(1);
  const stalledMs = performance.now() - diedAt;
  await writers.acknowledge(WRITES_AFTER);
  await sleep(writeOnMs);
  await ordersSettled;
  await writers.stop();
  const violations = [...mistakes, ...((await shop?.violations()) ?? []), ...stallViolations(stalledMs, maxStallMs)];
  await shop?.close();
  return await compare(kind, ledger, writers, { violations, stalledMs });
}

async function compare(
  kind: Kind,
  ledger: Ledger,
  { acknowledged, failures, settledByName }: Writers,
  { violations, stalledMs }: Pick<Round, "violations" | "stalledMs">,
): Promise<Round> {
  const present = await writtenNames(ledger);
  const lost = [...acknowledged].filter((name) => !present.has(name)).length;
  const lossViolation = kind === "asynchronous" ? missingLoss(lost) : unexpectedLoss(lost, acknowledged.size);
  return {
    violations: [...violations, ...lossViolation],
    acknowledged: acknowledged.size,
    lost,
    failed: failures(),
    settled: settledByName(),
    stalledMs,
  };
}

function missingLoss(lost: number): readonly string[] {
  if (lost > 0) return [];
  return ["An asynchronous standby lost no acknowledged write, so this tier would not see a loss."];
}

function unexpectedLoss(lost: number, acknowledged: number): readonly string[] {
  return lost === 0 ? [] : [`${lost} of ${acknowledged} acknowledged writes are gone.`];
}

function stallViolations(stalledMs: number, maxStallMs: number): readonly string[] {
  if (stalledMs <= maxStallMs) return [];
  return [`Nothing was written for ${Math.round(stalledMs)} ms after the machine died.`];
}

/** Each lets the machine die and another machine take over. Returns what went wrong. */
export const strikes = {
  killed: loseMachine,
  async silent({ primary, takeOver }) {
    await primary.freeze();
    await takeOver();
    return [];
  },
  async "standby first"({ primary, standby }, ledger) {
    await standby.destroy();
    const mistakes = await alarmViolations(ledger);
    await primary.query("alter system set synchronous_standby_names = ''");
    await primary.query("select pg_reload_conf()");
    return mistakes;
  },
  async "old primary returns"({ primary, takeOver }) {
    await primary.kill();
    await takeOver();
    await primary.start();
    return await oldPrimaryViolations(primary);
  },
  asynchronous: loseMachine,
} satisfies Record<Kind, (pair: Pair, ledger: Ledger) => Promise<readonly string[]>>;

async function loseMachine({ primary, takeOver }: Pair): Promise<readonly string[]> {
  await primary.destroy();
  await takeOver();
  return [];
}

/** While commits wait for a standby that is gone, the ledger's condition must say so within seconds. */
async function alarmViolations(ledger: Ledger): Promise<readonly string[]> {
  for (const giveUpAt = performance.now() + ALARM_MS; performance.now() < giveUpAt; ) {
    if ((await ledger.condition?.().catch(() => null)) === "commits_wait") return [];
    await sleep(POLL_MS);
  }
  return ["The standby was gone for ten seconds, and the ledger's condition was not commits_wait."];
}

/** The old primary still waits for its standby, so it must acknowledge no write. */
async function oldPrimaryViolations(primary: Pair["primary"]): Promise<readonly string[]> {
  const write = primary.query("create table returned (id int)", 500);
  const acknowledged = await write.then(
    () => true,
    () => false,
  );
  return acknowledged ? ["The old primary came back and acknowledged a write."] : [];
}
