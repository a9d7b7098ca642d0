import { runInNewContext } from "node:vm";
import { createManualClock } from "@tillkit/testkit";
import { describe, expect, test } from "vitest";
import { script } from "../src/shopper/page/script.ts";

/** The server's answer to the next status request. `never` is a request that hangs. */
type NextAnswer = () => { httpStatus: number; paymentStatus?: string; askInMs?: number } | "unreachable" | "never";

/** The part of a browser that the waiting page's script uses, with a clock that the test moves. */
function openPhone(nextAnswer: NextAnswer, { hasFetch = true } = {}) {
  const clock = createManualClock();
  const live = { textContent: "Updating." };
  const data = {
    shownStatus: "waiting",
    statusUrl: "../status/t",
    nextUrl: "../return/t",
    firstText: "Updating.",
    laterText: "Still waiting.",
    weakText: "Weak.",
    changedText: "Changed.",
  };
  const phone = { clock, live, requests: 0, opened: [] as string[], hidden: false, show: () => undefined as unknown };

  const document = {
    querySelector: () => ({ dataset: data }),
    getElementById: () => live,
    addEventListener: (_name: string, listener: () => unknown) => {
      phone.show = listener;
    },
    get hidden() {
      return phone.hidden;
    },
  };
  const fetch = async (_url: string, { signal }: { signal: AbortSignal }) => {
    phone.requests += 1;
    const answer = nextAnswer();
    if (answer === "unreachable") throw new TypeError("Failed to fetch");
    if (answer === "never") await new Promise((_, reject) => signal.addEventListener("abort", reject));
    const { httpStatus, paymentStatus, askInMs } = answer as Exclude<ReturnType<NextAnswer>, string>;
    return { status: httpStatus, ok: httpStatus === 200, json: async () => ({ status: paymentStatus, askInMs }) };
  };
  const setTimeout = (callback: () => void, ms: number) => {
    const cancel = new AbortController();
    clock.sleep(ms, cancel.signal).then(callback, () => undefined);
    return cancel;
  };
  const clearTimeout = (timer: AbortController | undefined) => timer?.abort();
  const location = { replace: (url: string) => phone.opened.push(url) };
  const window = hasFetch ? { fetch, AbortController } : {};
  const time = { now: clock.now };
  runInNewContext(script, {
    document,
    window,
    location,
    fetch,
    AbortController,
    setTimeout,
    clearTimeout,
    Date: time,
    Math,
  });
  return phone;
}

async function wait(phone: ReturnType<typeof openPhone>, seconds: number): Promise<void> {
  for (let step = 0; step < seconds * 2; step += 1) await phone.clock.advance(500);
}

describe("the waiting page on a shopper's phone", () => {
  test("the script asks again when the server says and changes nothing while the status is the same", async () => {
    const phone = openPhone(() => ({ httpStatus: 200, paymentStatus: "waiting", askInMs: 2_000 }));
    await wait(phone, 20);
    expect(phone.requests).toBe(10);
    expect(phone.opened).toEqual([]);
    expect(phone.live.textContent).toBe("Updating.");
  });

  test("after 40 seconds the script shows that a payment can take minutes, and after ten minutes it reads four times a minute", async () => {
    const phone = openPhone(() => ({ httpStatus: 200, paymentStatus: "waiting" }));
    await wait(phone, 45);
    expect(phone.live.textContent).toBe("Still waiting.");
    await wait(phone, 600);
    const before = phone.requests;
    await wait(phone, 60);
    expect(phone.requests - before).toBe(4);
  });

  test("the script announces a new status and reloads the page", async () => {
    let paymentStatus = "waiting";
    const phone = openPhone(() => ({ httpStatus: 200, paymentStatus }));
    await wait(phone, 5);
    paymentStatus = "paid";
    await wait(phone, 3);
    expect(phone.live.textContent).toBe("Changed.");
    expect(phone.opened).toEqual(["../return/t"]);
    const before = phone.requests;
    await wait(phone, 10);
    expect(phone.requests).toBe(before);
  });

  test("without network the script shows a weak connection, retries with growing delays and continues after that", async () => {
    let network = false;
    const phone = openPhone(() => (network ? { httpStatus: 200, paymentStatus: "waiting" } : "unreachable"));
    await wait(phone, 60);
    expect(phone.live.textContent).toBe("Weak.");
    expect(phone.requests).toBeLessThan(11);
    network = true;
    await wait(phone, 13);
    expect(phone.live.textContent).not.toBe("Weak.");
    expect(phone.opened).toEqual([]);
  });

  test("a request that hangs is aborted after ten seconds and tried again", async () => {
    let hangs = true;
    const phone = openPhone(() => (hangs ? "never" : { httpStatus: 200, paymentStatus: "paid" }));
    await wait(phone, 8);
    expect(phone.requests).toBe(1);
    hangs = false;
    await wait(phone, 8);
    expect(phone.opened).toEqual(["../return/t"]);
  });

  test("the script does not reload the page while the server answers 503", async () => {
    const phone = openPhone(() => ({ httpStatus: 503 }));
    await wait(phone, 30);
    expect(phone.opened).toEqual([]);
  });

  test("the script reloads the page when its link is no longer accepted", async () => {
    const phone = openPhone(() => ({ httpStatus: 410 }));
    await wait(phone, 3);
    expect(phone.opened).toEqual(["../return/t"]);
  });

  test("the script pauses while the page is hidden and reads at once when it is shown again", async () => {
    let paymentStatus = "waiting";
    const phone = openPhone(() => ({ httpStatus: 200, paymentStatus }));
    phone.hidden = true;
    await wait(phone, 120);
    expect(phone.requests).toBe(0);
    paymentStatus = "paid";
    phone.hidden = false;
    phone.show();
    await wait(phone, 0.5);
    expect(phone.opened).toEqual(["../return/t"]);
  });

  test("a phone that comes back asks at once, although the question that it left open was lost", async () => {
    let isLost = true;
    const phone = openPhone(() => (isLost ? "never" : { httpStatus: 200, paymentStatus: "paid" }));
    await wait(phone, 2);
    phone.hidden = true;
    phone.show();
    await wait(phone, 1);
    isLost = false;
    phone.hidden = false;
    phone.show();
    await wait(phone, 0.5);
    expect(phone.requests).toBe(2);
    expect(phone.opened).toEqual(["../return/t"]);
  });

  test("a browser without fetch reloads the page instead", async () => {
    const phone = openPhone(() => "unreachable", { hasFetch: false });
    await wait(phone, 10);
    expect(phone.opened).toEqual(["../return/t"]);
  });
});
