export type Bench = {
  /** `npm run bench:all -- <name>` runs it alone. */
  readonly name: string;
  /** The heading of its table. */
  readonly title: string;
  /** A TypeScript file of this folder. */
  readonly program: string;
};

/** Every benchmark, in the order of the table. */
export const benches: readonly Bench[] = [
  { name: "client-call", title: "A call of the client", program: "client-call.ts" },
];
