import { checkout } from "../matrix/checkout.ts";
import { serviceFaults, wayFaults } from "../matrix/faults.ts";
import { places } from "../matrix/places.ts";
import { type Outcome, repeatCommand, type Slice, type Tier, type Violation } from "../tier.ts";

/**
 * Every adapter with every fault. The quick share meets every fault of the way once, and every third answer of the service,
 * each in the next kind of shop.
 */
const cells = Object.entries(serviceFaults).flatMap(([faultName, fault], row) =>
  Object.entries(places).map(([placeName, open], column) => ({ faultName, fault, placeName, open, row, column })),
);
const diagonal = cells.filter(({ row, column }) => row % Object.keys(places).length === column);
const daily = diagonal.filter(({ faultName, row }) => Object.hasOwn(wayFaults, faultName) || row % 3 === 0);
// Shop by shop, so that the slowest faults are spread over slices that may run at once.
const rest = cells.filter((cell) => !daily.includes(cell)).sort((one, other) => one.column - other.column);
const ordered = [...daily, ...rest];

export const matrix: Tier = {
  id: "T5",
  title: "an order is paid once and rightly in every kind of shop, whatever the service does to its calls and events",
  cases: ordered.length,
  quick: daily.length,
  slice: 5,
  alone: false,
  run,
};

async function run({ seed, from, to }: Slice): Promise<Outcome> {
  const violations: Violation[] = [];
  for (const [index, { faultName, fault, placeName, open }] of ordered.slice(from, to).entries()) {
    const wrong = await checkout(open, fault).catch((error: unknown) => String(error));
    const number = from + index;
    const why = `${placeName} × ${faultName}: ${wrong}`;
    if (wrong !== null) violations.push({ case: number, why, again: repeatCommand("T5", seed, number) });
  }
  return { cases: Math.min(to, ordered.length) - from, violations };
}
