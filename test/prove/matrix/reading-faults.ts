import { faultPerRule, faultsAt, misleadingReads, READ, TRANSACTION_READS } from "./fault-rules.ts";
import type { ServiceFault } from "./faults.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const READS = [READ, ...TRANSACTION_READS];
/** Answers after which the client does not repeat the read within the same call. */
const LASTING_READS: readonly string[] = [
  "401 unauthorized",
  "403 forbidden",
  "404 not_found",
  "200 with {}",
  "200 without a body",
];
const lasting = Object.fromEntries(Object.entries(misleadingReads).filter(([name]) => LASTING_READS.includes(name)));

/** Faults of session reads, before and after the shopper paid. */
export const readingFaults: Readonly<Record<string, ServiceFault>> = {
  ...faultPerRule("reading:", misleadingReads, (rule) => ({ faults: faultsAt(READS, { ...rule, times: 3 }) })),
  ...faultPerRule("reading, now and then:", lasting, (rule) => ({
    faults: faultsAt(READS, { ...rule, share: 0.5, forMs: 10 * MINUTE_MS }),
  })),
  ...faultPerRule("reading, for an hour:", lasting, (rule) => ({
    faults: faultsAt(READS, { ...rule, forMs: HOUR_MS }),
    readsDownMs: HOUR_MS,
  })),
  ...faultPerRule("unpaid and read as:", misleadingReads, (rule) => ({
    afterUnpaidReturn: faultsAt(READS, { ...rule, times: 3 }),
  })),
  ...faultPerRule("unpaid and read for an hour as:", lasting, (rule) => ({
    afterUnpaidReturn: faultsAt(READS, { ...rule, forMs: HOUR_MS }),
    readsDownMs: HOUR_MS,
  })),
  "reads are stale for 10 s after the event": { settings: { staleReadsMs: 10_000 } },
  "reads are stale for a minute after the event": { settings: { staleReadsMs: MINUTE_MS } },
};
