import { createHash } from "node:crypto";
import { join } from "node:path";
import type { Audit, Progress } from "@tillkit/audit";
import type { Language } from "@tillkit/core";
import type { Command, CommandLine } from "../../command-line/command.ts";
import { ExitCode } from "../../command-line/exit-code.ts";
import { printJson } from "../../command-line/print-rows.ts";
import { stopSignal } from "../../command-line/stop-signal.ts";
import type { Terminal } from "../../command-line/terminal.ts";
import { UsageError } from "../../command-line/usage-error.ts";
import { jsonOption } from "../../options/row-options.ts";
import { askColumns } from "./ask-columns.ts";
import { configOf, shopOptions } from "./audit-options.ts";

const DAY_MS = 86_400_000;

export const audit: Command = {
  name: "audit",
  summary: "Compare a shop's orders with the money at the service, and name every difference; only reads",
  positionals: [],
  options: {
    ...shopOptions,
    from: { value: "date", description: "start with this day (UTC), such as 2026-01-01; 90 days ago unless set" },
    until: { value: "date", description: "end with this day (UTC), included; today unless set" },
    out: { value: "folder", description: "where the report goes; tillkit-audit and today's date unless set" },
    store: {
      value: "url",
      description: "where facts are kept, so that a repeated audit is quick; sqlite:.tillkit/audit-….db unless set",
    },
    language: { value: "en|fr", description: "the language of the report; that of the terminal unless set" },
    ...jsonOption,
  },
  example: "tillkit audit --woocommerce https://shop.example --from 2026-01-01 --until 2026-01-31",
  async run(args, terminal) {
    const auditing = await import("@tillkit/audit");
    const { systemClock } = await import("@tillkit/core");
    auditing.spareMemory();
    const file = args.values.get("config");
    const raw =
      file === undefined ? await configOf(args) : await (await import("@tillkit/server/config")).readConfigFile(file);
    const config = await askColumns(auditing.readAuditConfig(raw), auditing.missingColumns);
    const language = languageOf(args, config.language, file !== undefined);
    const now = systemClock.now();
    const period = periodOf(args, now, auditing.auditLimits.defaultPeriodMs);
    const store = await auditing.openFactStore(args.values.get("store") ?? config.store ?? defaultStore(config));
    const readers = await auditing.openReaders(config);
    const signal = stopSignal();
    try {
      const folder = args.values.get("out") ?? `tillkit-audit-${new Date(now).toISOString().slice(0, 10)}`;
      const files = await auditing.openReportFiles(folder, language);
      const onProgress = reportProgress(terminal, language, auditing.AUDIT_TEXTS[language], config.service.url);
      const clock = systemClock;
      const result = await auditing.runAudit({
        ...period,
        ...readers,
        now,
        clock,
        store,
        signal,
        onProgress,
        onGroup: files.addGroup,
      });
      const written = await files.finish(result);
      if (args.flags.has("json")) printJson(terminal, { ...auditing.auditJson(result), files: written });
      else
        print(
          terminal,
          result,
          auditing.summaryLines(result, language),
          auditing.AUDIT_TEXTS[language].files(join(folder, "report.html")),
        );
      if (result.findings.length > 0) throw new ExitCode(3);
    } catch (error) {
      if (signal.aborted) terminal.notice("Stopped: the same command goes on from here.");
      throw signal.aborted ? new ExitCode(1) : error;
    } finally {
      await readers.close();
      await store.close();
    }
  },
};

function print(terminal: Terminal, _: Audit, lines: readonly string[], where: string): void {
  for (const line of lines) terminal.log(line);
  terminal.log(where);
}

function languageOf({ values }: CommandLine, configured: Language, isConfigured: boolean): Language {
  const given = values.get("language");
  if (given !== undefined && given !== "en" && given !== "fr")
    throw new UsageError(`The option --language is en or fr, not "${given}".`);
  if (given !== undefined || isConfigured) return given ?? configured;
  return /^fr/i.test(process.env.LC_ALL || process.env.LC_MESSAGES || process.env.LANG || "") ? "fr" : "en";
}

function periodOf(
  { values }: CommandLine,
  now: number,
  defaultMs: number,
): { readonly from: number; readonly until: number } {
  const today = Math.floor(now / DAY_MS) * DAY_MS;
  const until = (parseDay(values.get("until")) ?? today) + DAY_MS;
  const from = parseDay(values.get("from")) ?? until - defaultMs;
  if (from >= until) throw new UsageError("The option --from must not be after --until.");
  return { from, until };
}

function parseDay(text: string | undefined): number | null {
  if (text === undefined) return null;
  const at = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  if (Number.isNaN(at)) throw new UsageError(`A date must look like 2026-01-31, not "${text}".`);
  return at;
}

/** The same key and shops have the same store, so that the next audit goes on from it. */
function defaultStore(config: { readonly service: object; readonly shops: readonly object[] }): string {
  const digest = createHash("sha256")
    .update(JSON.stringify([config.service, config.shops]))
    .digest("hex");
  return `sqlite:${join(".tillkit", `audit-${digest.slice(0, 12)}.db`)}`;
}

/** How many of a key's calls an audit gets a minute: the rest stays for the shop. */
const CALLS_PER_MINUTE = 48;

/** One line for each source at most every two seconds, with an estimate once the service said how many rows there are. */
function reportProgress(
  terminal: Terminal,
  _: Language,
  texts: {
    readonly progress: (source: string, rows: number, total: number | null, rest: string | null) => string;
    readonly minutes: (count: number) => string;
  },
  service: string,
): (progress: Progress) => void {
  const shown = new Map<string, number>();
  const isSandbox = /^http:/.test(service);
  return ({ source, rows, total }) => {
    const at = Date.now();
    if (at - (shown.get(source) ?? 0) < 2_000 && rows !== total) return;
    shown.set(source, at);
    const calls = total === null ? 0 : Math.ceil(Math.max(0, total - rows) / 100);
    const rest =
      total === null || calls === 0 || isSandbox ? null : texts.minutes(Math.round(calls / CALLS_PER_MINUTE));
    terminal.notice(texts.progress(source, rows, total, rest));
  };
}
