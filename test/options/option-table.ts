import { z } from "zod";

/** One option as one platform has it. `name`: `stores[].apiKey`; `default`: `required` for a required option, empty for an optional one. */
export type OptionRow = {
  readonly name: string;
  readonly type: string;
  readonly default: string;
  readonly meaning: string;
};

type JsonSchema = {
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly default?: unknown;
  readonly description?: string;
};

/** The options of a schema: an object without a meaning of its own is named by what it holds. */
export function optionRows(schema: z.ZodType): readonly OptionRow[] {
  return rowsOf(z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) as JsonSchema, "", "required");
}

// `whenRequired`: what is written as the default of a required option.
function rowsOf(schema: JsonSchema, prefix: string, whenRequired: string): readonly OptionRow[] {
  const { properties = {}, required = [] } = schema;
  return Object.entries(properties).flatMap(([key, value]) => {
    const name = prefix + key;
    const isRequired = required.includes(key) && value.default === undefined;
    const fields = fieldsOf(value, name);
    if (fields !== null) return rowsOf(...fields, isRequired ? whenRequired : `required with \`${name}\``);
    const preset = value.default === undefined ? "" : code(value.default);
    return [
      { name, type: typeOf(value), default: isRequired ? whenRequired : preset, meaning: value.description ?? "" },
    ];
  });
}

// Null for an option that is described as a whole.
function fieldsOf(value: JsonSchema, name: string): readonly [JsonSchema, prefix: string] | null {
  if (value.description !== undefined) return null;
  if (value.properties !== undefined) return [value, `${name}.`];
  return value.items?.properties === undefined ? null : [value.items, `${name}[].`];
}

function typeOf({ type, format, items, enum: words, const: word, ...schema }: JsonSchema): string {
  if (words !== undefined) return words.map(code).join(", ");
  if (word !== undefined) return code(word);
  const variants = schema.anyOf ?? schema.oneOf;
  if (variants !== undefined) return [...new Set(variants.map(typeOf))].join(" or ");
  if (type === "array") return `list of ${typeOf(items ?? {})}`;
  if (type === "object") return `{ ${Object.keys(schema.properties ?? {}).join(", ")} }`;
  if (type === "integer") return "whole number";
  if (type === "boolean") return "`true`, `false`";
  return format === "uri" ? "address" : "text";
}

/** A list has a space after each comma: a line breaks there, and no column is as wide as the longest list. */
function code(value: unknown): string {
  return `\`${JSON.stringify(value).replaceAll(/,(?=["[{])/g, ", ")}\``;
}

/** One table of all platforms. Platforms whose option has the same type, default and meaning share a row. */
export function optionTable(platforms: Readonly<Record<string, readonly OptionRow[]>>): string {
  const platformsOfRow = new Map<string, readonly string[]>();
  for (const [platform, rows] of Object.entries(platforms)) {
    for (const { name, type, default: preset, meaning } of rows) {
      const start = `| \`${name}\` | ${type} | ${preset} |`;
      const row = JSON.stringify([start, meaning]);
      platformsOfRow.set(row, [...(platformsOfRow.get(row) ?? []), platform]);
    }
  }
  const lines = [...platformsOfRow].map(([row, names]) => {
    const [start, meaning] = JSON.parse(row) as [string, string];
    return `${start} ${names.join(", ")} | ${meaning} |`;
  });
  return ["| option | type | default | platforms | meaning |", "|---|---|---|---|---|", ...lines.sort()].join("\n");
}
