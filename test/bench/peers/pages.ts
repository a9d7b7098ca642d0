// What the pages of shoppers, operators and the console weigh over the wire, with styles, scripts and pictures.
import { openBrowser } from "../../browser/phone.ts";
import { TARGET_KB, weighPages } from "../page-weights.ts";
import { printMeasurement } from "./harness/measurement.ts";

/** The first words of the names of pages. */
const groups = ["shop", "hosted page", "operators", "console"];

const browser = await openBrowser();
const weights = [...(await weighPages(browser))];
await browser.close();
for (const group of groups) {
  const pages = weights.filter(([name]) => name.startsWith(group));
  const kilobytes = Math.max(...pages.map(([, bytes]) => bytes / 1_024));
  printMeasurement({
    what: `the heaviest page of ${pages.length}: ${group}`,
    unit: "KB",
    ours: [kilobytes],
    peers: {},
    goal: { atMost: TARGET_KB },
  });
}
