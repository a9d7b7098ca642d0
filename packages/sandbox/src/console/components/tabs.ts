import type { ConsoleTexts } from "../texts/texts.ts";

/** A page in the menu. The key is its path below the console. */
export type Tab = keyof ConsoleTexts["tabs"];

/** The tabs of the console in the order of the menu. */
export const menu: readonly { title: keyof ConsoleTexts["menuGroups"] | null; tabs: readonly Tab[] }[] = [
  { title: null, tabs: [""] },
  { title: "payments", tabs: ["sessions", "transactions", "refunds", "customers", "disputes"] },
  { title: "activity", tabs: ["events", "deliveries", "endpoints", "requests", "network"] },
  { title: "controls", tabs: ["clock", "faults", "settings"] },
];
