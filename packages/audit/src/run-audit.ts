import { createHmac, randomBytes } from "node:crypto";
import type { Clock } from "@tillkit/core";
import { type Audit, type AuditRequest, audit } from "./audit.ts";
import type {
  BalanceFact,
  DisputeFact,
  Facts,
  MovementCoverage,
  OrderFact,
  PaymentFact,
  PayoutFact,
  RefundFact,
} from "./facts/facts.ts";
import { auditLimits } from "./limits.ts";
import type { MovementReader, OrderReader, Progress, Window } from "./readers/reader.ts";
import type { FactStore, StoredFact, StoredKind } from "./store/fact-store.ts";

export type RunAuditOptions = Window & {
  readonly store: FactStore;
  readonly clock: Clock;
  readonly movements: readonly MovementReader[];
  readonly shops: readonly OrderReader[];
  readonly signal: AbortSignal;
  readonly recheckMs?: number;
  readonly onProgress?: (progress: Progress) => void;
  readonly onGroup?: NonNullable<AuditRequest["onGroup"]>;
};

/** Reads both sides into the store, and compares them. Interrupted, it goes on where it was. */
export async function runAudit(options: RunAuditOptions): Promise<Audit> {
  return audit(await readFacts(options), { ...options });
}

async function readFacts(options: RunAuditOptions): Promise<Facts> {
  const { store, shops, movements, onProgress = () => undefined, recheckMs = auditLimits.recheckMs, ...job } = options;
  const salt = await readSalt(store);
  const hashCustomer = (text: unknown) =>
    typeof text !== "string" || text.trim() === ""
      ? null
      : createHmac("sha256", salt).update(text.trim().toLowerCase()).digest("hex").slice(0, 16);
  const jobOf = (source: string) => ({ ...job, recheckMs, store: store.source(source), onProgress, hashCustomer });
  // The key's budget is the slow part, and the shops are read beside it.
  const [coverages, covers] = await Promise.all([
    Promise.all(movements.map((reader) => reader.read(jobOf(reader.source)))),
    Promise.all(shops.map((reader) => reader.read(jobOf(`shop ${reader.shop}`)))),
  ]);
  const load = async <Fact extends StoredFact>(kind: StoredKind, sources: readonly string[]) => {
    const facts: Fact[] = [];
    for (const source of sources) for await (const fact of store.facts<Fact>(kind, source)) facts.push(fact);
    return facts;
  };
  const ofMovements = movements.map(({ source }) => source);
  const coverage = joinCoverages(coverages);
  const isIn = ({ at }: { readonly at: number }) => at >= coverage.from && at <= coverage.until;
  return {
    orders: await load<OrderFact>(
      "order",
      shops.map(({ shop }) => `shop ${shop}`),
    ),
    payments: (await load<PaymentFact>("payment", ofMovements)).filter(isIn),
    refunds: (await load<RefundFact>("refund", ofMovements)).filter(isIn),
    disputes: (await load<DisputeFact>("dispute", ofMovements)).filter(isIn),
    payouts: (await load<PayoutFact>("payout", ofMovements)).filter(isIn),
    balances: await load<BalanceFact>("balance", ofMovements),
    shops: covers,
    movements: coverage,
  };
}

/** What every key shows together. */
function joinCoverages(coverages: readonly MovementCoverage[]): MovementCoverage {
  const known = coverages.map(({ disputesSince }) => disputesSince).filter((since) => since !== null);
  return {
    from: Math.max(...coverages.map(({ from }) => from)),
    until: Math.min(...coverages.map(({ until }) => until)),
    environments: coverages.flatMap(({ environments }) => environments),
    disputesSince: known.length === 0 ? null : Math.max(...known),
  };
}

/** The key of the customers' hashes stays on this machine, so that they say nothing anywhere else. */
async function readSalt(store: FactStore): Promise<string> {
  const own = store.source("audit");
  const known = await own.mark("salt");
  if (known !== null) return known;
  const salt = randomBytes(32).toString("hex");
  await own.setMark("salt", salt);
  return salt;
}
