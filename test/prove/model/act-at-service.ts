import { limits } from "@tillkit/core";
import type { ModelFixture } from "./fixture.ts";
import type { StepOf } from "./steps.ts";

export type ServiceStep = StepOf<
  | "pay"
  | "pay again"
  | "sell elsewhere"
  | "dashboard refund"
  | "dispute"
  | "change dispute"
  | "rotate secret"
  | "service fails"
>;

/** What happens at the service without us. */
export function actAtService(fixture: ModelFixture, step: ServiceStep): void {
  const { service, recorder } = fixture;
  const { transactions, disputes } = service.money;
  switch (step.kind) {
    case "rotate secret":
      return void service.rotateSecret();
    case "service fails":
      recorder.retries += step.calls;
      return void service.failNext(step.how, step.calls);
    case "dashboard refund":
      return void use(transactions, step.transaction, (transaction) =>
        service.refundInDashboard(transaction, step.all),
      );
    case "dispute":
      return void use(transactions, step.transaction, (transaction) => service.dispute(transaction, step.amount));
    case "change dispute":
      return void use(disputes, step.dispute, (dispute) => service.changeDispute(dispute, step.state));
    default:
      return void actOnSession(fixture, step);
  }
}

// Only a session that a shopper was sent to can be paid, and only for a limited time.
function actOnSession(
  { service, payments, clock }: ModelFixture,
  step: StepOf<"pay" | "pay again" | "sell elsewhere">,
): void {
  const known = service.sessions.filter(
    ({ key, expiresAt }) => payments.includes(key) && clock.now() < expiresAt + limits.graceMs,
  );
  use(known, step.session, (session) => {
    if (step.kind === "pay") service.pay(session, step.wrong);
    else if (step.kind === "pay again") service.payAgain(session);
    else service.sellElsewhere(session);
  });
}

function use<Item>(items: readonly Item[], index: number, work: (item: Item) => void): void {
  const item = items[index % Math.max(1, items.length)];
  if (item !== undefined) work(item);
}
