import { watchPayment } from "@tillkit/core";
import { outlookOf } from "./outlook.ts";
import type { Reply } from "./reply.ts";
import type { Visit } from "./visit.ts";

/** For the waiting page, every two seconds: one word from the ledger. The service is read in the background when that is due. */
export async function visitStatus(visit: Visit): Promise<Reply> {
  const { say } = await outlookOf(visit, await watchPayment(visit.engine, visit.paymentId));
  return { say: "data", status: 200, data: { say } };
}
