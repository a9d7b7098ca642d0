// What a checkout session costs the sandbox, in memory and on disk, beside a server that reads the same request and keeps nothing.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSessions } from "../create-sessions.ts";
import { type MeasuredServer, startServer } from "../measured-server.ts";
import { measureInRounds, printMeasurement, seriesOf } from "./harness/measurement.ts";

const SESSIONS = 2_000;
const CONNECTIONS = 32;
/** The least that a core must create in a second: 0.67 ms each. */
const MOST_CPU_MS = 0.67;

const folder = await mkdtemp(join(tmpdir(), "tillkit-bench-"));
const empty = await startServer("empty");
try {
  await measure("in memory", ":memory:");
  await measure("on disk, durable", join(folder, "sandbox"));
} finally {
  await empty.close();
  await rm(folder, { recursive: true, force: true });
}

async function measure(where: string, data: string): Promise<void> {
  const sandbox = await startServer(data);
  await createSessions(empty, SESSIONS, CONNECTIONS);
  await createSessions(sandbox, SESSIONS, CONNECTIONS);
  const measured = await measureInRounds({
    ours: () => cpuOfASession(sandbox),
    "a server that keeps nothing": () => cpuOfASession(empty),
  });
  await sandbox.close();
  printMeasurement({
    what: `a session created, ${where}: CPU`,
    unit: "ms",
    ...seriesOf(measured, (cpuMs) => cpuMs),
    goal: { atMost: MOST_CPU_MS },
  });
}

async function cpuOfASession(server: MeasuredServer): Promise<number> {
  const before = await server.usage();
  await createSessions(server, SESSIONS, CONNECTIONS);
  const after = await server.usage();
  return (after.cpuMs - before.cpuMs) / SESSIONS;
}
