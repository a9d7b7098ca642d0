import { type Mutant, onlyBy } from "./mutant.ts";

/** A mutant of the figures that the ledger keeps by hour, which a test of the figures on SQLite notices. */
function inFigures(id: string, breaks: string, file: string, find: string, replace: string, title: string): Mutant {
  const edits = [{ file: `packages/ledger/src/${file}.ts`, find, replace }];
  return onlyBy("packages/ledger/test/operators-figures.test.ts", title, { id, breaks, edits });
}

const AGREE = "the figures on SQLite are the same before and after summing, and agree with the payments themselves";

/** Mutants of the sums by hour and of the periods that are compared. They lose no money and mislead the owner. */
export const figures: readonly Mutant[] = [
  inFigures(
    "figures-of-all-stores-missing",
    "The overview of all shops stays empty.",
    "payment-hours",
    "of [change.store_id, ALL_STORES]",
    "of [change.store_id]",
    AGREE,
  ),
  inFigures(
    "figures-replaced-by-the-next-sum",
    "Payments that are summed later take the place of those that were summed before.",
    "payment-hours",
    "tillkit_payment_hours.${sql.ref(name)} + excluded.${sql.ref(name)}",
    "excluded.${sql.ref(name)}",
    AGREE,
  ),
  inFigures(
    "figures-without-new-payments",
    "The overview leaves out the payments since the last sum.",
    "view/payment-groups",
    "sources.push(selectSummedHours(engine, query), selectChangedHours(query))",
    "sources.push(selectSummedHours(engine, query))",
    AGREE,
  ),
  inFigures(
    "figures-keep-the-first-state",
    "A payment that is paid later is never counted as paid.",
    "migrations/first-schema/figure-tables",
    '    "state",\n',
    "",
    AGREE,
  ),
  inFigures(
    "figures-without-movements-alone",
    "A dispute that is committed without its payment stays outside the figures.",
    "view/payment-sums",
    "const ids = paymentsOfMovements(change);\n  const payment",
    "const ids = new Set<string>();\n  const payment",
    AGREE,
  ),
  inFigures(
    "figures-failure-unseen",
    "The figures become slower every day, and no log says why.",
    "payment-hours",
    'if (code !== "database_closed") log.warn("ledger.hours_not_summed", { code });',
    "",
    "a ledger on SQLite that cannot sum its changes logs a warning, and its figures stay right",
  ),
  onlyBy(
    "packages/server/test/period-bars.test.ts",
    "seven days after the clocks went forward are compared with the seven calendar days before them",
    {
      id: "period-before-of-24-hour-days",
      breaks: "After the clocks changed, seven days are compared with a period that is an hour longer or shorter.",
      edits: [
        {
          file: "packages/server/src/operators/handlers/period-bars.ts",
          find: "Math.min(midnight(-days) + now - midnight(0), midnight(1 - days))",
          replace: "now - days * serverLimits.dayMs",
        },
      ],
    },
  ),
];
