// What a shop pays at every start: loading the package and making a client; and what it installs and bundles.

import { runContender } from "./harness/contender.ts";
import { measureInRounds, printMeasurement, seriesOf } from "./harness/measurement.ts";
import { median } from "./harness/table.ts";
import { buildClient } from "./start/build-client.ts";
import { bundledSize, importableFile, installedSize, peerFolder } from "./start/sizes.ts";

type Figures = { importMs: number; cpuMs: number };

const program = new URL("./start/one-start.mjs", import.meta.url);
const peers = ["stripe", "@mollie/api-client", "@adyen/api-library", "square", "dodopayments", "razorpay"];
const client = buildClient();

const start = (name: string, file: string) => () => runContender<Figures>(program, [name, file]);
const measured = await measureInRounds({
  ours: start("ours", client.entry),
  ...Object.fromEntries(peers.map((name) => [name, start(name, importableFile(name))])),
});
const cpu = seriesOf(measured, ({ cpuMs }) => cpuMs);
// On a machine too slow for 20 ms, the goal is a fifth of what stripe needs.
const needsRatio = median(cpu.ours) > 20;
printMeasurement({
  what: "CPU of the import and of a client",
  unit: "ms",
  ...cpu,
  goal: needsRatio ? { atMost: 0.2, timesOf: "stripe" } : { atMost: 20 },
});
printMeasurement({
  what: "time of the import and of a client",
  unit: "ms",
  ...seriesOf(measured, ({ importMs }) => importMs),
});

const sizes = async (sizeOf: (name: string) => number | Promise<number>) =>
  Object.fromEntries(await Promise.all(peers.map(async (name) => [name, [await sizeOf(name)]] as const)));
printMeasurement({
  what: "a bundle of all that it exports, minified, gzip",
  unit: "KB",
  ours: [await bundledSize(client.entry)],
  peers: await sizes((name) => bundledSize(importableFile(name))),
  goal: { atMost: 10 },
});
printMeasurement({
  what: "installed JavaScript, with what it needs",
  unit: "KB",
  ours: [installedSize(client.folder)],
  peers: await sizes((name) => installedSize(peerFolder(name))),
});
client.remove();
