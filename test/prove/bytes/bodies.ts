import { gzipSync } from "node:zlib";
import { limits } from "@tillkit/core";
import type { CaseRandom } from "./case-random.ts";

/** The identifiers of one payment of the merchant, for bodies about the payment. */
export type KnownPayment = { readonly sessionId: string; readonly reference: string };

const EVENTS = [
  "PAYMENT_CREATED",
  "PAYMENT_SUCCEEDED",
  "PAYMENT_FAILED",
  "SUBSCRIPTION_RENEWED",
  "DISPUTE_CREATED",
  "DISPUTE_CLOSED",
  "test.webhook",
] as const;

/** A random body: a genuine event, a mutated one, unusual JSON or random bytes. */
export function bodyOf(random: CaseRandom, known: readonly [KnownPayment, ...KnownPayment[]], number: number): Buffer {
  const kind = random.below(100);
  if (kind < 30) return Buffer.from(eventText(random, random.pick(...known), number));
  if (kind < 60) return mutate(random, Buffer.from(eventText(random, random.pick(...known), number)));
  if (kind < 90) return Buffer.from(oddText(random, random.pick(...known), number));
  if (kind < 99) return oddBytes(random, random.pick(...known), number);
  return random.oneIn(4) ? bodyNearSizeLimit(random) : random.bytes(random.below(600));
}

/** An event as the service serializes it, with a fresh id. */
function eventText(random: CaseRandom, about: KnownPayment, number: number): string {
  return JSON.stringify(eventOf(random, about, number));
}

function eventOf(random: CaseRandom, { sessionId, reference }: KnownPayment, number: number): Record<string, unknown> {
  const resource = {
    transaction_id: `b7e6d1c0-0c0f-4e55-a1f2-${String(number).padStart(12, "0")}`,
    ...(random.oneIn(4) ? {} : { checkout_session_id: sessionId }),
    status: random.pick("completed", "pending", "failed"),
    gross_amount: 25_000,
    currency_code: "XOF",
    customer: { name: "Awa Diop", email: "awa.diop@example.test", phone: "+221770001234" },
    metadata: random.oneIn(4) ? { order_id: "1042" } : { tillkit_reference: reference, order_id: "1042" },
    environment: random.oneIn(8) ? "live" : "test",
  };
  return {
    id: `evt_${number}`,
    // Every refund event costs a call, so there are few of them.
    event: random.oneIn(40)
      ? random.pick("REFUND_CREATED", "REFUND_COMPLETED", "REFUND_FAILED")
      : random.pick(...EVENTS),
    timestamp: "2026-03-01T10:03:12.345Z",
    data: random.oneIn(3) ? { object: resource } : resource,
    service_environment: "development",
  };
}

function mutate(random: CaseRandom, valid: Buffer): Buffer {
  let bytes: Buffer = valid;
  for (let changes = 1 + random.below(4); changes > 0; changes -= 1) {
    const at = random.below(bytes.length + 1);
    const before = bytes.subarray(0, at);
    const after = bytes.subarray(at);
    const replaceByte = () => Buffer.concat([before, random.bytes(1), after.subarray(1)]);
    const insertBytes = () => Buffer.concat([before, random.bytes(1 + random.below(4)), after]);
    const deleteBytes = () => Buffer.concat([before, after.subarray(1 + random.below(8))]);
    const repeatBytes = () => Buffer.concat([before, before.subarray(-random.below(40)), after]);
    const cutOff = () => before;
    const insertSyntax = () => {
      const syntax = random.pick('"', "\\", "{", "}", "[", "]", ",", ":", "null", "-", "1e9");
      return Buffer.concat([before, Buffer.from(syntax), after]);
    };
    const change = random.pick(replaceByte, insertBytes, deleteBytes, repeatBytes, cutOff, insertSyntax);
    bytes = change();
  }
  return bytes;
}

/** Texts that are JSON or almost JSON and have an unusual meaning. */
function oddText(random: CaseRandom, about: KnownPayment, number: number): string {
  const event = eventOf(random, about, number);
  const text = JSON.stringify(event);
  const name = random.pick("data", "event", "id", "timestamp", "metadata", "object", "checkout_session_id");
  return random.pick<() => string>(
    () =>
      random.pick("", " ", "null", "true", "0", '""', "[]", "{}", "[{}]", '"PAYMENT_SUCCEEDED"', "NaN", "undefined"),
    () => nestedText(random, random.pick("[", '{"data":', '{"data":{"object":', '[{"event":')),
    () => text.replace('"data":', `"data":${nestedText(random, "[")},"data":`),
    () => text.replace("{", '{"__proto__":{"event":"PAYMENT_SUCCEEDED","polluted":true},'),
    () =>
      text.replace('"metadata":{', '"metadata":{"__proto__":{"tillkit_reference":"x"},"constructor":{"prototype":{}},'),
    () => text.replace('"metadata":{', '"metadata":{"toString":1,"hasOwnProperty":null,"valueOf":[],'),
    () => text.replace('"event":', '"event":"REFUND_COMPLETED","event":'),
    () => text.replace('"data":', '"data":null,"data":'),
    () =>
      text.replaceAll(
        "25000",
        random.pick("1e400", "-1e400", "9007199254740993", "2.5e4", "-0", "0.1", "1e-400", "25000.0"),
      ),
    () => text.replace(/"timestamp":"[^"]*"/, `"timestamp":${oddValue(random)}`),
    () => text.replace(/"event":"[^"]*"/, `"event":${oddValue(random)}`),
    () => text.replace(/"checkout_session_id":"[^"]*"/, `"checkout_session_id":${oddValue(random)}`),
    () => text.replace(/"tillkit_reference":"[^"]*"/, `"tillkit_reference":${oddValue(random)}`),
    () =>
      text.replace(
        /"tillkit_reference":"([^"]*)"/,
        (_, own: string) => `"tillkit_reference":${JSON.stringify(forgedReference(random, own))}`,
      ),
    () => JSON.stringify({ ...event, [name]: oddParsed(random) }),
    () => JSON.stringify({ ...event, data: { ...(event.data as object), [name]: oddParsed(random) } }),
    () => JSON.stringify({ ...event, data: { object: { object: event.data } } }),
    () => JSON.stringify({ id: `evt_${number}`, event: "PAYMENT_SUCCEEDED" }),
    () => JSON.stringify({ ...event, filler: "x".repeat(random.below(5_000)) }),
    () =>
      JSON.stringify(
        Object.fromEntries(Array.from({ length: random.below(500) }, (_, key) => [`key ${key}`, event.id])),
      ),
    () => `${text}${text}`,
    () => `${text}\n`,
    () => `// a comment\n${text}`,
    () => text.replaceAll('"', "'"),
    () => JSON.stringify(event, null, random.below(9)),
    () => text.replaceAll("a", "\\u0061"),
    () =>
      text.replace(
        "Awa",
        random.pick("\\ud800", "\\udc00\\ud800", "\\u0000", "\ufeff", "\u202e", "𝔸", "e\u0301".repeat(20)),
      ),
  )();
}

const oddValue = (random: CaseRandom): string => JSON.stringify(oddParsed(random)) ?? "null";

function oddParsed(random: CaseRandom): unknown {
  return random.pick<() => unknown>(
    () => null,
    () => random.pick<unknown>(true, 0, -1, 1e308, Number.MAX_SAFE_INTEGER),
    () => "",
    () => "x".repeat(random.below(3_000)),
    () =>
      random.pick(
        "__proto__",
        "constructor",
        "toString",
        "\u0000",
        "'; drop table tillkit_payments; --",
        "<script>",
        "../..",
        "%00",
      ),
    () => [],
    () => ({}),
    () => [[["PAYMENT_SUCCEEDED"]]],
    () => ({ toString: "x", length: -1 }),
    () => random.pick("2026-02-30T25:61:61Z", "-271821-04-20T00:00:00.000Z", "+275760-09-13T00:00:00.001Z", "now"),
  )();
}

/** An almost valid payment reference. */
function forgedReference(random: CaseRandom, own: string): string {
  const dot = own.lastIndexOf(".");
  return random.pick<() => string>(
    () => own.slice(0, dot),
    () => own.slice(0, -1),
    () => `${own}0`,
    () => own.toUpperCase(),
    () => `${own.slice(0, dot)}.${"0".repeat(32)}`,
    () => own.slice(dot),
    () => `x${own}`,
    () => `${own}.${own}`,
  )();
}

const UTF8_MARK = Buffer.from([0xef, 0xbb, 0xbf]);
const UTF16_MARK = Buffer.from([0xff, 0xfe]);
const HALF_A_EURO_SIGN = Buffer.from([0xe2, 0x82]);
const UNFINISHED_EMOJI = Buffer.from([0xf0, 0x9f, 0x94]);
/** As latin1, these are the bytes of an overlong slash and of half a surrogate pair, which UTF-8 forbids. */
const FORBIDDEN_UTF8 = "\xc0\xaf\xed\xa0\x80";

/** An event in another encoding, with bytes that are no UTF-8, or in a form that is no JSON. */
function oddBytes(random: CaseRandom, about: KnownPayment, number: number): Buffer {
  const text = eventText(random, about, number);
  const bytes = Buffer.from(text);
  return random.pick<() => Buffer>(
    () => Buffer.concat([UTF8_MARK, bytes]),
    () => Buffer.concat([UTF16_MARK, Buffer.from(text, "utf16le")]),
    () => Buffer.from(text, "utf16le"),
    () => Buffer.concat([bytes, Buffer.from([0])]),
    () => Buffer.concat([Buffer.from([0]), bytes]),
    () => Buffer.from(text.replace("Awa", "Aïssatou"), "latin1"),
    () => Buffer.concat([bytes.subarray(0, -2), HALF_A_EURO_SIGN, bytes.subarray(-2)]),
    () => Buffer.concat([bytes, UNFINISHED_EMOJI]),
    () => Buffer.from(text.replace("Awa", FORBIDDEN_UTF8), "latin1"),
    () => gzipSync(bytes),
    () => Buffer.from(`payload=${encodeURIComponent(text)}`),
    () => Buffer.from(`<event>${number}</event>`),
    () => Buffer.from(bytes.toString("base64")),
  )();
}

/** A body one byte below, at and above the size limit. */
function bodyNearSizeLimit(random: CaseRandom): Buffer {
  const size = limits.maxDeliveryBytes + random.pick(-1, 0, 1);
  const [opening, closing] = [Buffer.from('{"event":"test.webhook","filler":"'), Buffer.from('"}')];
  return Buffer.concat([opening, Buffer.alloc(size - opening.length - closing.length, "x"), closing]);
}

function nestedText(random: CaseRandom, opening: string): string {
  return opening.repeat(random.pick(10, 1_000, 20_000));
}
