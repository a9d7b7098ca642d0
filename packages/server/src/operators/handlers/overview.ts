import { findNeedsAttention } from "../../attention/needs-attention.ts";
import { serverLimits } from "../../limits.ts";
import { dateIn, startOfDay } from "../../pages/zone-time.ts";
import { type Figures, figuresOf } from "../pages/figures.ts";
import { overviewPage } from "../pages/overview-page.ts";
import { PERIODS, type Period } from "../texts/figure-texts.ts";
import { withOrders } from "./jobs-with-orders.ts";
import { type OperatorRequest, type OperatorResponse, pageResponse } from "./operator-request.ts";

const HOUR_MS = 3_600_000;

export async function showOverview(request: OperatorRequest): Promise<OperatorResponse> {
  const { engine, ledger, countLedger, context, query } = request;
  const [counts, stuck, figures, storeIds] = await Promise.all([
    countLedger(),
    findNeedsAttention(engine, ledger, context.language),
    readFigures(request),
    request.storeIds(),
  ]);
  const [jobs, failing] = await Promise.all([withOrders(ledger, stuck.jobs), withOrders(ledger, stuck.failing)]);
  const overview = {
    counts,
    stuck,
    jobs,
    failing,
    figures,
    storeIds,
    openBreakers: engine.circuitBreakers.list(),
    query,
  };
  return pageResponse(overviewPage(overview, context));
}

async function readFigures({ engine, ledger, context, query }: OperatorRequest): Promise<Figures> {
  const period = PERIODS.find((one) => one === query.period) ?? "7d";
  const storeId = query.store || null;
  const ofStore = storeId === null ? {} : { storeId };
  const now = engine.clock.now();
  const { bars, until } = barsOf(period, now, context.zone);
  const lengthMs = bars.length * (period === "24h" ? HOUR_MS : serverLimits.dayMs);
  const [statistics, before, refunds] = await Promise.all([
    ledger.paymentStatistics({ bars, until, ...ofStore }),
    // The period before ends at the same time of its last day, so that half of today is not compared with a whole day.
    ledger.paymentStatistics({ bars: [(bars[0] ?? now) - lengthMs], until: now - lengthMs, ...ofStore }),
    ledger.listRefunds({ from: bars[0] ?? until, until, ...ofStore, limit: serverLimits.maxSummedRefunds }),
  ]);
  const wantedEnvironment = query.mode === "live" || query.mode === "test" ? query.mode : null;
  const refunded = {
    refunds: refunds.rows.filter(({ state }) => state === "completed"),
    hasMoreRefunds: refunds.next !== null,
  };
  return figuresOf({ statistics, before: before.groups, ...refunded, wantedEnvironment, period, storeId, bars });
}

type Bars = { readonly bars: readonly number[]; readonly until: number };

// The bars of 24 hours begin at full hours, all others at midnight of the operator's zone. A day of that zone may have 23 or 25 hours.
function barsOf(period: Period, now: number, zone: string): Bars {
  if (period === "24h") {
    const hour = Math.floor(now / HOUR_MS) * HOUR_MS;
    return { bars: Array.from({ length: 24 }, (_, index) => hour + (index - 23) * HOUR_MS), until: hour + HOUR_MS };
  }
  const today = Date.parse(dateIn(now, zone));
  const midnight = (daysFromNow: number) => {
    const date = new Date(today + daysFromNow * serverLimits.dayMs).toISOString().slice(0, 10);
    return startOfDay(date, zone) ?? now;
  };
  const days = Number.parseInt(period, 10);
  return { bars: Array.from({ length: days }, (_, index) => midnight(index + 1 - days)), until: midnight(1) };
}
