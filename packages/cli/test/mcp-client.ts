import type { ChildProcess } from "node:child_process";
import { interrupt, linesOf, type RunOptions, startProgram } from "./program.ts";

/** `older`: one handshake, then plain requests. `newer`: no handshake; each request says which version it speaks. */
export type Protocol = "older" | "newer";

export type McpResult = {
  readonly isError?: boolean;
  readonly content: readonly { readonly type: string; readonly text: string }[];
};

/** A client of the Model Context Protocol that knows nothing of the server's library: lines of JSON-RPC over the program's streams. */
export type McpClient = {
  request(method: string, params?: object): Promise<Record<string, unknown>>;
  toolNames(): Promise<readonly string[]>;
  call(name: string, input?: object): Promise<McpResult>;
  /** The answer of a tool that must not fail, as data. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read fields of answers that they know
  ask(name: string, input?: object): Promise<any>;
  /** Everything that the program wrote to standard output. */
  written(): string;
  close(): Promise<void>;
};

const NEWER = "2026-07-28";
const CLIENT = { name: "an independent client", version: "1" };
const ENVELOPE = {
  "io.modelcontextprotocol/protocolVersion": NEWER,
  "io.modelcontextprotocol/clientInfo": CLIENT,
  "io.modelcontextprotocol/clientCapabilities": {},
};

export async function startMcp(
  args: readonly string[],
  { protocol = "older", ...options }: RunOptions & { readonly protocol?: Protocol } = {},
): Promise<McpClient> {
  const child = startProgram(["mcp", ...args], options);
  const lines = linesOf(child);
  let [id, written] = [0, ""];
  const send = (message: object) => child.stdin?.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  const answerOf = async (wanted: number): Promise<Record<string, unknown>> => {
    for (;;) {
      const { value, done } = await lines.next();
      if (done) throw new Error(`The program ended without an answer to request ${wanted}.`);
      written += `${value}\n`;
      const message = JSON.parse(value);
      if (message.id === wanted) return message;
    }
  };
  const client: McpClient = {
    async request(method, params = {}) {
      id += 1;
      send({ id, method, params: protocol === "newer" ? { ...params, _meta: ENVELOPE } : params });
      const { result, error } = await answerOf(id);
      if (error) throw new Error(JSON.stringify(error));
      return result as Record<string, unknown>;
    },
    async toolNames() {
      const { tools } = await client.request("tools/list");
      return (tools as { name: string }[]).map(({ name }) => name);
    },
    call: async (name, input = {}) =>
      (await client.request("tools/call", { name, arguments: input })) as unknown as McpResult,
    async ask(name, input) {
      const { isError, content } = await client.call(name, input);
      const text = content.map((part) => part.text).join("");
      if (isError) throw new Error(text);
      return JSON.parse(text);
    },
    written: () => written,
    close: () => end(child),
  };
  if (protocol === "older") {
    const hello = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: CLIENT };
    await client.request("initialize", hello);
    send({ method: "notifications/initialized" });
  }
  return client;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode === null) await interrupt(child);
}
