import type { Ledger, Random } from "@tillkit/core";
import type { HostJob } from "@tillkit/core/hosts";
import type { Job } from "@tillkit/core/ledger";
import type { FixtureTask, UpgradeFixture } from "./fixture-service.ts";

export const hostKinds: readonly FixtureTask["kind"][] = ["shopify.webhook", "shopify.modification"];

/** The jobs of a platform whose every third attempt fails. */
export function hostJobsOf({ tasks }: UpgradeFixture, random: Random): Readonly<Record<FixtureTask["kind"], HostJob>> {
  async function run(job: Job) {
    const task = tasks.find(({ kind, state }) => kind === job.kind && isSameJson(job.payload, state));
    if (task === undefined) throw new Error("No task has this payload.");
    if (random.fraction() < 0.3) throw new Error("The platform did not answer.");
    task.runs += 1;
    return "done" as const;
  }
  const names = { en: "A task of the fixture", fr: "Une tâche du jeu d’essai" };
  return { "shopify.webhook": { names, run }, "shopify.modification": { names, run } };
}

/** The platform sends its webhooks once more, whether their tasks are done or not. */
export async function repeatWebhooks({ fixture, ledger }: { fixture: UpgradeFixture; ledger: Ledger }): Promise<void> {
  for (const { kind, storeId, uniqueKey, state } of fixture.tasks) {
    const job = { kind, storeId, uniqueKey, paymentId: null, payload: JSON.stringify(state), dueAt: fixture.now };
    await ledger.commit({ jobs: [job], timeline: [] });
  }
}

export async function findTaskProblems({ tasks }: UpgradeFixture, ledger: Ledger): Promise<readonly string[]> {
  const problems = await Promise.all(
    tasks.map(async ({ storeId, uniqueKey, runs }) => {
      const isDone = (await ledger.jobByKey(storeId, uniqueKey))?.isDone === true;
      return isDone && runs === 1 ? [] : [`the task "${uniqueKey}" was done ${runs} times`];
    }),
  );
  return problems.flat();
}

// PostgreSQL stores the fields of an object in an order of its own.
function isSameJson(text: string, value: object): boolean {
  return sortedText(JSON.parse(text)) === sortedText(value);
}

function sortedText(value: unknown): string {
  return JSON.stringify(value, (_name, part: unknown) =>
    typeof part === "object" && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([left], [right]) => (left < right ? -1 : 1)))
      : part,
  );
}
