import type { OperatorAct, OperatorActs } from "../ports/operator-acts.ts";
import { frozenCopy } from "./frozen-copy.ts";
import { toPage } from "./pagination.ts";

export function createMemoryOperatorActs(): OperatorActs {
  const acts: OperatorAct[] = [];
  return {
    async recordAct(act) {
      acts.push(frozenCopy(act));
    },
    async listActs(query) {
      const numbered = acts.map((act, position) => ({ act, position }));
      const found = numbered.filter(({ act }) => query.paymentId === undefined || act.paymentId === query.paymentId);
      return toPage(found, query, {
        // Acts are numbered in the order in which they were recorded, so their numbers alone sort them.
        timeOf: () => 0,
        positionOf: ({ position }) => position,
        rowOf: ({ act }) => act,
      });
    },
  };
}
