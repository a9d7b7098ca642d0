import { CheckoutError } from "@tillkit/core";
import { z } from "zod";

/** The options of Vendure's database connection that fit into a URL. */
const connection = z.object({
  type: z.literal("postgres"),
  url: z.string().optional(),
  host: z.string().default("localhost"),
  port: z.number().default(5432),
  username: z.string().optional(),
  password: z.string().optional(),
  database: z.string().optional(),
  ssl: z.unknown().optional(),
});

/**
 * The address of Vendure's own database, for the ledger's tables.
 * @throws CheckoutError `configuration_invalid` if Vendure does not use PostgreSQL, or its connection options do not fit into a URL
 */
export function databaseUrlOf(options: unknown): string {
  const parsed = connection.safeParse(options);
  if (!parsed.success) {
    const message =
      "Tillkit needs PostgreSQL: set dbConnectionOptions.type to postgres, and the option database where the connection needs more than host, port, username, password and database.";
    throw new CheckoutError("configuration_invalid", message);
  }
  const { url, host, port, username, password, database, ssl } = parsed.data;
  if (url !== undefined) return url;
  const built = new URL(`postgres://${host}:${port}`);
  built.username = encodeURIComponent(username ?? "");
  built.password = encodeURIComponent(password ?? "");
  built.pathname = `/${encodeURIComponent(database ?? "")}`;
  if (ssl !== undefined && ssl !== false) built.searchParams.set("sslmode", "require");
  return built.href;
}
