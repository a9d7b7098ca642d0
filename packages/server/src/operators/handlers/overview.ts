import { findNeedsAttention } from "../../attention/needs-attention.ts";
import { serverLimits } from "../../limits.ts";
import { dateIn, startOfDay } from "../../pages/zone-time.ts";
import { type Figures, figuresOf } from "../pages/figures.ts";
import { overviewPage } from "../pages/overview-page.ts";
import { PERIODS, type Period } from "../texts/figure-texts.ts";
import { type OperatorRequest, type OperatorResponse, pageResponse } from "./operator-request.ts";

const HOUR_MS = 3_600_000;

export async function showOverview(request: OperatorRequest): Promise<OperatorResponse> {
  const { engine, ledger, count, context, query } = request;
  const [counts, stuck, figures, storeIds] = await Promise.all([
    count(),
    findNeedsAttention(engine, ledger, context.language),
    readFigures(request),
    request.storeIds(),
  ]);
  const overview = { counts, stuck, figures, storeIds, down: engine.circuitBreakers.list(), query };
  return pageResponse(overviewPage(overview, context));
}

async function readFigures({ engine, ledger, context, query }: OperatorRequest): Promise<Figures> {
  const period = PERIODS.find((one) => one === query.period) ?? "7d";
  const storeId = query.store || null;
  const ofStore = storeId === null ? {} : { storeId };
  const bars = barsOf(period, engine.clock.now(), context.zone);
  const times = { from: bars.from, until: bars.from + bars.bucketCount * bars.bucketMs };
  const [statistics, refunds] = await Promise.all([
    ledger.paymentStatistics({ ...times, bucketMs: bars.bucketMs, ...ofStore }),
    ledger.listRefunds({ ...times, ...ofStore, limit: serverLimits.maxSummedRefunds }),
  ]);
  const wantedEnvironment = query.mode === "live" || query.mode === "test" ? query.mode : null;
  const refunded = {
    refunds: refunds.rows.filter(({ state }) => state === "completed"),
    areMoreRefunds: refunds.next !== null,
  };
  return figuresOf({ statistics, ...refunded, wantedEnvironment, period, storeId, ...bars });
}

// The bars of 24 hours begin at full hours, all others at midnight of the operator's zone.
function barsOf(period: Period, now: number, zone: string) {
  if (period === "24h") {
    const hour = Math.floor(now / HOUR_MS) * HOUR_MS;
    return { from: hour - 23 * HOUR_MS, bucketMs: HOUR_MS, bucketCount: 24 };
  }
  const bucketCount = Number.parseInt(period, 10);
  const today = startOfDay(dateIn(now, zone), zone) ?? now;
  return { from: today - (bucketCount - 1) * serverLimits.dayMs, bucketMs: serverLimits.dayMs, bucketCount };
}
