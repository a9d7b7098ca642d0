import type { MigrationHistory } from "@tillkit/sql";
import { moneySchema } from "./money-schema.ts";
import { operatorSchema } from "./operator-schema.ts";
import { paymentSchema } from "./payment-schema.ts";
import { webhookSchema } from "./webhook-schema.ts";

export const migrations: MigrationHistory = {
  owner: "sandbox",
  steps: [{ name: "001-first", sqlite: [paymentSchema, webhookSchema, operatorSchema, moneySchema].join("\n") }],
};
