import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { buildClientSchema, type GraphQLSchema, type IntrospectionQuery } from "graphql";

export type ShopifyApi = "admin" | "payments-apps";

/** The API versions of the simulator, oldest first. */
export const SHOPIFY_VERSIONS = ["2025-10", "2026-01", "2026-04", "2026-07", "2026-10"] as const;
export type ShopifyVersion = (typeof SHOPIFY_VERSIONS)[number];

const PACKAGE = "@shopify/dev-mcp";
const unzip = promisify(gunzip);
const schemas = new Map<string, Promise<GraphQLSchema>>();

/**
 * Shopify's own schema, from the introspections that the npm package `@shopify/dev-mcp` carries.
 *
 * @param folder another folder with the introspections
 * @throws Error naming the package when it is not installed
 */
export function readShopifySchema(api: ShopifyApi, version: ShopifyVersion, folder?: string): Promise<GraphQLSchema> {
  const file = join(folder ?? introspectionFolder(), `${api}_${version}.json.gz`);
  const schema = schemas.get(file) ?? build(file);
  schemas.set(file, schema);
  return schema;
}

async function build(file: string): Promise<GraphQLSchema> {
  const json = JSON.parse((await unzip(await readFile(file))).toString("utf8"));
  // Shopify's schemas are valid, and validating them again would take seconds.
  return buildClientSchema((json.data ?? json) as IntrospectionQuery, { assumeValid: true });
}

// The package does not export its data, so look for its folder in the places where Node looks for packages.
function introspectionFolder(): string {
  const places = createRequire(import.meta.url).resolve.paths(PACKAGE) ?? [];
  const found = places.map((place) => join(place, PACKAGE, "dist", "data")).find((folder) => existsSync(folder));
  if (found) return found;
  throw new Error(`The simulator needs Shopify's schemas: npm install --save-dev ${PACKAGE}@1.16.0`);
}
