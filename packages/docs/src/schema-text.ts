import { nameOfReference, type Schema } from "./openapi.ts";

/** Describes a schema for the cell of a table: `integer, at least 1`. A named schema becomes a link. */
export function schemaText(schema: Schema): string {
  if (schema.$ref !== undefined) return schemaLink(nameOfReference(schema.$ref));
  // Beside fields, a choice says which of them are needed together.
  const choices = schema.properties === undefined ? (schema.anyOf ?? schema.oneOf) : undefined;
  if (choices !== undefined) return [...new Set(choices.map(schemaText))].join(" or ");
  if (schema.allOf !== undefined && schema.properties === undefined) return schema.allOf.map(schemaText).join(" and ");
  if (schema.not !== undefined) return "refused";
  if (schema.const !== undefined) return `\`${String(schema.const)}\``;
  if (schema.enum !== undefined) return schema.enum.map((value) => `\`${String(value)}\``).join(", ");
  return [typeText(schema), ...limitsOf(schema)].join(", ");
}

/** One row for each field, the fields of nested objects below their object: `customer.email`. */
export function fieldRows(schema: Schema, prefix = ""): readonly string[] {
  const required = new Set(schema.required);
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => [
    `| \`${prefix}${name}\` | ${required.has(name) ? "yes" : ""} | ${cell(schemaText(field))} |`,
    ...fieldRows(field, `${prefix}${name}.`),
    ...fieldRows(field.items ?? {}, `${prefix}${name}[].`),
  ]);
}

/** Which fields an object needs beyond the required ones: "`amount`, or `price_id`". One text for each choice. */
export function neededTogether({ anyOf, allOf = [] }: Schema): readonly string[] {
  const choice = anyOf?.map(({ required = [] }) => required.map((field) => `\`${field}\``).join(" and ")).join(", or ");
  return [...(choice === undefined ? [] : [choice]), ...allOf.flatMap(neededTogether)];
}

function schemaLink(name: string): string {
  return `[\`${name}\`](/service-api/schemas#${name.toLowerCase()})`;
}

/** Escapes text for the cell of a Markdown table. */
export function cell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll("\n", " ");
}

function typeText({ type, format, items }: Schema): string {
  const types = typeof type === "string" ? [type] : (type ?? ["any value"]);
  const texts = types.map((name) => (name === "array" && items !== undefined ? `list of ${schemaText(items)}` : name));
  return texts.join(" or ") + (format === undefined ? "" : ` (${format})`);
}

function limitsOf({ pattern, minimum, maximum, minLength, maxLength, maxProperties }: Schema): readonly string[] {
  return [
    ...(minimum === undefined ? [] : [`at least ${minimum}`]),
    ...(maximum === undefined ? [] : [`at most ${maximum}`]),
    ...(minLength === undefined || minLength < 2 ? [] : [`at least ${minLength} characters`]),
    ...(maxLength === undefined ? [] : [`at most ${maxLength} characters`]),
    ...(maxProperties === undefined ? [] : [`at most ${maxProperties} keys`]),
    ...(pattern === undefined ? [] : [`matches \`${pattern}\``]),
  ];
}
