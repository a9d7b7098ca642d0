import { StoreError } from "@tillkit/core";
import { type CallKind, errorCodeOf, type PluginRoutes } from "@tillkit/php-bridge";
import { z } from "zod";
import type { WooReply, WooRest } from "./woo-rest.ts";

type OrderCall = {
  readonly method: "GET" | "PUT" | "POST";
  readonly path: string;
  readonly query?: object;
  readonly fields?: object;
};

const answerSchema = z.object({ status: z.number(), pages: z.number().catch(1), body: z.unknown() });

/**
 * The calls of `createWooRest` for a shop without a REST key: the plugin makes the calls about orders inside WordPress.
 * Throws the same StoreErrors.
 */
export function createSignedRest(plugin: PluginRoutes): WooRest {
  return {
    get: (path, query = {}) => send(plugin, { method: "GET", path, query }),
    put: (path, fields) => send(plugin, { method: "PUT", path, fields }),
    post: (path, fields) => send(plugin, { method: "POST", path, fields }),
    withSendBy: (sendBy) => createSignedRest(plugin.withSendBy(sendBy)),
  };
}

async function send(plugin: PluginRoutes, call: OrderCall): Promise<WooReply> {
  const kind: CallKind = call.method === "GET" ? "read" : "write";
  const reply = await plugin.call("orders", call).catch((error: unknown) => {
    throw kind === "read" ? asReadError(error) : error;
  });
  if (reply.kind === "unreachable") throw new StoreError("reconnect", reply.message);
  if (reply.status !== 200) throw refusedError(reply.status, reply.code, kind);
  const answer = answerSchema.safeParse(reply.body);
  const body = answer.success ? answer.data.body : null;
  if (!answer.success || typeof body !== "object" || body === null) throw unreadableError(kind);
  const { status, pages } = answer.data;
  const code = status < 400 ? null : errorCodeOf(body);
  if (status >= 400 && code === null) throw unreadableError(kind);
  if (status === 401 || status === 403) {
    throw new StoreError(
      "reconnect",
      `WooCommerce refuses the plugin (${status} ${code}): update both to the newest version.`,
    );
  }
  return { status, code, body, pages };
}

/** A read that got no answer has changed nothing, whatever the transport of writes says. */
function asReadError(error: unknown): unknown {
  return error instanceof StoreError && error.code === "unknown" ? new StoreError("unavailable", error.message) : error;
}

function refusedError(status: number, code: string | null, kind: CallKind): StoreError {
  const problem = `The plugin answered ${status} ${code ?? "without a code"}`;
  // 400: the plugin knows no such call. Nothing was sent to WooCommerce.
  if (kind === "read" || status < 500)
    return new StoreError("unavailable", `${problem}: update it to the version of the checkout server.`);
  return new StoreError("unknown", `${problem}: it may have applied the write.`);
}

function unreadableError(kind: CallKind): StoreError {
  if (kind === "read") return new StoreError("unavailable", "The plugin answered in an unknown format.");
  return new StoreError("unknown", "The plugin answered in an unknown format: it may have applied the write.");
}
