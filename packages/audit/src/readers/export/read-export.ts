import { readFile } from "node:fs/promises";
import { AuditError } from "../../audit-error.ts";
import type { OrderCoverage, OrderFact } from "../../facts/facts.ts";
import { readAmount } from "../../facts/read-amount.ts";
import { movementName } from "../identifiers.ts";
import type { OrderReader, ReadJob } from "../reader.ts";
import { type Fields, fieldsOf, textOf } from "../shop-http.ts";
import {
  EXPORT_FIELDS,
  type ExportField,
  guessMapping,
  type Mapping,
  NEEDED_FIELDS,
  type OrderState,
  readState,
} from "./mapping.ts";
import { parseCsv } from "./parse-csv.ts";
import { readDate, readNumber } from "./values.ts";

export type ExportOptions = {
  readonly shop: string;
  readonly file: string;
  readonly mapping?: Mapping | undefined;
  /** What a status of this system means, by its text in lower case. */
  readonly states?: ReadonlyMap<string, OrderState> | undefined;
  /** For an export without a column of currencies. */
  readonly currency?: string | undefined;
  /** Minutes by which the export's clock is ahead of UTC, where its times have no zone. */
  readonly zoneMinutes?: number | undefined;
  readonly methods?: readonly string[] | undefined;
};

/** The columns of an export, which of them are understood, and the needed fields of an order for which none is known. */
type ExportColumns = {
  readonly columns: readonly string[];
  readonly mapping: Mapping;
  readonly missing: readonly ExportField[];
};

function columnsOf(
  rows: readonly Row[],
  { mapping: given = {}, currency }: Pick<ExportOptions, "mapping" | "currency">,
): ExportColumns {
  const columns = Object.keys(rows[0] ?? {});
  const mapping = guessMapping(columns, given);
  const needed = [...NEEDED_FIELDS, ...(currency === undefined ? (["currency"] as const) : [])];
  return { columns, mapping, missing: needed.filter((field) => mapping[field] === undefined) };
}

/** What a person has to say about an export before it can be read. @throws AuditError `export_unreadable` */
export async function missingColumns(
  options: Pick<ExportOptions, "file" | "mapping" | "currency">,
): Promise<Pick<ExportColumns, "columns" | "missing">> {
  return columnsOf(await readRows(options.file), options);
}

/** Reads a CSV or JSON export of orders. @throws AuditError `export_unreadable`, `mapping_missing` */
export function createExportReader(options: ExportOptions): OrderReader {
  const { shop, file, methods = [] } = options;

  async function read(job: ReadJob): Promise<OrderCoverage> {
    const rows = await readRows(file);
    const { columns, mapping, missing } = columnsOf(rows, options);
    if (missing.length > 0)
      throw new AuditError(
        "mapping_missing",
        `Say which columns hold ${missing.join(", ")}, such as --map "${missing[0]}=${columns[0] ?? "Column"}". The columns are: ${columns.join(", ")}.`,
      );
    const orders = mergeRows(rows, mapping).flatMap((row) => parseRow(row, mapping, options, job) ?? []);
    if (orders.length === 0) throw new AuditError("export_unreadable", `No row of ${file} could be read as an order.`);
    await job.store.save(orders.map((fact) => ({ kind: "order", id: fact.id, at: fact.createdAt, fact })));
    job.onProgress({ source: shop, rows: orders.length, total: orders.length });
    const times = orders.map(({ createdAt }) => createdAt);
    const has = (field: ExportField) => mapping[field] !== undefined;
    return {
      shop,
      from: times.reduce((least, at) => Math.min(least, at), Number.POSITIVE_INFINITY),
      until: times.reduce((most, at) => Math.max(most, at), 0) + 1,
      shows: {
        refunds: has("refunded") || orders.some(({ state }) => state === "refunded"),
        cancellations: has("state"),
        methods: has("method"),
        ids: has("transaction") || has("session"),
        disputes: false,
      },
      site: null,
      methods,
    };
  }

  return { shop, read };
}

type Row = Readonly<Record<string, string>>;

async function readRows(file: string): Promise<readonly Row[]> {
  const text = await readFile(file, "utf8").catch((cause: unknown) => {
    throw new AuditError("export_unreadable", `The file ${file} cannot be read.`, { cause });
  });
  if (/^\s*[[{]/.test(text)) return jsonRows(text, file);
  const [header = [], ...rows] = parseCsv(text);
  return rows.map((row) => Object.fromEntries(header.map((column, index) => [column.trim(), row[index] ?? ""])));
}

function jsonRows(text: string, file: string): readonly Row[] {
  try {
    const parsed: unknown = JSON.parse(text);
    const list = Array.isArray(parsed) ? parsed : Object.values(fieldsOf(parsed)).find(Array.isArray);
    return (list ?? []).map((row: unknown) => flatten(fieldsOf(row)));
  } catch {
    const lines = text.split("\n").filter((line) => line.trim() !== "");
    try {
      return lines.map((line) => flatten(fieldsOf(JSON.parse(line))));
    } catch (cause) {
      throw new AuditError("export_unreadable", `The file ${file} is neither CSV nor JSON.`, { cause });
    }
  }
}

/** `{ a: { b: 1 } }` has the column `a.b`. */
function flatten(fields: Fields, prefix = ""): Row {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]): [string, string][] =>
      typeof value === "object" && value !== null && !Array.isArray(value)
        ? Object.entries(flatten(value as Fields, `${prefix}${name}.`))
        : [[`${prefix}${name}`, textOf(value)]],
    ),
  );
}

/** Exports with a row for each item repeat the order, and leave its fields empty after the first row. */
function mergeRows(rows: readonly Row[], mapping: Mapping): readonly Row[] {
  const merged = new Map<string, Record<string, string>>();
  for (const row of rows) {
    const id = row[mapping.order ?? ""]?.trim() ?? "";
    if (id === "") continue;
    const known = merged.get(id);
    if (known === undefined) merged.set(id, { ...row });
    else for (const [column, value] of Object.entries(row)) if (!known[column]) known[column] = value;
  }
  return [...merged.values()];
}

function parseRow(row: Row, mapping: Mapping, options: ExportOptions, job: ReadJob): OrderFact | null {
  const texts = Object.fromEntries(
    EXPORT_FIELDS.map((field) => [field, (row[mapping[field] ?? ""] ?? "").trim()]),
  ) as Record<ExportField, string>;
  const currency = texts.currency || options.currency || "";
  const total = readAmount(readNumber(texts.total), currency);
  const createdAt = readDate(texts.created, options.zoneMinutes ?? 0);
  if (texts.order === "" || total === null || createdAt === null) return null;
  const paidAt = readDate(texts.paid, options.zoneMinutes ?? 0);
  const names = [texts.transaction, texts.session]
    .flatMap((text) => text.toLowerCase().split(/[\s,;+]+/))
    .filter(Boolean);
  return {
    shop: options.shop,
    id: texts.order.replace(/^#/, ""),
    number: texts.number || texts.order,
    createdAt,
    changedAt: paidAt ?? createdAt,
    paidAt,
    state: stateOf(texts.state, mapping, options, paidAt),
    total: total.amount,
    otherTotal: null,
    paid: null,
    refunded: refundedOf(texts.refunded, currency),
    isRounded: total.isRounded,
    isTest: false,
    method: mapping.method === undefined ? null : texts.method.toLowerCase(),
    names: [...new Set(names.map((name) => movementName(name) ?? name))],
    aliases: [],
    relatedTo: null,
    knowsDispute: false,
    customer: job.hashCustomer(texts.customer),
    url: null,
  };
}

/** Without a column of states, every order of the export counts as paid: shops export their sales. */
function stateOf(text: string, mapping: Mapping, options: ExportOptions, paidAt: number | null): OrderState {
  if (mapping.state === undefined) return "paid";
  return readState(text, options.states ?? new Map()) ?? (paidAt === null ? "unpaid" : "paid");
}

function refundedOf(text: string, currency: string): OrderFact["refunded"] {
  const refunded = text === "" ? null : readAmount(readNumber(text), currency);
  if (refunded === null || refunded.amount.minor === 0) return null;
  return { ...refunded.amount, minor: Math.abs(refunded.amount.minor) };
}
