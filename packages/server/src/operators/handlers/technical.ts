import { listStoreBlocks } from "@tillkit/core/hosts";
import { findFailingJobs } from "../../attention/failing-jobs.ts";
import { serverLimits } from "../../limits.ts";
import { technicalPage } from "../pages/technical-page.ts";
import { type OperatorRequest, type OperatorResponse, pageResponse } from "./operator-request.ts";
import { withOrders } from "./with-orders.ts";

/** The state of the server: its work, its webhooks, and how long both take. */
export async function showTechnical({ engine, ledger, context }: OperatorRequest): Promise<OperatorResponse> {
  const { now, mode: environment } = context;
  const [failing, { orderDelaysMs, webhookDelaysMs }, refusing] = await Promise.all([
    findFailingJobs(ledger),
    ledger.paymentStatistics({ bars: [now - MEASURED_DAYS * serverLimits.dayMs], until: now + 1, environment }),
    listStoreBlocks(ledger.records, { now, endedSince: now }),
  ]);
  const jobs = await withOrders(ledger, failing.jobs.slice(0, serverLimits.rowsPerOverview));
  const openBreakers = engine.circuitBreakers.list();
  return pageResponse(
    technicalPage({ failing: jobs, orderDelaysMs, webhookDelaysMs, openBreakers, refusing }, context),
  );
}

const MEASURED_DAYS = 7;
