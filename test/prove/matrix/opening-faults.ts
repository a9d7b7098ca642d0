import { faultPerRule, faultsAt, lostAnswerThenRefusal, OPEN, refusals } from "./fault-rules.ts";
import type { ServiceFault } from "./faults.ts";

/** Faults of POST /checkout-sessions. After a final rejection the shopper can try again. */
export const openingFaults: Readonly<Record<string, ServiceFault>> = {
  ...faultPerRule("opening:", refusals, (rule) => ({ faults: faultsAt([OPEN], { ...rule, times: 2 }) })),
  ...Object.fromEntries(
    Object.entries(lostAnswerThenRefusal).map(([name, rules]) => [
      `opening lands, its repeat gets ${name}`,
      { faults: rules.map((rule) => ({ ...OPEN, ...rule })) },
    ]),
  ),
  "opening: 201 without the ids": {
    faults: faultsAt([OPEN], { patch: { id: null, checkout_session_id: null }, times: 2 }),
  },
  "opening: 200 with {}": { faults: faultsAt([OPEN], { empty: "object", times: 2 }) },
  "opening: 200 without a body": { faults: faultsAt([OPEN], { empty: "body", times: 2 }) },
};
