import { isServiceError } from "@tillkit/client";
import type { PaymentFact } from "../../facts/facts.ts";
import { auditLimits } from "../../limits.ts";
import { orderNames, referenceOf } from "./parse-movements.ts";
import type { ServiceJob } from "./read-service.ts";

type Named = Pick<PaymentFact, "names" | "reference">;

/** Asks the session of a payment that names no order: plug-ins write the order there, and a transaction may not have it. Once each. */
export async function readSessions(job: ServiceJob): Promise<void> {
  const { store } = job;
  const nameless: PaymentFact[] = [];
  for await (const payment of store.facts<PaymentFact>("payment")) {
    const isNameless = payment.names.length === 0 && payment.reference === null && payment.channel === null;
    if (isNameless && payment.session !== null) nameless.push(payment);
  }
  let asked = 0;
  for (const payment of nameless) {
    const mark = `session ${payment.session}`;
    let known = await store.mark(mark);
    if (known === null && asked < auditLimits.sessionsRead) {
      asked += 1;
      known = JSON.stringify(await askSession(job, payment.session ?? ""));
      await store.setMark(mark, known);
    }
    if (known === null) continue;
    const named: Named = JSON.parse(known);
    await store.save([{ kind: "payment", id: payment.id, at: payment.at, fact: { ...payment, ...named } }]);
  }
}

async function askSession({ call, client, signal, parse }: ServiceJob, session: string): Promise<Named> {
  try {
    const { data } = await call(() => client.checkoutSessions.read(session, { signal }));
    const metadata = data.metadata ?? {};
    return { names: orderNames(metadata, parse.orderFields), reference: referenceOf(metadata) };
  } catch (error) {
    if (isServiceError(error) && error.code === "not_found") return { names: [], reference: null };
    throw error;
  }
}
