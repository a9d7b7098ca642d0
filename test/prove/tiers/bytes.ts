import { createHash } from "node:crypto";
import { bodyOf } from "../bytes/bodies.ts";
import { createCaseRandom } from "../bytes/case-random.ts";
import { type HttpResponse, memoryConnection, socketConnection } from "../bytes/http-connection.ts";
import { openReceiver, type Receiver } from "../bytes/receiver.ts";
import { type Request, requestWith } from "../bytes/request.ts";
import { ENDPOINTS } from "../bytes/secrets.ts";
import { type Outcome, repeatCommand, type Slice, type Tier, type Violation } from "../tier.ts";

/** The number of requests that one server receives before it is checked and replaced. */
const REQUESTS_PER_SERVER = 2_500;
/** Every 25th request goes over a real socket, the others go through memory streams into the same parser and listener. */
const SOCKET_EVERY = 25;
/** About every 200th genuine delivery arrives while the disk is full. */
const FULL_EVERY = 200;
/** Every eighth server stores its deliveries in SQLite. */
const SQLITE_EVERY = 8;

/** T4: the webhook route accepts a request exactly when one of the merchant's secrets signed its bytes. */
export const bytes: Tier = {
  id: "T4",
  title: "a webhook is accepted exactly when a secret of the merchant signed its bytes, and no request does harm",
  cases: 1_000_000,
  quick: 2_500,
  slice: 10_000,
  exclusive: false,
  async run({ seed, from, to }: Slice): Promise<Outcome> {
    const unhandledReasons: string[] = [];
    const onUnhandled = (reason: unknown) =>
      unhandledReasons.push(String(reason instanceof Error ? reason.stack : reason));
    process.on("unhandledRejection", onUnhandled);
    const all: ServerCheck[] = [];
    try {
      for (let start = from; start < to; start += REQUESTS_PER_SERVER) {
        all.push(await checkServer(seed, start, Math.min(to, start + REQUESTS_PER_SERVER)));
      }
    } finally {
      process.off("unhandledRejection", onUnhandled);
    }
    const count = (name: keyof Omit<ServerCheck, "violations">) => all.reduce((sum, checked) => sum + checked[name], 0);
    const unhandled = unhandledReasons.map((why) => ({ case: from, why, again: repeatCommand("T4", seed, from) }));
    return {
      cases: to - from,
      violations: [...all.flatMap(({ violations }) => violations), ...unhandled],
      figures: {
        accepted: count("accepted"),
        "over sockets": count("overSockets"),
        "met a full disk": count("metFullDisk"),
      },
    };
  },
};

type ServerCheck = {
  readonly violations: readonly Violation[];
  readonly accepted: number;
  readonly overSockets: number;
  readonly metFullDisk: number;
};

async function checkServer(seed: number, from: number, to: number): Promise<ServerCheck> {
  const receiver = await openReceiver(
    Math.floor(from / REQUESTS_PER_SERVER) % SQLITE_EVERY === 1 ? "sqlite" : "memory",
  );
  const [socket, memory] = [socketConnection(receiver.server), memoryConnection(receiver.server)];
  const violations: Violation[] = [];
  const addViolations = (number: number, reasons: readonly string[]) =>
    violations.push(...reasons.map((why) => ({ case: number, why, again: repeatCommand("T4", seed, number) })));
  // By endpoint and body.
  const accepted = new Map<string, Request>();
  const rejected = new Map<string, Request>();
  // Genuine requests that were not answered with 200. The server may have stored them before the sender disconnected,
  // and the same bytes may come again unsigned.
  const uncertain = new Set<string>();
  let [overSockets, metFullDisk] = [0, 0];

  for (let number = from; number < to; number += 1) {
    const random = createCaseRandom(seed, number);
    const request = requestWith(random, bodyOf(random, receiver.known, number));
    receiver.diskFull = request.status === 200 && random.oneIn(FULL_EVERY);
    const bySocket = number % SOCKET_EVERY === 0;
    const answer = await (bySocket ? socket : memory).exchange(request.wire, request.disconnects);
    addViolations(number, responseViolations(request, answer, receiver.diskFull));
    if (answer.status === 200) accepted.set(keyOf(request), request);
    else if (request.isGenuine) uncertain.add(keyOf(request));
    else rejected.set(keyOf(request), request);
    overSockets += Number(bySocket);
    metFullDisk += Number(receiver.diskFull);
  }
  receiver.diskFull = false;
  socket.close();
  memory.close();
  await receiver.runAllDue();
  const surelyRejected = [...rejected.values()].filter(
    (request) => !accepted.has(keyOf(request)) && !uncertain.has(keyOf(request)),
  );
  addViolations(from, await ledgerViolations(receiver, [...accepted.values()], surelyRejected));
  await receiver.close();
  return { violations, accepted: accepted.size, overSockets, metFullDisk };
}

function responseViolations(request: Request, { status, text }: HttpResponse, diskFull: boolean): string[] {
  const expected = diskFull ? 503 : request.status;
  const isExpected = expected === null ? status < 500 && (status !== 200 || request.isGenuine) : status === expected;
  return [
    ...(isExpected ? [] : [`${describe(request)} was answered with ${status} instead of ${expected ?? "a refusal"}.`]),
    ...privateWordsIn(text).map((word) => `An answer holds "${word.slice(0, 8)}…".`),
  ];
}

async function ledgerViolations(
  { ledger, lines }: Receiver,
  accepted: readonly Request[],
  rejected: readonly Request[],
): Promise<string[]> {
  const wrong: string[] = [];
  for (const { endpointId, body } of accepted) {
    const stored = await ledger.delivery(endpointId, digestOf(body));
    if (!stored || Buffer.compare(stored.bytes, body) !== 0)
      wrong.push("A delivery was acknowledged and is not stored byte for byte.");
  }
  for (const { endpointId, body } of rejected) {
    if (await ledger.delivery(endpointId, digestOf(body))) wrong.push("A delivery was rejected and stored.");
  }
  for (const line of lines) {
    if (FAILED_WORK.test(line)) wrong.push(`The work behind a delivery failed: ${line}`);
    for (const word of privateWordsIn(line)) wrong.push(`A line of the log holds "${word.slice(0, 8)}…".`);
  }
  return wrong;
}

/** A failed job, or any error but the one that the full disk causes. */
const FAILED_WORK = /^error (?!webhook\.storage_failed)|job\.(retried|dead)/;

function keyOf({ endpointId, body }: Request): string {
  return `${endpointId} ${digestOf(body)}`;
}

function digestOf(body: Buffer): string {
  return createHash("sha256").update(body).digest("hex");
}

function describe({ wire, isGenuine }: Request): string {
  return `A ${isGenuine ? "genuine" : "false"} request (${JSON.stringify(wire.subarray(0, 600).toString("latin1"))})`;
}

function privateWordsIn(text: string): readonly string[] {
  const secrets = Object.values(ENDPOINTS)
    .flat()
    .filter((secret) => secret.length > 20);
  const words = [...secrets, "svc_sk_test_0123456789", "Awa Diop", "awa.diop@", "+221770001234"];
  return words.filter((word) => text.includes(word));
}
