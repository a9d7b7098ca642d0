// Plays one schedule of T11 and tells its story: tell-story.ts SCENARIO DEVIATIONS, as a violation prints it.
import { parseDeviations, replay } from "@tillkit/testkit/explorer";
import { scenarios } from "./scenarios.ts";

const [name, deviations = "-"] = process.argv.slice(2);
const scenario = scenarios.find((candidate) => candidate.name === name);
if (!scenario)
  throw new Error(`There is no scenario ${name}. There are ${scenarios.map((one) => one.name).join(", ")}.`);
const { story, violations } = await replay(scenario, parseDeviations(deviations));
const ends = violations.map(({ invariant, reason }) => `${invariant}: ${reason}`);
process.stdout.write(`${[...story, "", ...(ends.length > 0 ? ends : ["No invariant is violated."])].join("\n")}\n`);
