import { findNeedsAttention } from "../../attention/needs-attention.ts";
import { serverLimits } from "../../limits.ts";
import { type Figures, figuresOf, shownEnvironment } from "../pages/figures.ts";
import { overviewPage } from "../pages/overview-page.ts";
import { PERIODS } from "../texts/figure-texts.ts";
import { type OperatorRequest, type OperatorResponse, pageResponse } from "./operator-request.ts";
import { barsOf, periodBefore } from "./period-bars.ts";
import { withOrders } from "./with-orders.ts";

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
  const period = PERIODS.find((known) => known === query.period) ?? "7d";
  const storeId = query.store || null;
  const ofStore = storeId === null ? {} : { storeId };
  const now = engine.clock.now();
  const { bars, until } = barsOf(period, now, context.zone);
  const [statistics, before] = await Promise.all([
    ledger.paymentStatistics({ bars, until, ...ofStore }),
    ledger.paymentStatistics({ ...periodBefore(period, now, context.zone), ...ofStore }),
  ]);
  const wanted = query.mode === "live" || query.mode === "test" ? query.mode : null;
  const environment = shownEnvironment(statistics.groups, wanted);
  const ofPeriod = { from: bars[0] ?? until, until, environment, limit: serverLimits.maxSummedRefunds };
  const refunds = await ledger.listRefunds({ ...ofPeriod, ...ofStore });
  const completed = refunds.rows.filter(({ state }) => state === "completed");
  const refunded = { refunds: { count: completed.length, hasMore: refunds.next !== null } };
  return figuresOf({ statistics, before: before.groups, ...refunded, environment, period, storeId, bars });
}
