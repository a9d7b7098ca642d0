import {
  createBudget,
  createNodeTransport,
  createServiceClient,
  isLoopbackUrl,
  type ServiceClient,
  type Transport,
} from "@tillkit/client";
import { type AmountUnit, fromWire } from "@tillkit/core";
import { AuditError } from "../../audit-error.ts";
import type { MovementCoverage } from "../../facts/facts.ts";
import { auditLimits } from "../../limits.ts";
import { createReadOnlyTransport } from "../read-only.ts";
import type { MovementReader, ReadJob } from "../reader.ts";
import type { ParseOptions } from "./parse-movements.ts";
import { readDisputes } from "./read-disputes.ts";
import { readLists } from "./read-lists.ts";
import { readSessions } from "./read-sessions.ts";

export type ServiceReaderOptions = {
  readonly baseUrl: string;
  readonly secretKey: string;
  readonly unit?: AmountUnit | undefined;
  readonly account?: string | undefined;
  readonly orderFields?: readonly string[] | undefined;
  readonly transport?: Transport | undefined;
};

/** A job with the client of one key, whose calls are counted by the day. */
export type ServiceJob = ReadJob & {
  readonly client: ServiceClient;
  readonly parse: ParseOptions;
  call<Answer>(send: () => PromiseLike<Answer>): Promise<Answer>;
};

/** Reads transactions, refunds, disputes and balances of one secret key, by GET only. @throws ServiceError, AuditError `day_used_up` */
export function createServiceReader(options: ServiceReaderOptions): MovementReader {
  const { baseUrl, secretKey } = options;
  const transport = createReadOnlyTransport(options.transport ?? createNodeTransport());
  const environment = secretKey.startsWith("svc_sk_live_") ? "live" : "test";
  const source = `service ${environment}`;

  async function read(job: ReadJob): Promise<MovementCoverage> {
    const client = createServiceClient({
      apiKey: secretKey,
      baseUrl,
      account: options.account,
      transport,
      deadlineMs: auditLimits.callDeadlineMs,
      ...(isLoopbackUrl(baseUrl) ? {} : { budget: createBudget({ environment }) }),
    });
    const parse: ParseOptions = {
      unit: options.unit ?? "minor",
      environment: client.environment,
      orderFields: options.orderFields ?? [],
      hashCustomer: job.hashCustomer,
    };
    const service: ServiceJob = { ...job, client, parse, call: createCounter(job) };
    const from = job.from - auditLimits.movementsBeforeMs;
    const until = Math.min(job.until + auditLimits.marginAfterMs, job.now);
    await readLists(service, source, { from, until });
    await readSessions(service);
    const disputesSince = await readDisputes(service, from);
    await readBalances(service);
    return { from, until, environments: [client.environment], disputesSince };
  }

  return { source, read };
}

/** Refuses calls above the audit's share of a day, which is counted in the store and so survives a restart. */
function createCounter({ store, clock }: ReadJob): ServiceJob["call"] {
  return async (send) => {
    const name = `calls ${new Date(clock.now()).toISOString().slice(0, "2026-01-31".length)}`;
    const count = Number((await store.mark(name)) ?? 0) + 1;
    if (count > auditLimits.callsPerDay)
      throw new AuditError(
        "day_used_up",
        "This key's calls of today are used up, and the shop needs the rest: run the same command tomorrow, it goes on from here.",
      );
    await store.setMark(name, String(count));
    return await send();
  };
}

/** One reading an hour is kept. */
const HOUR = 3_600_000;

async function readBalances({ client, call, store, now, parse, signal }: ServiceJob): Promise<void> {
  const { data } = await call(() => client.accounts.balance({}, { signal }));
  const facts = data.items.flatMap(({ currencyCode, balance, lastUpdated }) => {
    const amount = balance === undefined ? null : fromWire(balance, currencyCode.toUpperCase(), parse.unit);
    if (amount === null) return [];
    // In the service's own time, as the movements.
    const fact = { amount, at: Math.min(lastUpdated ?? now, now), environment: client.environment };
    return [{ kind: "balance" as const, id: `${currencyCode} ${Math.floor(now / HOUR)}`, at: now, fact }];
  });
  await store.save(facts);
}
