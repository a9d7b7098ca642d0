// npm run bench:webhooks: how soon a delivery is answered at its peak and at ten times it while the shop's API hangs ten
// seconds, on SQLite and on PostgreSQL; the same as `npm run prove -- --tier T7`, with all its figures. Beside each stands
// what a server that does nothing needs for the same requests, measured right before and after.
import { flood } from "../prove/tiers/flood.ts";

// The quick cases come first; they are too short to measure anything.
for (let number = flood.quick; number < flood.cases; number += 1) {
  const { violations, figures = {} } = await flood.run({ seed: 1, from: number, to: number + 1 });
  for (const [what, value] of Object.entries(figures))
    console.log(`${what.padEnd(64)} ${value.toFixed(2).padStart(10)}`);
  for (const { why } of violations) console.log(`MISSED: ${why}`);
  if (violations.length > 0) process.exitCode = 1;
}
