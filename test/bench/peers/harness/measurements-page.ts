import { readFile, writeFile } from "node:fs/promises";
import { type Result, table } from "./table.ts";

const page = new URL("../../../../docs/measurements.md", import.meta.url);
const BEGIN = "<!-- test/bench/peers/bench-all.ts writes from here -->";
const END = "<!-- test/bench/peers/bench-all.ts writes to here -->";

/**
 * Replaces the generated part of docs/measurements.md.
 *
 * @throws Error when the page has lost the comments around that part
 */
export async function writeMeasurements(run: string, wasBusy: boolean, results: readonly Result[]): Promise<void> {
  const text = await readFile(page, "utf8");
  const begin = text.indexOf(BEGIN);
  const end = text.indexOf(END);
  if (begin === -1 || end < begin) throw new Error(`docs/measurements.md lacks "${BEGIN}" or "${END}".`);
  const busy = wasBusy ? " Others used the machine meanwhile: trust CPU time and ratios more than times." : "";
  const generated = [`${run}.${busy}`, ...results.map(table)].join("\n\n");
  await writeFile(page, `${text.slice(0, begin + BEGIN.length)}\n\n${generated.trimEnd()}\n\n${text.slice(end)}`);
}
