import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export type Delivery = {
  readonly headers: IncomingHttpHeaders;
  /** The signed bytes, as text. */
  readonly raw: string;
  readonly event: string;
  /** The body, parsed; empty when it is no JSON. */
  readonly body: Readonly<Record<string, unknown>>;
};

/** `hold`: the connection stays open without an answer; `reset`: it is torn down. */
type Behaviour = number | "hold" | "reset";

/** A merchant's webhook endpoint on this machine. */
export type Receiver = {
  readonly url: string;
  readonly deliveries: readonly Delivery[];
  /** How the next requests are answered, one after the other; the last behaviour stays. */
  answer(...behaviours: readonly Behaviour[]): void;
  /** The body of its answers. */
  say(text: string): void;
  /** Waits until that many deliveries have arrived, of one event if it is named. */
  wait(count: number, event?: string): Promise<readonly Delivery[]>;
  /** Waits long enough for a delivery that would have been started by now. */
  quiet(): Promise<readonly Delivery[]>;
  close(): Promise<void>;
};

const patienceMs = 5_000;

export async function openReceiver(): Promise<Receiver> {
  const deliveries: Delivery[] = [];
  let behaviours: readonly Behaviour[] = [200];
  let text = "thank you";

  const server = createServer((request, response) => {
    void readText(request).then((raw) => {
      deliveries.push(deliveryOf(request, raw));
      const [now = 200, ...later] = behaviours;
      if (later.length > 0) behaviours = later;
      behave(response, now, text);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;

  const of = (event?: string) => deliveries.filter((delivery) => event === undefined || delivery.event === event);
  return {
    url: `http://127.0.0.1:${port}/hooks`,
    deliveries,
    answer: (...next) => {
      behaviours = next;
    },
    say: (next) => {
      text = next;
    },
    wait: async (count, event) => {
      const giveUp = Date.now() + patienceMs;
      while (of(event).length < count) {
        if (Date.now() > giveUp) throw new Error(`Waited for ${count} × ${event ?? "any event"}, got ${list(of())}.`);
        await sleep(5);
      }
      return of(event);
    },
    quiet: async () => {
      await sleep(100);
      return deliveries;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function behave(response: ServerResponse, behaviour: Behaviour, text: string): void {
  if (behaviour === "hold") return;
  if (behaviour === "reset") {
    response.destroy();
    return;
  }
  response.writeHead(behaviour, behaviour >= 300 && behaviour < 400 ? { Location: "/elsewhere" } : {}).end(text);
}

function deliveryOf(request: IncomingMessage, raw: string): Delivery {
  const body = parse(raw);
  return { headers: request.headers, raw, event: String(body.event), body };
}

/** A body that was spoiled on the way may be anything. */
function parse(raw: string): Record<string, unknown> {
  try {
    return JSON.parse(raw);
  } catch {
    return {};
  }
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}

function list(deliveries: readonly Delivery[]): string {
  return deliveries.map((delivery) => delivery.event).join(", ") || "nothing";
}
