import { afterAll, beforeAll, describe } from "vitest";
import { type Fixture, openFixture } from "./fixture.ts";
import { changedOrders } from "./scenarios/changed-orders.ts";
import { channels } from "./scenarios/channels.ts";
import { editedOrders } from "./scenarios/edited-orders.ts";
import { failures } from "./scenarios/failures.ts";
import { forgeries } from "./scenarios/forgeries.ts";
import { lostRefunds } from "./scenarios/lost-refunds.ts";
import { paying } from "./scenarios/paying.ts";
import { refunds } from "./scenarios/refunds.ts";
import { refusedPayments } from "./scenarios/refused-payments.ts";
import { repeatedRefunds } from "./scenarios/repeated-refunds.ts";
import { reviews } from "./scenarios/reviews.ts";

// All scenarios share one store, and each creates its own orders.
describe("a real Vendure with the packed plugin", () => {
  let opened: Fixture;
  const fixture = () => opened;
  beforeAll(async () => {
    opened = await openFixture("vendure");
  });
  afterAll(() => opened?.close());

  paying(fixture);
  channels(fixture);
  forgeries(fixture);
  changedOrders(fixture);
  editedOrders(fixture);
  refusedPayments(fixture);
  refunds(fixture);
  repeatedRefunds(fixture);
  lostRefunds(fixture);
  reviews(fixture);
  failures(fixture);
});
