import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { PATIENCE_MS } from "../waiting/patience.ts";

export type Delivery = {
  readonly headers: IncomingHttpHeaders;
  /** The signed bytes, as text. */
  readonly raw: string;
  readonly event: string;
  /** The parsed body, or an empty object if the body is not JSON. */
  readonly body: Readonly<Record<string, unknown>>;
};

/** The status of the answer, or a fault: `hold` keeps the connection open without an answer, `reset` breaks the connection. */
type Behaviour = number | "hold" | "reset";

/** A merchant's webhook endpoint on this machine. */
export type Receiver = {
  readonly url: string;
  readonly deliveries: readonly Delivery[];
  /** How the next requests are answered, one after the other; the last behaviour stays. */
  answer(...behaviours: readonly Behaviour[]): void;
  /** Sets the body of the receiver's answers. */
  setBody(text: string): void;
  /** Waits until `count` deliveries have arrived, of one event if `event` is given. */
  wait(count: number, event?: string): Promise<readonly Delivery[]>;
  /** Waits long enough for an unexpected delivery to arrive, and returns all deliveries. */
  waitBriefly(): Promise<readonly Delivery[]>;
  close(): Promise<void>;
};

export async function openReceiver(): Promise<Receiver> {
  const deliveries: Delivery[] = [];
  let behaviours: readonly Behaviour[] = [200];
  let answerBody = "thank you";

  const server = createServer((request, response) => {
    void readText(request).then((raw) => {
      deliveries.push(deliveryOf(request, raw));
      const [current = 200, ...next] = behaviours;
      if (next.length > 0) behaviours = next;
      behave(response, current, answerBody);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;

  const deliveriesOf = (event?: string) =>
    deliveries.filter((delivery) => event === undefined || delivery.event === event);
  return {
    url: `http://127.0.0.1:${port}/hooks`,
    deliveries,
    answer: (...next) => {
      behaviours = next;
    },
    setBody: (next) => {
      answerBody = next;
    },
    wait: async (count, event) => {
      const giveUpAt = Date.now() + PATIENCE_MS;
      while (deliveriesOf(event).length < count) {
        if (Date.now() > giveUpAt)
          throw new Error(`Waited for ${count} × ${event ?? "any event"}, got ${eventsOf(deliveriesOf())}.`);
        await sleep(5);
      }
      return deliveriesOf(event);
    },
    waitBriefly: async () => {
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

function behave(response: ServerResponse, behaviour: Behaviour, answerBody: string): void {
  if (behaviour === "hold") return;
  if (behaviour === "reset") {
    response.destroy();
    return;
  }
  const isRedirect = behaviour >= 300 && behaviour < 400;
  response.writeHead(behaviour, isRedirect ? { Location: "/elsewhere" } : {}).end(answerBody);
}

function deliveryOf(request: IncomingMessage, raw: string): Delivery {
  const body = parse(raw);
  return { headers: request.headers, raw, event: String(body.event), body };
}

/** A body that was tampered with may not be JSON. */
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

function eventsOf(deliveries: readonly Delivery[]): string {
  return deliveries.map((delivery) => delivery.event).join(", ") || "nothing";
}
