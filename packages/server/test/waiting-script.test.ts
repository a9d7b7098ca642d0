import { runInNewContext } from "node:vm";
import { createManualClock } from "@tillkit/testkit";
import { describe, expect, test } from "vitest";
import { script } from "../src/pages/script.ts";

type Look = () => { status: number; say?: string } | "unreachable" | "never";

/** A phone that shows the waiting page: just as much of a browser as the page's script touches, on a clock moved by hand. */
function openPhone(look: Look, { fetches = true } = {}) {
  const clock = createManualClock();
  const live = { textContent: "Looking." };
  const data = {
    say: "waiting",
    status: "../status/t",
    next: "../return/t",
    now: "Looking.",
    long: "Long.",
    weak: "Weak.",
    found: "Found.",
  };
  const phone = { clock, live, looks: 0, opened: [] as string[], hidden: false, show: () => undefined as unknown };

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
    phone.looks += 1;
    const seen = look();
    if (seen === "unreachable") throw new TypeError("Failed to fetch");
    if (seen === "never") await new Promise((_, reject) => signal.addEventListener("abort", reject));
    const { status, say } = seen as { status: number; say?: string };
    return { status, ok: status === 200, json: async () => ({ say }) };
  };
  const setTimeout = (then: () => void, ms: number) => {
    const cancel = new AbortController();
    clock.sleep(ms, cancel.signal).then(then, () => undefined);
    return cancel;
  };
  const clearTimeout = (timer: AbortController | undefined) => timer?.abort();
  const location = { replace: (url: string) => phone.opened.push(url) };
  const window = fetches ? { fetch, AbortController } : {};
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
  test("looks every two seconds and stays calm while nothing changed", async () => {
    const phone = openPhone(() => ({ status: 200, say: "waiting" }));
    await wait(phone, 20);
    expect(phone.looks).toBe(10);
    expect(phone.opened).toEqual([]);
    expect(phone.live.textContent).toBe("Looking.");
  });

  test("says that it can take minutes once it does, and looks rarely after ten", async () => {
    const phone = openPhone(() => ({ status: 200, say: "waiting" }));
    await wait(phone, 45);
    expect(phone.live.textContent).toBe("Long.");
    await wait(phone, 600);
    const before = phone.looks;
    await wait(phone, 60);
    expect(phone.looks - before).toBe(4);
  });

  test("tells the news and opens anew once the payment is there", async () => {
    let say = "waiting";
    const phone = openPhone(() => ({ status: 200, say }));
    await wait(phone, 5);
    say = "paid";
    await wait(phone, 3);
    expect(phone.live.textContent).toBe("Found.");
    expect(phone.opened).toEqual(["../return/t"]);
    const looks = phone.looks;
    await wait(phone, 10);
    expect(phone.looks).toBe(looks);
  });

  test("without network says so, keeps trying less and less often, and goes on as soon as it is back", async () => {
    let network = false;
    const phone = openPhone(() => (network ? { status: 200, say: "waiting" } : "unreachable"));
    await wait(phone, 60);
    expect(phone.live.textContent).toBe("Weak.");
    expect(phone.looks).toBeLessThan(11);
    network = true;
    await wait(phone, 13);
    expect(phone.live.textContent).not.toBe("Weak.");
    expect(phone.opened).toEqual([]);
  });

  test("gives up a look that hangs after ten seconds and tries again", async () => {
    let hangs = true;
    const phone = openPhone(() => (hangs ? "never" : { status: 200, say: "paid" }));
    await wait(phone, 8);
    expect(phone.looks).toBe(1);
    hangs = false;
    await wait(phone, 8);
    expect(phone.opened).toEqual(["../return/t"]);
  });

  test("treats the host's restart like a weak network, not like an answer", async () => {
    const phone = openPhone(() => ({ status: 503 }));
    await wait(phone, 30);
    expect(phone.opened).toEqual([]);
  });

  test("opens anew, to explain, when its link is no longer taken", async () => {
    const phone = openPhone(() => ({ status: 410 }));
    await wait(phone, 3);
    expect(phone.opened).toEqual(["../return/t"]);
  });

  test("rests while the shopper is in the mobile money app, and looks at once when they come back", async () => {
    let say = "waiting";
    const phone = openPhone(() => ({ status: 200, say }));
    phone.hidden = true;
    await wait(phone, 120);
    expect(phone.looks).toBe(0);
    say = "paid";
    phone.hidden = false;
    phone.show();
    await wait(phone, 0.5);
    expect(phone.opened).toEqual(["../return/t"]);
  });

  test("on a browser too old to ask opens itself anew instead", async () => {
    const phone = openPhone(() => "unreachable", { fetches: false });
    await wait(phone, 10);
    expect(phone.opened).toEqual(["../return/t"]);
  });
});
