import { z } from "zod";
import type { AppMode } from "../config/config-schema.ts";
import type { Operation } from "../shopify-api/operation.ts";

const versions = z.array(z.object({ handle: z.string(), supported: z.boolean() }));

type ApiVersions = z.output<typeof versions>;

const text = "query PublicApiVersions { publicApiVersions { handle supported } }";
const schema = z.object({ publicApiVersions: versions }).transform((data) => data.publicApiVersions);

const OPERATIONS = {
  offsite: { name: "PublicApiVersions", api: "payments", text, schema },
  order: { name: "PublicApiVersions", api: "admin", text, schema },
} as const satisfies Readonly<Record<AppMode, Operation<ApiVersions>>>;

/** The smallest query that the API of this mode answers. */
export function apiVersionsOperation(mode: AppMode): Operation<ApiVersions> {
  return OPERATIONS[mode];
}
