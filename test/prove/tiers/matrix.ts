import { checkout } from "../matrix/checkout.ts";
import { serviceFaults, transportFaults } from "../matrix/faults.ts";
import { testStores } from "../matrix/test-stores.ts";
import { type Outcome, repeatCommand, type Slice, type Tier, type Violation } from "../tier.ts";

/**
 * Every adapter with every fault. The quick share contains every transport fault once and every third fault of the service's
 * answers, with the adapters in turn.
 */
const cells = Object.entries(serviceFaults).flatMap(([faultName, fault], row) =>
  Object.entries(testStores).map(([storeName, openStore], column) => ({
    faultName,
    fault,
    storeName,
    openStore,
    row,
    column,
  })),
);
const oneAdapterPerFault = cells.filter(({ row, column }) => row % Object.keys(testStores).length === column);
const quickShare = oneAdapterPerFault.filter(
  ({ faultName, row }) => Object.hasOwn(transportFaults, faultName) || row % 3 === 0,
);
// Order by adapter, so that the slowest faults are spread over slices that can run in parallel.
const rest = cells.filter((cell) => !quickShare.includes(cell)).sort((left, right) => left.column - right.column);
const ordered = [...quickShare, ...rest];

export const matrix: Tier = {
  id: "T5",
  title: "an order is paid once and correctly with every adapter, whatever the service does to calls and events",
  cases: ordered.length,
  quick: quickShare.length,
  slice: 5,
  exclusive: false,
  run,
};

async function run({ seed, from, to }: Slice): Promise<Outcome> {
  const violations: Violation[] = [];
  for (const [index, { faultName, fault, storeName, openStore }] of ordered.slice(from, to).entries()) {
    const wrong = await checkout(openStore, fault).catch((error: unknown) => String(error));
    const number = from + index;
    const why = `${storeName} × ${faultName}: ${wrong}`;
    if (wrong !== null) violations.push({ case: number, why, again: repeatCommand("T5", seed, number) });
  }
  return { cases: Math.min(to, ordered.length) - from, violations };
}
