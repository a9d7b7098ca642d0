import type { z } from "zod";
import { validate } from "./validate.ts";

/**
 * The values of a query, as the published schema of its list reads them. A parameter that occurs twice has no value of its own. A number
 * is written in decimal digits: JavaScript would also read `0x10`, `1e2` and an empty text as numbers.
 * @throws ApiError `validation_failed`
 */
export function readQuery<Schema extends z.ZodType>(schema: Schema, query: URLSearchParams): z.output<Schema> {
  const values = [...new Set(query.keys())].map((name) => [name, parameterOf(name, query.getAll(name))] as const);
  return validate(schema, Object.fromEntries(values));
}

function parameterOf(name: string, [value = "", ...more]: readonly string[]): unknown {
  if (more.length > 0) return [value, ...more];
  return NUMBERS.has(name) && !/^-?\d+$/.test(value) ? NOT_A_NUMBER : value;
}

const NUMBERS: ReadonlySet<string> = new Set(["limit", "offset"]);
const NOT_A_NUMBER = "?";
