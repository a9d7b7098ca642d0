import {
  type Content,
  nameOfReference,
  type OpenApiDocument,
  type Operation,
  type Response,
  type Schema,
} from "./openapi.ts";
import { cell, fieldRows, neededTogether, schemaText } from "./schema-text.ts";

/** The three pages that are generated from the OpenAPI document of the service's API, by path in the site. */
export function serviceReference(document: OpenApiDocument): ReadonlyMap<string, string> {
  return new Map([
    ["service-api/operations.md", operationsPage(document)],
    ["service-api/events.md", eventsPage(document)],
    ["service-api/schemas.md", schemasPage(document)],
  ]);
}

function operationsPage(document: OpenApiDocument): string {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ request: `${method.toUpperCase()} ${path}`, operation })),
  );
  const groups = document.tags.map(({ name, description }) => {
    const groupOperations = operations.filter(({ operation }) => operation.tags.includes(name));
    const sections = groupOperations.map(({ request, operation }) => operationSection(document, request, operation));
    return `## ${name}\n\n${description}.\n\n${sections.join("\n")}`;
  });
  return page(
    "Operations",
    "Every operation of the service's API with its parameters, its body and its answers. The [rules for all operations](/service-api/) are on " +
      "another page. Programs can read the same from `openapi.json`, which a running sandbox serves.",
    groups,
  );
}

function operationSection(document: OpenApiDocument, request: string, operation: Operation): string {
  const parameters = (operation.parameters ?? []).map(
    ({ name, in: place, required, schema, description = "" }) =>
      `| \`${name}\` | ${place} | ${required ? "yes" : ""} | ${cell([schemaText(schema), description].filter(Boolean).join(". "))} |`,
  );
  const body = schemaOfBody(operation.requestBody?.content);
  const answers = Object.entries(operation.responses).map(([status, response]) => {
    const { description = "", content } = withoutReference(document, response);
    const schema = schemaOfBody(content);
    return `| ${status} | ${cell(description)} | ${schema ? cell(schemaText(schema)) : ""} |`;
  });
  return [
    `### ${request} {#${operation.operationId.toLowerCase()}}\n`,
    `${operation.summary}.\n`,
    ...(parameters.length > 0
      ? [`| parameter | in | required | |\n|---|---|---|---|\n${parameters.join("\n")}\n`]
      : []),
    ...(body ? [`Body: ${schemaText(body)}.\n`] : []),
    `| status | meaning | body |\n|---|---|---|\n${answers.join("\n")}\n`,
  ].join("\n");
}

function eventsPage(document: OpenApiDocument): string {
  const sections = Object.entries(document.webhooks).map(([event, { post }]) => {
    const rows = fieldRows(schemaOfBody(post.requestBody?.content) ?? {});
    return `## ${event}\n\n${post.summary}.\n\n${fieldTable(rows)}`;
  });
  return page(
    "Webhook events",
    "The body of every event that the service sends. The [rules of delivery](/service-api/#delivery) say when an event is sent again.",
    sections,
  );
}

function schemasPage(document: OpenApiDocument): string {
  const sections = Object.entries(document.components.schemas).map(([name, schema]) => {
    const hasFields = schema.properties !== undefined;
    const variants = hasFields ? [schema] : (schema.anyOf ?? schema.oneOf ?? [schema]);
    const tables = variants.map((variant) => {
      const rows = fieldRows(variant);
      return rows.length > 0 ? fieldTable(rows) : `${schemaText(variant)}.\n`;
    });
    const needs = hasFields ? neededTogether(schema).map((fields) => `\nIt needs ${fields}.\n`) : [];
    return `## ${name}\n\n${tables.join("\nor\n\n")}${needs.join("")}`;
  });
  return page("Schemas", "The fields of requests and answers. Readers ignore fields that they do not know.", sections);
}

function fieldTable(rows: readonly string[]): string {
  return `| field | required | |\n|---|---|---|\n${rows.join("\n")}\n`;
}

function page(title: string, introduction: string, sections: readonly string[]): string {
  return `---\noutline: 2\n---\n\n# ${title}\n\n${introduction}\n\n${sections.join("\n")}`;
}

/** The schema of a body in its first media type. */
function schemaOfBody(content: Content | undefined): Schema | undefined {
  return Object.values(content ?? {})[0]?.schema;
}

function withoutReference(document: OpenApiDocument, response: Response): Response {
  if (response.$ref === undefined) return response;
  return document.components.responses[nameOfReference(response.$ref)] ?? response;
}
