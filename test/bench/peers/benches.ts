export type Bench = {
  /** `npm run bench -- all <name>` runs it alone. */
  readonly name: string;
  /** The heading of its table. */
  readonly title: string;
  /** A TypeScript file of this folder. */
  readonly program: string;
};

/** Every benchmark, in the order of the table. */
export const benches: readonly Bench[] = [
  { name: "client-call", title: "A call of the client", program: "client-call.ts" },
  { name: "receive", title: "A webhook received and kept", program: "receive.ts" },
  { name: "whole-way", title: "The whole way of a checkout", program: "whole-way.ts" },
  { name: "verify", title: "A webhook's signature and body", program: "verify.ts" },
  { name: "start-and-size", title: "Start and size of the client", program: "start-and-size.ts" },
  { name: "faults", title: "Faults of the service", program: "faults.ts" },
  { name: "sandbox", title: "The sandbox", program: "sandbox.ts" },
  { name: "pages", title: "What pages weigh", program: "pages.ts" },
];
