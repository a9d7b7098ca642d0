import type { OperatorAct, OperatorActs } from "@tillkit/core/ledger";
import { type Selectable, sql } from "kysely";
import type { LedgerSchema, Session } from "../database/schema.ts";
import { comesAfter, toPage } from "./pagination.ts";

type ActRow = Selectable<LedgerSchema["tillkit_operator_acts"]>;

export function createOperatorActs(session: Session): OperatorActs {
  return {
    async recordAct({ at, by, act, paymentId, detail }) {
      await session
        .insertInto("tillkit_operator_acts")
        .values({ at, done_by: by, act, payment_id: paymentId, detail })
        .execute();
    },
    async listActs({ paymentId, limit, after }) {
      const { rows } = await sql<ActRow>`select * from tillkit_operator_acts
        where ${paymentId === undefined ? sql`true` : sql`payment_id = ${paymentId}`}
          and ${comesAfter(["sequence"], after)}
        order by sequence desc limit ${limit + 1}`.execute(session);
      return toPage(rows, limit, { keyOf: ({ sequence }) => [sequence], itemOf: rowToAct });
    },
  };
}

function rowToAct({ at, done_by: by, act, payment_id: paymentId, detail }: ActRow): OperatorAct {
  return { at, by, act, paymentId, detail };
}
