import { listStoreBlocks } from "@tillkit/core/hosts";
import { findNeedsAttention } from "../../attention/needs-attention.ts";
import { serverLimits } from "../../limits.ts";
import { type Figures, figuresOf, takingsOf } from "../pages/figures.ts";
import { overviewPage, type Waiting } from "../pages/overview-page.ts";
import { PERIODS } from "../texts/figure-texts.ts";
import { type OperatorRequest, type OperatorResponse, pageResponse } from "./operator-request.ts";
import { barsOf, periodBefore } from "./period-bars.ts";
import { withOrders } from "./with-orders.ts";

export async function showOverview(request: OperatorRequest): Promise<OperatorResponse> {
  const { engine, ledger, context, query } = request;
  const { now, operator } = context;
  // What concerns the whole server is nothing that the owner of one shop can do something about.
  const isOwner = operator.storeId !== null;
  const [stuck, figures, storeIds, disputes, found, refusing] = await Promise.all([
    findNeedsAttention(engine, ledger, context),
    readFigures(request),
    request.storeIds(),
    ledger.listDisputes({ open: true, environment: context.mode, limit: serverLimits.maxAlertRows }),
    isOwner ? [] : request.findWarnings(),
    isOwner ? [] : listStoreBlocks(ledger.records, { now, endedSince: now }),
  ]);
  // A shop that begins with a test key needs no attention.
  const warnings = found.filter(({ code }) => code !== "test_key");
  const [jobs, failing] = await Promise.all([withOrders(ledger, stuck.jobs), withOrders(ledger, stuck.failing)]);
  const overview = {
    stuck,
    warnings,
    jobs,
    failing,
    figures,
    storeIds,
    openBreakers: isOwner ? [] : engine.circuitBreakers.list(),
    refusing,
    openDisputes: disputes.rows,
    waiting: await countWaiting(request, disputes.rows.length, jobs.length),
    query,
  };
  return pageResponse(overviewPage(overview, context));
}

/** How many things wait for a person. The owner of one shop has no counts of the whole ledger: what was read for the lists is counted. */
async function countWaiting({ ledger, context }: OperatorRequest, disputes: number, dead: number): Promise<Waiting> {
  const { counts, mode: environment } = context;
  const payments =
    counts?.payments ?? (await ledger.countPayments({ environment, atMost: serverLimits.maxCountedRows }));
  return {
    held: payments.review + payments.duplicate,
    disputes: counts?.disputes.open ?? disputes,
    dead: counts?.jobs.dead ?? dead,
    orphans: counts?.deliveries.orphan ?? 0,
  };
}

async function readFigures({ engine, ledger, context, query }: OperatorRequest): Promise<Figures> {
  const period = PERIODS.find((known) => known === query.period) ?? "7d";
  const storeId = query.store || null;
  const ofStore = { environment: context.mode, ...(storeId === null ? {} : { storeId }) };
  const now = engine.clock.now();
  const { bars, until } = barsOf(period, now, context.zone);
  const [statistics, before, today, yesterday, refunds] = await Promise.all([
    ledger.paymentStatistics({ bars, until, ...ofStore }),
    ledger.paymentStatistics({ ...periodBefore(period, now, context.zone), ...ofStore }),
    ledger.paymentStatistics({ ...barsOf("1d", now, context.zone), ...ofStore }),
    ledger.paymentStatistics({ ...periodBefore("1d", now, context.zone), ...ofStore }),
    ledger.listRefunds({ from: bars[0] ?? until, until, limit: serverLimits.maxSummedRefunds, ...ofStore }),
  ]);
  const completed = refunds.rows.filter(({ state }) => state === "completed");
  const refunded = { refunds: { count: completed.length, hasMore: refunds.next !== null } };
  const days = { today: takingsOf(today.groups), yesterday: takingsOf(yesterday.groups) };
  return figuresOf({ statistics, ...days, before: before.groups, ...refunded, period, storeId, bars });
}
