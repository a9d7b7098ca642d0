import type { Engine } from "@tillkit/core";
import type { SimulatedTill } from "../till.ts";
import { isNoted, takeNote } from "./processed-events.ts";
import { handleInWebhook, markPaid } from "./webhook-handler.ts";

/** Marks the order and then notes the event as processed: two that come together both mark it. */
export function actThenRecord(engine: Engine): SimulatedTill {
  return handleInWebhook(
    engine,
    async (_engine, payment, eventId) => {
      if (await isNoted(engine, payment, eventId)) return;
      await markPaid(engine, payment);
      await takeNote(engine, payment, eventId);
    },
    async () => {},
  );
}
