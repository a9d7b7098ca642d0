import { execFile, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it, onTestFinished } from "vitest";
import type { LedgerCounts } from "../src/observability/ledger-counts.ts";
import { createMetrics } from "../src/observability/metrics.ts";

const run = promisify(execFile);
const folder = fileURLToPath(new URL("../monitoring/", import.meta.url));
const rules = readFileSync(join(folder, "alert-rules.yaml"), "utf8");
const dashboard: { panels: { title: string; targets: { expr: string }[] }[] } = JSON.parse(
  readFileSync(join(folder, "grafana-dashboard.json"), "utf8"),
);
const hasPromtool = spawnSync("promtool", ["--version"]).status === 0;
const skipped = hasPromtool ? "" : " (skipped: there is no promtool on this machine)";

/** Every expression of the alert rules and of the dashboard. */
const expressions = [
  ...[...rules.matchAll(/^ +expr: (?:\|-\n)?((?:.+\n)+?)(?= +for:)/gm)].map(([, expression = ""]) => expression),
  ...dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
];

describe("the dashboard and the alert rules", () => {
  it("the server has every metric and every label that the dashboard and the rules name", async () => {
    const samples = await readSamples();
    expect(expressions.length).toBeGreaterThan(25);
    const named = expressions.map((expression) => ({ expression, metrics: metricsIn(expression) }));
    expect(named.filter(({ metrics }) => metrics.length === 0)).toEqual([]);
    for (const { name, labels } of named.flatMap(({ metrics }) => metrics)) {
      expect([...samples.keys()]).toContain(name);
      expect(samples.get(name)).toEqual(expect.arrayContaining(labels));
    }
  });

  it("every metric of the server is on the dashboard", async () => {
    const shown = expressions.join("\n");
    const metrics = [...(await readSamples()).keys()].map((name) => name.replace(/_(?:bucket|sum|count)$/, ""));
    for (const name of new Set(metrics)) expect(shown).toContain(name);
  });

  it("the program that starts an SDK is valid and names the packages that the guide installs", async () => {
    const file = join(folder, "tracing.mjs");
    await run(process.execPath, ["--check", file]);
    const guide = await readFile(new URL("../../docs/site/guides/observability.md", import.meta.url), "utf8");
    const imported = [...readFileSync(file, "utf8").matchAll(/from "(@[^"]+)"/g)].map(([, name = ""]) => name);
    expect(imported).toHaveLength(2);
    for (const name of imported) expect(guide).toMatch(new RegExp(`^npm install .*${name}\\b`, "m"));
  });

  it.skipIf(!hasPromtool)(`promtool accepts the rules and the configuration${skipped}`, async () => {
    const checked = await run("promtool", ["check", "rules", join(folder, "alert-rules.yaml")]);
    expect(checked.stdout).toContain("SUCCESS: 12 rules found");
    await run("promtool", ["check", "config", "--syntax-only", join(folder, "prometheus.yaml")]);
  });

  it.skipIf(!hasPromtool)(`each rule fires when it must and only then${skipped}`, async () => {
    await run("promtool", ["test", "rules", join(folder, "alert-rules.test.yaml")]);
    const tests = await readFile(join(folder, "alert-rules.test.yaml"), "utf8");
    for (const [, alert = ""] of rules.matchAll(/- alert: (\w+)/g)) {
      expect(tests).toContain(`{alertname="${alert}"}`);
      expect(tests).toContain(`alertname: ${alert}, exp_alerts: []`);
    }
  });

  it.skipIf(!hasPromtool)(`a rule that no longer fires fails its test${skipped}`, async () => {
    const copy = await mkdtemp(join(tmpdir(), "tillkit-rules-"));
    onTestFinished(() => rm(copy, { recursive: true, force: true }));
    await cp(folder, copy, { recursive: true });
    await writeFile(join(copy, "alert-rules.yaml"), rules.replace('status="dead"', 'status="gone"'));
    const failed = run("promtool", ["test", "rules", join(copy, "alert-rules.test.yaml")]);
    await expect(failed).rejects.toThrow();
  });
});

/** The metrics that an expression names, with the labels that it selects or groups them by. */
function metricsIn(expression: string) {
  const grouped = [...expression.matchAll(/by \(([^)]*)\)/g)].flatMap(([, labels = ""]) => labels.split(/, ?/));
  return [...expression.matchAll(/\b(tillkit_\w+)(?:\{([^}]*)\})?/g)].map(([, name = "", matchers = ""]) => ({
    name,
    labels: [...grouped, ...[...matchers.matchAll(/(\w+)=~?"/g)].map(([, label = ""]) => label)],
  }));
}

/** The names of all samples that the server's metrics can have, with the labels of each. */
async function readSamples(): Promise<ReadonlyMap<string, readonly string[]>> {
  const metrics = createMetrics();
  metrics.recordRequest({ route: "hooks", status: 200, seconds: 0.01 });
  const call = {
    credentialId: "key",
    operation: "read",
    method: "GET",
    path: "/",
    host: "api.service.example",
    attemptNumber: 1,
  };
  metrics.recordServiceCall({ ...call, seconds: 1, status: 503, code: "unavailable" });
  metrics.recordStoreWrite({ storeId: "boutique", outcome: "recorded" });
  const counts = {
    payments: { open: 1 },
    jobs: { due: 1 },
    deliveries: { processed: 1 },
    disputes: { open: 1 },
  } as unknown as LedgerCounts;
  const text = await metrics.text({
    counts,
    warnings: [{ code: "webhooks_refused" }],
    breakers: [{ target: "store:boutique", openUntil: 1 } as never],
  });
  const samples = new Map<string, readonly string[]>();
  for (const [, name = "", labels = ""] of text.matchAll(/^(tillkit_\w+)(?:\{(.*?)\})? /gm))
    samples.set(
      name,
      [...labels.matchAll(/(\w+)="/g)].map(([, label = ""]) => label),
    );
  return samples;
}
