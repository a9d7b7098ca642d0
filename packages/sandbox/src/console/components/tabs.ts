/** The tabs of the console in the order of the menu. The key is the path below the console. */
export const tabs = {
  "": "Overview",
  sessions: "Sessions",
  transactions: "Transactions",
  refunds: "Refunds",
  customers: "Customers",
  disputes: "Disputes",
  events: "Events",
  deliveries: "Deliveries",
  endpoints: "Endpoints",
  requests: "Requests",
  network: "Network",
  clock: "Clock",
  faults: "Faults",
  settings: "Settings",
} as const;

export type Tab = keyof typeof tabs;

export const menu: readonly { title: string | null; tabs: readonly Tab[] }[] = [
  { title: null, tabs: [""] },
  { title: "Payments", tabs: ["sessions", "transactions", "refunds", "customers", "disputes"] },
  { title: "Activity", tabs: ["events", "deliveries", "endpoints", "requests", "network"] },
  { title: "Controls", tabs: ["clock", "faults", "settings"] },
];
