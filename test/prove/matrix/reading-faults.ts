import { eachOf, faultsAt, misleadingReads, READ, TRANSACTION_READS } from "./fault-rules.ts";
import type { ServiceFault } from "./faults.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const READS = [READ, ...TRANSACTION_READS];
/** The client does not retry reads that fail in these ways within one call. */
const LASTING = /^(401|403 for|404|200)/;
const lasting = Object.fromEntries(Object.entries(misleadingReads).filter(([name]) => LASTING.test(name)));

/** Faults of session reads, before and after the shopper paid. */
export const readingFaults: Readonly<Record<string, ServiceFault>> = {
  ...eachOf("reading:", misleadingReads, (rule) => ({ faults: faultsAt(READS, { ...rule, times: 3 }) })),
  ...eachOf("reading, now and then:", lasting, (rule) => ({
    faults: faultsAt(READS, { ...rule, share: 0.5, forMs: 10 * MINUTE_MS }),
  })),
  ...eachOf("reading, for an hour:", lasting, (rule) => ({
    faults: faultsAt(READS, { ...rule, forMs: HOUR_MS }),
    readsDownMs: HOUR_MS,
  })),
  ...eachOf("unpaid and read as:", misleadingReads, (rule) => ({
    afterUnpaidReturn: faultsAt(READS, { ...rule, times: 3 }),
  })),
  ...eachOf("unpaid and read for an hour as:", lasting, (rule) => ({
    afterUnpaidReturn: faultsAt(READS, { ...rule, forMs: HOUR_MS }),
    readsDownMs: HOUR_MS,
  })),
  "reads are stale for 10 s after the event": { settings: { staleReadsMs: 10_000 } },
  "reads are stale for a minute after the event": { settings: { staleReadsMs: MINUTE_MS } },
};
