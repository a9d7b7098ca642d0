import { afterAll, beforeAll, describe } from "vitest";
import { openScenarioFixture, type ScenarioFixture } from "./scenario-fixture.ts";
import { auditBesideAnotherPlugin } from "./scenarios/audit.ts";
import { buyInBrowser } from "./scenarios/browser.ts";
import { carts } from "./scenarios/carts.ts";
import { type DelayedPayments, delayedPayments, startDelayedPayments } from "./scenarios/delayed-payments.ts";
import { kills } from "./scenarios/kills.ts";
import { lateRefunds } from "./scenarios/late-refunds.ts";
import { loadAndFailures } from "./scenarios/load-and-failures.ts";
import { paying } from "./scenarios/paying.ts";
import { placedOrders } from "./scenarios/placed-orders.ts";
import { refunds } from "./scenarios/refunds.ts";
import { webhooks } from "./scenarios/webhooks.ts";

// All scenarios share one store; each creates its own carts.
describe("a real Medusa store with the packed plugin", () => {
  let openedFixture: ScenarioFixture;
  let delayed: DelayedPayments;
  const fixture = () => openedFixture;

  beforeAll(async () => {
    openedFixture = await openScenarioFixture();
    delayed = await startDelayedPayments(openedFixture);
  });
  afterAll(() => openedFixture?.close());

  buyInBrowser(fixture);
  paying(fixture);
  webhooks(fixture);
  carts(fixture);
  placedOrders(fixture);
  refunds(fixture);
  lateRefunds(fixture);
  loadAndFailures(fixture);
  kills(fixture);
  delayedPayments(fixture, () => delayed);
  auditBesideAnotherPlugin(fixture);
});
