import type { Scenario } from "../scenario.ts";
import { moneyBack } from "./money-back.ts";
import { paying } from "./paying.ts";
import { rules } from "./rules.ts";

/** Every small history whose schedules are all tried, on the miniature stores. */
export const miniatureScenarios: readonly Scenario[] = [...paying, ...rules, ...moneyBack];
