import type { MigrationHistory } from "@tillkit/sql";
import { FIRST_TABLES } from "./0001-first-tables.ts";

/** Every step that a ledger ever took, oldest first. A published step never changes. */
export const HISTORY: MigrationHistory = { owner: "tillkit-ledger", steps: [FIRST_TABLES] };
