// npm run bench -- webhooks: the response times of deliveries at the peak and at ten times the peak while the shop's API hangs for ten
// seconds, on SQLite and on PostgreSQL. The cases are those of `npm run prove -- --tier T7`, with all figures printed. Each figure
// is compared with a server that does nothing, measured with the same requests right before and after.
import { flood } from "../prove/tiers/flood.ts";

// The quick cases come first and are too short for measurements.
for (let number = flood.quick; number < flood.cases; number += 1) {
  const { violations, figures = {} } = await flood.run({ seed: 1, from: number, to: number + 1 });
  for (const [what, value] of Object.entries(figures))
    console.log(`${what.padEnd(64)} ${value.toFixed(2).padStart(10)}`);
  for (const { why } of violations) console.log(`MISSED: ${why}`);
  if (violations.length > 0) process.exitCode = 1;
}
