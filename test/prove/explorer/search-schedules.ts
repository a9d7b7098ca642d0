// A bundled child process: searches the schedules of all scenarios, or of some, and prints one line of JSON for each search.
import { type Bound, type Exploration, explore, replay } from "@tillkit/testkit/explorer";
import { scenarios } from "./scenarios.ts";

/** What the program is asked to search. */
export type SearchRequest = {
  readonly bounds: readonly Bound[];
  /** The names of scenarios; empty: all. */
  readonly only: readonly string[];
  /** The longest search of one scenario within one bound, in milliseconds. */
  readonly maxMs: number;
  /** After how many violating schedules the search of one scenario ends. */
  readonly maxFound: number;
  /** Ends after the first scenario with a violation. */
  readonly stopsAtFirst?: boolean;
};

export type SearchResult = Omit<Exploration, "found"> & {
  readonly found: readonly (Exploration["found"][number] & { readonly story: readonly string[] })[];
  /** The processor time of the search. */
  readonly cpuMs: number;
};

await search(JSON.parse(process.argv[2] ?? "") as SearchRequest);

async function search({ bounds, only, maxMs, maxFound, stopsAtFirst = false }: SearchRequest): Promise<void> {
  Error.stackTraceLimit = 0;
  const chosen = scenarios.filter(({ name }) => only.length === 0 || only.includes(name));
  for (const bound of bounds) {
    for (const scenario of chosen) {
      const before = process.cpuUsage();
      const explored = await explore(scenario, { bound, maxMs, maxFound });
      const cpuMs = process.cpuUsage(before).user / 1_000;
      const stories = explored.found.map(async (found) => ({
        ...found,
        story: (await replay(scenario, found.deviations)).story,
      }));
      const result: SearchResult = { ...explored, found: await Promise.all(stories), cpuMs };
      process.stdout.write(`${JSON.stringify(result)}\n`);
      if (stopsAtFirst && explored.found.length > 0) return;
    }
  }
}
