import { afterAll, beforeAll, describe } from "vitest";
import { openStage, type Stage } from "./stage.ts";
import { carts } from "./stories/carts.ts";
import { hardTimes } from "./stories/hard-times.ts";
import { inABrowser } from "./stories/in-a-browser.ts";
import { beginLongWaits, type LongWaits, longWaits } from "./stories/long-waits.ts";
import { paying } from "./stories/paying.ts";
import { refunds } from "./stories/refunds.ts";
import { webhooks } from "./stories/webhooks.ts";

// One store for all stories: each brings its own carts.
describe("a real Medusa store with the packed plugin:", () => {
  let opened: Stage;
  let begun: LongWaits;
  const stage = () => opened;

  beforeAll(async () => {
    opened = await openStage();
    begun = await beginLongWaits(opened);
  });
  afterAll(() => opened?.close());

  inABrowser(stage);
  paying(stage);
  webhooks(stage);
  carts(stage);
  refunds(stage);
  hardTimes(stage);
  longWaits(stage, () => begun);
});
