import { afterAll, beforeAll, describe } from "vitest";
import { type Fixture, openFixture } from "./fixture.ts";
import { changedOrders } from "./stories/changed-orders.ts";
import { channels } from "./stories/channels.ts";
import { failures } from "./stories/failures.ts";
import { forgeries } from "./stories/forgeries.ts";
import { paying } from "./stories/paying.ts";
import { refunds } from "./stories/refunds.ts";
import { reviews } from "./stories/reviews.ts";

// All stories share one store; each creates its own orders.
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
  refunds(fixture);
  reviews(fixture);
  failures(fixture);
});
