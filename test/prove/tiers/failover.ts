import { KINDS, playRound, type Round } from "../failover/rounds.ts";
import { hasServer } from "../failover/server-machine.ts";
import { LIVES, playLife } from "../failover/shop-lives.ts";
import { type OpenResources, openResources } from "../kills/resources.ts";
import { addFigures, type Outcome, repeatCommand, type Slice, type Tier } from "../tier.ts";

const ROUNDS_OF_EACH_KIND = 50;
const ROUNDS = KINDS.length * ROUNDS_OF_EACH_KIND;
const MAX_STRIKE_MS = 400;
/** `npm test` runs the first two, and does not limit the time without a write, because its machine may be busy. */
const QUICK = 2;

/** T10: the machine of the ledger's database dies under load, in five ways in turn, and then while shops connect, rotate, move and leave. */
export const failover: Tier = {
  id: "T10",
  title: "nothing acknowledged is lost, and nothing is paid or refunded twice, when the database's machine dies",
  cases: ROUNDS + LIVES.length,
  quick: QUICK,
  slice: KINDS.length,
  exclusive: true,
  async run({ seed, from, to }: Slice): Promise<Outcome> {
    if (!hasServer)
      throw new Error("Tier T10 needs a PostgreSQL server on this machine: install the package postgresql.");
    const outcomes: Outcome[] = [];
    const resources = to > ROUNDS ? await openResources(1) : null;
    try {
      for (let number = from; number < to; number += 1) {
        const life = LIVES[number - ROUNDS];
        const run = life && resources ? runLife(resources, life, seed, number) : runCase(seed, number);
        outcomes.push(await run);
      }
    } finally {
      await resources?.close();
    }
    return {
      cases: outcomes.length,
      violations: outcomes.flatMap(({ violations }) => violations),
      figures: addFigures(outcomes),
    };
  },
};

async function runCase(seed: number, number: number): Promise<Outcome> {
  const kind = KINDS[number % KINDS.length] ?? "killed";
  const options = number < QUICK ? { maxStallMs: Number.POSITIVE_INFINITY } : {};
  const round = await playRound(kind, strikeTime(seed, number), options);
  const again = repeatCommand("T10", seed, number);
  return {
    cases: 1,
    violations: round.violations.map((why) => ({ case: number, why: `${kind}: ${why}`, again })),
    figures: figuresOf(kind, round),
  };
}

async function runLife(
  resources: OpenResources,
  life: (typeof LIVES)[number],
  seed: number,
  number: number,
): Promise<Outcome> {
  const found = await playLife(resources, life, strikeTime(seed, number)).catch((error: unknown) => [
    error instanceof Error ? (error.stack ?? error.message) : String(error),
  ]);
  const again = repeatCommand("T10", seed, number);
  const what = `${life.kind} in act ${life.act} of a shop`;
  return {
    cases: 1,
    violations: found.map((why) => ({ case: number, why: `${what}: ${why}`, again })),
    figures: { "lives of shops": 1 },
  };
}

/** Spreads the rounds of a kind over the time in which shoppers pay. */
function strikeTime(seed: number, number: number): number {
  const round = Math.floor(number / KINDS.length) + seed;
  return (round * 61) % MAX_STRIKE_MS;
}

function figuresOf(kind: string, { acknowledged, lost, failed, settled, stalledMs }: Round): Record<string, number> {
  return {
    [`${kind}: acknowledged`]: acknowledged,
    [`${kind}: lost`]: lost,
    [`${kind}: calls without success`]: failed,
    [`${kind}: happened without an answer`]: settled,
    [`${kind}: longest without a write ms`]: Math.round(stalledMs),
  };
}
