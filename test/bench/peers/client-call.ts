// What one write costs over kept connections to one server on this machine, over TLS and without, alone and with 64 in flight.
import { makeCertificate } from "./client-call/certificate.ts";
import { contenders, tlsOnly } from "./client-call/contenders.ts";
import { startLocalServer } from "./client-call/local-server.ts";
import { bundleContender } from "./harness/bundle-contender.ts";
import { runContender } from "./harness/contender.ts";
import { measureInRounds, printMeasurement, seriesOf } from "./harness/measurement.ts";

type Figures = { cpuMicroseconds: number; p50Ms: number; p99Ms: number; connectionsPerThousand: number };

/** The calls of a round, by how many are in flight. */
const CALLS = { 1: 2_000, 64: 6_000 };
const program = await bundleContender(new URL("./client-call/one-client.ts", import.meta.url));

const certificate = makeCertificate();
// The contenders run in child processes, which trust the certificate by this variable.
process.env.NODE_EXTRA_CA_CERTS = certificate.certFile;
try {
  for (const scheme of ["https", "http"] as const)
    for (const inFlight of [64, 1] as const) await measure(scheme, inFlight);
} finally {
  certificate.remove();
}

async function measure(scheme: "https" | "http", inFlight: 1 | 64): Promise<void> {
  const server = await startLocalServer(scheme === "https" ? certificate : null);
  const names = Object.keys(contenders).filter((name) => scheme === "https" || !tlsOnly.includes(name));
  const run = (name: string) => () =>
    runContender<Figures>(program, [name, server.baseUrl, String(inFlight), String(CALLS[inFlight])]);
  process.stderr.write(`${scheme}, ${inFlight} in flight\n`);
  const measured = await measureInRounds(Object.fromEntries(names.map((name) => [name, run(name)])));
  server.close();
  const what = `${scheme}, ${inFlight} in flight`;
  const costs = seriesOf(measured, ({ cpuMicroseconds }) => cpuMicroseconds);
  const cpuOfACall = { what: `${what}: CPU of a call`, unit: "µs", ...costs };
  if (scheme === "https" && inFlight === 64)
    printMeasurement({ ...cpuOfACall, goal: { atMost: 1.2, timesOf: "bare node:https" } });
  else printMeasurement(cpuOfACall);
  printMeasurement({
    what: `${what}: half of the calls within`,
    unit: "ms",
    ...seriesOf(measured, ({ p50Ms }) => p50Ms),
  });
  printMeasurement({ what: `${what}: 99 of 100 within`, unit: "ms", ...seriesOf(measured, ({ p99Ms }) => p99Ms) });
  const connections = seriesOf(measured, ({ connectionsPerThousand }) => connectionsPerThousand);
  printMeasurement({
    what: `${what}: new connections for 1,000 calls`,
    unit: "",
    ...connections,
    goal: { atMost: 0 },
    showsValues: true,
  });
}
