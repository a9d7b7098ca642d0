import process from "node:process";
import type { AuditConfig, ExportField, missingColumns } from "@tillkit/audit";
import { askInTerminal } from "../../command-line/confirm.ts";

/** What an export's columns may hold, as a person is asked for it. */
const QUESTIONS: Readonly<Partial<Record<ExportField, string>>> = {
  order: "the order's number or id",
  created: "the day or time of the order",
  total: "the order's total",
  currency: "the order's currency (or type a code such as XOF)",
};

type Columns = Awaited<ReturnType<typeof missingColumns>>;

/**
 * Asks a person for the columns of each export that have no known name. Where nobody can answer, the configuration stays as it is, and
 * the audit says what is missing.
 */
export async function askColumns(
  config: AuditConfig,
  readColumns: typeof missingColumns,
  ask: ((question: string) => Promise<string>) | null = process.stdin.isTTY && process.stderr.isTTY
    ? askInTerminal
    : null,
): Promise<AuditConfig> {
  if (ask === null) return config;
  const shops: AuditConfig["shops"] = [];
  for (const shop of config.shops) {
    if (shop.platform !== "export") shops.push(shop);
    else {
      const known = await readColumns({ file: shop.file, mapping: shop.columns, currency: shop.currency });
      shops.push({ ...shop, ...(await answersFor(known, shop, ask)) });
    }
  }
  return { ...config, shops };
}

type ExportShop = Extract<AuditConfig["shops"][number], { platform: "export" }>;

async function answersFor(
  { missing, columns }: Columns,
  shop: ExportShop,
  ask: (question: string) => Promise<string>,
): Promise<Pick<ExportShop, "columns" | "currency">> {
  const named: Partial<Record<ExportField, string>> = { ...shop.columns };
  let { currency } = shop;
  const list = columns.map((column, index) => `  ${index + 1}. ${column}`).join("\n");
  for (const [index, field] of missing.entries()) {
    const shown = index === 0 ? `The columns of ${shop.file}:\n${list}\n` : "";
    const what = QUESTIONS[field] ?? field;
    for (let before = shown; named[field] === undefined; before = "That is none of the columns. ") {
      const answer = (await ask(`${before}Which column holds ${what}? `)).trim();
      if (field === "currency" && /^[A-Za-z]{3}$/.test(answer) && !columns.includes(answer)) {
        currency = answer.toUpperCase();
        break;
      }
      const column = columns[Number(answer) - 1] ?? columns.find((name) => name.toLowerCase() === answer.toLowerCase());
      if (column !== undefined) named[field] = column;
    }
  }
  return { columns: named, currency };
}
