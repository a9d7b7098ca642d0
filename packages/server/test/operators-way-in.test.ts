import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type MerchantWorld, openMerchantWorld, secretsTold } from "./world/merchant-world.ts";
import { createOperator, loggedIn, OPERATOR_TOKEN } from "./world/operator.ts";

const operators = { tokens: [OPERATOR_TOKEN] };
const PAGES = [
  "",
  "/payments",
  "/payments/1",
  "/deliveries",
  "/dead",
  "/export",
  "/export.csv?from=2026-01-01&until=2026-01-02",
];

let world: MerchantWorld;
beforeEach(async () => {
  world = await openMerchantWorld({ options: { operators } });
});
afterEach(() => world.close());
afterEach(() => {
  expect(secretsTold(world)).toEqual([]);
  expect(JSON.stringify(world.lines)).not.toContain(OPERATOR_TOKEN);
});

describe("whoever is no operator", () => {
  test.each(PAGES)("sees nothing of /operators%s but the way in", async (path) => {
    const answer = await world.get(`/operators${path}`);
    expect(answer.status).toBe(303);
    expect(answer.headers.get("location")).toMatch(/^\/operators\/login\?next=/);
  });

  test("does nothing either: no decision, no replay", async () => {
    const visitor = createOperator(world);
    await visitor.open("/operators/login");
    const page = await (await visitor.open("/operators/login")).text();
    const form = /name="form" value="([^"]+)"/.exec(page)?.[1] ?? "";
    for (const path of ["/payments/1/accept", "/payments/1/refund", "/jobs/1/replay"]) {
      const answer = await visitor.post(`/operators${path}`, { form, by: "Adjoua" });
      expect(answer.headers.get("location")).toMatch(/^\/operators\/login/);
    }
  });

  test("finds no pages at all where they are off", async () => {
    await world.close();
    world = await openMerchantWorld();
    expect((await world.get("/operators")).status).toBe(404);
  });
});

describe("the way in", () => {
  test("opens with the token, and leads to the page that was asked for", async () => {
    const operator = createOperator(world);
    const asked = await operator.open("/operators/payments?state=review");
    const entered = await operator.submit(asked.headers.get("location") ?? "", "/login", { token: OPERATOR_TOKEN });
    expect(entered.headers.get("location")).toBe("/operators/payments?state=review");
    expect((await operator.open("/operators/payments?state=review")).status).toBe(200);
  });

  test("keeps a session in a cookie that no script, no other site and no plain connection gets", async () => {
    await world.close();
    world = await openMerchantWorld({ options: { operators, publicUrl: "https://pay.boutique.example/desk" } });
    const operator = createOperator(world);
    const page = await (await operator.open("/operators/login")).text();
    const form = /name="form" value="([^"]+)"/.exec(page)?.[1] ?? "";
    const entered = await operator.post("/operators/login", { token: OPERATOR_TOKEN, form });
    expect(entered.headers.get("set-cookie")).toMatch(
      /^tillkit_operator=[\w.-]+; Max-Age=43200; Path=\/desk\/operators; HttpOnly; SameSite=Strict; Secure$/,
    );
    expect(entered.headers.get("location")).toBe("/desk/operators");
  });

  test.each(["https://evil.example", "//evil.example", "/\\evil.example", "javascript:alert(1)"])(
    "does not lead to %s",
    async (next) => {
      const operator = createOperator(world);
      const entered = await operator.submit("/operators/login", "/login", { token: OPERATOR_TOKEN, next });
      expect(entered.headers.get("location")).toBe("/operators");
    },
  );

  test("stays shut for a wrong token, and after ten of them for ten minutes", async () => {
    const operator = createOperator(world);
    const tried = () => operator.submit("/operators/login", "/login", { token: "wrong" });
    for (let time = 0; time < 10; time += 1) expect((await tried()).status).toBe(403);
    const eleventh = await tried();
    expect(eleventh.status).toBe(429);
    expect(eleventh.headers.get("retry-after")).toBe("600");
    expect((await operator.submit("/operators/login", "/login", { token: OPERATOR_TOKEN })).status).toBe(429);
    await world.clock.advance(10 * 60_000);
    expect((await operator.submit("/operators/login", "/login", { token: OPERATOR_TOKEN })).status).toBe(303);
  });

  test("takes no token from a form of another site", async () => {
    const visitor = createOperator(world);
    const answer = await visitor.post("/operators/login", { token: OPERATOR_TOKEN, form: "guessed" });
    expect(answer.headers.get("location")).toMatch(/^\/operators\/login/);
    expect((await visitor.open("/operators")).status).toBe(303);
  });

  test("from a link in a mail opens the page by a step of our own, because the browser kept the cookie back", async () => {
    const answer = await world.get("/operators/dead", { headers: { "sec-fetch-site": "cross-site" } });
    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain('<meta http-equiv="refresh" content="0;url=/operators/dead">');
  });
});

describe("a session", () => {
  test("ends after twelve hours", async () => {
    const operator = await loggedIn(world);
    await world.clock.advance(12 * 3_600_000 - 1_000);
    expect((await operator.open("/operators")).status).toBe(200);
    await world.clock.advance(2_000);
    expect((await operator.open("/operators")).status).toBe(303);
  });

  test("ends when the operator logs out, but not because another site says so", async () => {
    const operator = await loggedIn(world);
    await operator.post("/operators/logout", { form: "guessed" });
    expect((await operator.open("/operators")).status).toBe(200);
    await operator.submit("/operators", "/logout");
    expect(operator.cookies.has("tillkit_operator")).toBe(false);
    expect((await operator.open("/operators")).status).toBe(303);
  });

  test("that was logged out is over for every copy of its cookie, also in another process", async () => {
    const operator = await loggedIn(world);
    const other = await openMerchantWorld({ options: { operators, ledger: world.ledger } });
    const cookie = `tillkit_operator=${operator.cookies.get("tillkit_operator")}`;
    const statuses = async () =>
      await Promise.all(
        [world, other].map(async (one) => (await one.get("/operators", { headers: { cookie } })).status),
      );
    expect(await statuses()).toEqual([200, 200]);
    await operator.submit("/operators", "/logout");
    expect(await statuses()).toEqual([303, 303]);
    const stillIn = await loggedIn(world);
    expect((await stillIn.open("/operators")).status).toBe(200);
    await other.close();
  });

  test("does not end by a form without its token: that of another site comes without the cookie", async () => {
    const operator = await loggedIn(world);
    const cookie = `tillkit_operator=${operator.cookies.get("tillkit_operator")}`;
    for (const body of [new URLSearchParams(), new URLSearchParams({ form: "" }), new URLSearchParams({ form: "x" })]) {
      for (const headers of [{ cookie }, {}, { cookie: "tillkit_operator=" }]) {
        const answer = await world.get("/operators/logout", { method: "POST", body, headers });
        expect(answer.headers.get("set-cookie")).toBeNull();
      }
    }
    expect((await operator.open("/operators")).status).toBe(200);
  });

  test("that was logged out is forgotten by the ledger once its cookie is over anyway", async () => {
    await (await loggedIn(world)).submit("/operators", "/logout");
    await world.clock.advance(13 * 3_600_000);
    await (await loggedIn(world)).submit("/operators", "/logout");
    const kept = await world.ledger.records.list({ kind: "operator-session-ended", limit: 10 });
    expect(kept).toHaveLength(1);
  });

  test("ends when its token is taken out of the configuration", async () => {
    const operator = await loggedIn(world);
    const other = await openMerchantWorld({
      options: { operators: { tokens: ["another token, long enough as well"] } },
    });
    const cookie = `tillkit_operator=${operator.cookies.get("tillkit_operator")}`;
    expect((await world.get("/operators", { headers: { cookie } })).status).toBe(200);
    expect((await other.get("/operators", { headers: { cookie } })).status).toBe(303);
    await other.close();
  });

  test("cannot be made by hand", async () => {
    const operator = await loggedIn(world);
    const [expiry, nonce, signature = ""] = (operator.cookies.get("tillkit_operator") ?? "").split(".");
    const longer = `${Number(expiry) + 1}.${nonce}.${signature}`;
    expect((await world.get("/operators", { headers: { cookie: `tillkit_operator=${longer}` } })).status).toBe(303);
  });
});

test("every page is kept by nobody, framed by nobody, and runs no script", async () => {
  const operator = await loggedIn(world);
  for (const path of ["/operators", "/operators/payments", "/operators/nowhere"]) {
    const { headers } = await operator.open(path);
    expect(headers.get("content-security-policy")).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; form-action 'self'/,
    );
    expect(headers.get("content-security-policy")).not.toContain("script-src");
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("x-frame-options")).toBe("DENY");
    expect(headers.get("referrer-policy")).toBe("no-referrer");
  }
});
