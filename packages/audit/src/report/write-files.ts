import { closeSync, openSync, writeSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Language } from "@tillkit/core";
import { csvLine } from "@tillkit/server";
import type { Audit } from "../audit.ts";
import { plainAmount } from "../facts/read-amount.ts";
import type { Outcome } from "../findings/judge-group.ts";
import type { Group } from "../matching/group.ts";
import { auditJson } from "./audit-json.ts";
import { describeCertainty, describeFinding } from "./describe.ts";
import { renderReport } from "./render-report.ts";

export type ReportFiles = {
  /** Adds the orders and movements of a group to `rows.csv`. */
  addGroup(group: Group, outcome: Outcome): void;
  /** Writes the report, `findings.csv` and `audit.json`. Returns the paths of all files. */
  finish(audit: Audit): Promise<readonly string[]>;
};

/** The files of one audit in a folder, which is created. Only the owner of the folder's files can read them. */
export async function openReportFiles(folder: string, language: Language): Promise<ReportFiles> {
  await mkdir(folder, { recursive: true });
  const path = (name: string) => join(folder, name);
  const rows = openLines(path("rows.csv"));
  rows.write(csvLine(["group", "outcome", "side", "shop", "id", "number", "at", "state", "amount", "currency"]));
  let groups = 0;
  return {
    addGroup(group, outcome) {
      groups += 1;
      for (const line of linesOf(group, String(groups), outcome)) rows.write(line);
    },
    async finish(audit) {
      rows.close();
      const texts: readonly [name: string, text: string][] = [
        ["report.html", renderReport(audit, language)],
        ["findings.csv", findingsCsv(audit, language)],
        ["audit.json", `${JSON.stringify(auditJson(audit), null, 1)}\n`],
      ];
      for (const [name, text] of texts) await writeFile(path(name), text, { mode: 0o600 });
      return [...texts.map(([name]) => path(name)), path("rows.csv")];
    },
  };
}

/** Written in large parts and at once: an audit adds all groups in one turn, and a stream would keep them in memory until it ends. */
function openLines(path: string): { write(line: string): void; close(): void } {
  const file = openSync(path, "w", 0o600);
  let part: string[] = [];
  const flush = () => {
    writeSync(file, part.join(""));
    part = [];
  };
  return {
    write(line) {
      part.push(line);
      if (part.length >= LINES_PER_WRITE) flush();
    },
    close() {
      flush();
      closeSync(file);
    },
  };
}

const LINES_PER_WRITE = 500;

function* linesOf({ orders, payments, refunds, disputes }: Group, group: string, outcome: Outcome): Generator<string> {
  for (const { shop, id, number, createdAt, state, total } of orders)
    yield csvLine([
      group,
      outcome,
      "order",
      shop,
      id,
      number,
      iso(createdAt),
      state,
      plainAmount(total),
      total.currency,
    ]);
  for (const { id, code, at, environment, amount } of payments)
    yield csvLine([
      group,
      outcome,
      "payment",
      "",
      id,
      code ?? "",
      iso(at),
      environment,
      plainAmount(amount),
      amount.currency,
    ]);
  for (const { id, at, status, amount } of refunds)
    yield csvLine([group, outcome, "refund", "", id, "", iso(at), status, plainAmount(amount), amount.currency]);
  for (const { id, at, status, amount } of disputes)
    yield csvLine([
      group,
      outcome,
      "dispute",
      "",
      id,
      "",
      iso(at),
      status,
      amount === null ? "" : plainAmount(amount),
      amount?.currency ?? "",
    ]);
}

function findingsCsv({ findings }: Audit, language: Language): string {
  const head = csvLine([
    "key",
    "kind",
    "certainty",
    "amount",
    "currency",
    "since",
    "shop",
    "order",
    "number",
    "payment",
    "what",
    "why",
  ]);
  const lines = findings.map((finding) => {
    const { key, kind, certainty, amount, since, orders, payments } = finding;
    const list = (values: readonly string[]) => [...new Set(values)].join(" ");
    return csvLine([
      key,
      kind,
      certainty,
      plainAmount(amount),
      amount.currency,
      iso(since),
      list(orders.map(({ shop }) => shop)),
      list(orders.map(({ id }) => id)),
      list(orders.map(({ number }) => number)),
      list(payments.map(({ id }) => id)),
      describeFinding(finding, language),
      describeCertainty(finding, language),
    ]);
  });
  return [head, ...lines].join("");
}

function iso(at: number): string {
  return new Date(at).toISOString();
}
