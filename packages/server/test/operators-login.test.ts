import { createSeededRandom } from "@tillkit/testkit";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { FetchVisitor } from "../src/http/fetch-handler.ts";
import { createEndedSessions } from "../src/operators/login/ended-sessions.ts";
import { createLoginLinks } from "../src/operators/login/login-links.ts";
import { loggedSecrets, type MerchantFixture, openMerchant } from "./fixtures/merchant.ts";
import { createOperator, logInOperator, OPERATOR_TOKEN } from "./fixtures/operator.ts";

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

let merchant: MerchantFixture;
beforeEach(async () => {
  merchant = await openMerchant({ options: { operators } });
});
afterEach(() => merchant.close());
afterEach(() => {
  expect(loggedSecrets(merchant)).toEqual([]);
  expect(JSON.stringify(merchant.lines)).not.toContain(OPERATOR_TOKEN);
});

describe("a visitor without a session", () => {
  test.each(PAGES)("a visitor without a session sees only the login at /operators%s", async (path) => {
    const answer = await merchant.get(`/operators${path}`);
    expect(answer.status).toBe(303);
    expect(answer.headers.get("location")).toMatch(/^\/operators\/login\?next=/);
  });

  test("a visitor without a session can neither decide nor retry a job", async () => {
    const visitor = createOperator(merchant);
    await visitor.open("/operators/login");
    const page = await (await visitor.open("/operators/login")).text();
    const form = /name="form" value="([^"]+)"/.exec(page)?.[1] ?? "";
    for (const path of ["/payments/1/accept", "/payments/1/refund", "/jobs/1/retry"]) {
      const answer = await visitor.post(`/operators${path}`, { form, by: "Adjoua" });
      expect(answer.headers.get("location")).toMatch(/^\/operators\/login/);
    }
  });

  test("there are no operators' pages when they are turned off", async () => {
    await merchant.close();
    merchant = await openMerchant();
    expect((await merchant.get("/operators")).status).toBe(404);
  });
});

describe("the login", () => {
  test("a login with the token leads to the requested page", async () => {
    const operator = createOperator(merchant);
    const toLogin = await operator.open("/operators/payments?state=review");
    const answer = await operator.submit(toLogin.headers.get("location") ?? "", "/login", { token: OPERATOR_TOKEN });
    expect(answer.headers.get("location")).toBe("/operators/payments?state=review");
    expect((await operator.open("/operators/payments?state=review")).status).toBe(200);
  });

  test("the session cookie is HttpOnly, SameSite=Strict and Secure", async () => {
    await merchant.close();
    merchant = await openMerchant({ options: { operators, publicUrl: "https://pay.boutique.example/desk" } });
    const operator = createOperator(merchant);
    const page = await (await operator.open("/operators/login")).text();
    const form = /name="form" value="([^"]+)"/.exec(page)?.[1] ?? "";
    const answer = await operator.post("/operators/login", { token: OPERATOR_TOKEN, form });
    expect(answer.headers.get("set-cookie")).toMatch(
      /^tillkit_operator=[\w.-]+; Max-Age=43200; Path=\/desk\/operators; HttpOnly; SameSite=Strict; Secure$/,
    );
    expect(answer.headers.get("location")).toBe("/desk/operators");
  });

  test.each(["https://evil.example", "//evil.example", "/\\evil.example", "javascript:alert(1)"])(
    "a login never redirects to %s",
    async (next) => {
      const operator = createOperator(merchant);
      const answer = await operator.submit("/operators/login", "/login", { token: OPERATOR_TOKEN, next });
      expect(answer.headers.get("location")).toBe("/operators");
    },
  );

  test("a wrong token is refused, and ten wrong tokens lock the IP address for ten minutes", async () => {
    const operator = createOperator(merchant);
    const tryWrongToken = () => operator.submit("/operators/login", "/login", { token: "wrong" });
    for (let attempt = 0; attempt < 10; attempt += 1) expect((await tryWrongToken()).status).toBe(403);
    const eleventh = await tryWrongToken();
    expect(eleventh.status).toBe(429);
    expect(eleventh.headers.get("retry-after")).toBe("600");
    expect((await operator.submit("/operators/login", "/login", { token: OPERATOR_TOKEN })).status).toBe(429);
    await merchant.clock.advance(10 * 60_000);
    expect((await operator.submit("/operators/login", "/login", { token: OPERATOR_TOKEN })).status).toBe(303);
  });

  test.each<[string, (address: string) => FetchVisitor, boolean]>([
    ["the host names its address", (address) => ({ address }), false],
    ["the host passes on Node's request", (address) => ({ incoming: { socket: { remoteAddress: address } } }), false],
    [
      "a proxy beside the host forwards it",
      () => ({ incoming: { socket: { remoteAddress: "::ffff:127.0.0.1" } } }),
      true,
    ],
    ["only its proxy is known", () => ({}), true],
  ])("wrong tokens on a fetch host lock only the visitor who sent them: %s", async (_, visitorAt, isForwarded) => {
    const tryFrom = async (address: string, token: string): Promise<number> => {
      const ask = (init: RequestInit, headers: Record<string, string> = {}) => {
        const forwarded = isForwarded ? { "x-forwarded-for": `198.51.100.9, ${address}` } : {};
        const request = new Request(`${merchant.url}/operators/login`, {
          ...init,
          headers: { ...headers, ...forwarded },
        });
        return merchant.checkout.fetch(request, visitorAt(address));
      };
      const page = await ask({});
      const cookie = page.headers
        .getSetCookie()
        .map((line) => line.split(";", 1)[0])
        .join("; ");
      const form = /name="form" value="([^"]+)"/.exec(await page.text())?.[1] ?? "";
      return (await ask({ method: "POST", body: new URLSearchParams({ token, form }) }, { cookie })).status;
    };
    for (let attempt = 0; attempt < 10; attempt += 1) expect(await tryFrom("203.0.113.7", "wrong")).toBe(403);
    expect(await tryFrom("203.0.113.7", OPERATOR_TOKEN)).toBe(429);
    expect(await tryFrom("203.0.113.8", OPERATOR_TOKEN)).toBe(303);
  });

  test("a login form of another site is refused", async () => {
    const visitor = createOperator(merchant);
    const answer = await visitor.post("/operators/login", { token: OPERATOR_TOKEN, form: "guessed" });
    expect(answer.headers.get("location")).toMatch(/^\/operators\/login/);
    expect((await visitor.open("/operators")).status).toBe(303);
  });

  test("a link in a mail opens a page of our own, which loads the linked address again with the cookie", async () => {
    const answer = await merchant.get("/operators/dead", { headers: { "sec-fetch-site": "cross-site" } });
    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain('<meta http-equiv="refresh" content="0;url=/operators/dead">');
  });
});

describe("a session", () => {
  test("a session ends after twelve hours", async () => {
    const operator = await logInOperator(merchant);
    await merchant.clock.advance(12 * 3_600_000 - 1_000);
    expect((await operator.open("/operators")).status).toBe(200);
    await merchant.clock.advance(2_000);
    expect((await operator.open("/operators")).status).toBe(303);
  });

  test("a session ends when the operator logs out, but not by a request of another site", async () => {
    const operator = await logInOperator(merchant);
    await operator.post("/operators/logout", { form: "guessed" });
    expect((await operator.open("/operators")).status).toBe(200);
    await operator.submit("/operators", "/logout");
    expect(operator.cookies.has("tillkit_operator")).toBe(false);
    expect((await operator.open("/operators")).status).toBe(303);
  });

  test("a logged-out session is rejected for every copy of its cookie, also in another process", async () => {
    const operator = await logInOperator(merchant);
    const other = await openMerchant({ options: { operators, ledger: merchant.ledger } });
    const cookie = `tillkit_operator=${operator.cookies.get("tillkit_operator")}`;
    const statuses = async () =>
      await Promise.all(
        [merchant, other].map(async (server) => (await server.get("/operators", { headers: { cookie } })).status),
      );
    expect(await statuses()).toEqual([200, 200]);
    await operator.submit("/operators", "/logout");
    expect(await statuses()).toEqual([303, 303]);
    const newLogin = await logInOperator(merchant);
    expect((await newLogin.open("/operators")).status).toBe(200);
    await other.close();
  });

  test("a logout form without the form token does not end the session", async () => {
    const operator = await logInOperator(merchant);
    const cookie = `tillkit_operator=${operator.cookies.get("tillkit_operator")}`;
    for (const body of [new URLSearchParams(), new URLSearchParams({ form: "" }), new URLSearchParams({ form: "x" })]) {
      for (const headers of [{ cookie }, {}, { cookie: "tillkit_operator=" }]) {
        const answer = await merchant.get("/operators/logout", { method: "POST", body, headers });
        expect(answer.headers.get("set-cookie")).toBeNull();
      }
    }
    expect((await operator.open("/operators")).status).toBe(200);
  });

  test("the ledger removes a logged-out session once its cookie has expired", async () => {
    await (await logInOperator(merchant)).submit("/operators", "/logout");
    await merchant.clock.advance(13 * 3_600_000);
    await (await logInOperator(merchant)).submit("/operators", "/logout");
    const rows = await merchant.ledger.records.list({ kind: "operator-session-ended", limit: 10 });
    expect(rows).toHaveLength(1);
  });

  test("a session ends when its token is removed from the configuration", async () => {
    const operator = await logInOperator(merchant);
    const other = await openMerchant({
      options: { operators: { tokens: ["another token, long enough as well"] } },
    });
    const cookie = `tillkit_operator=${operator.cookies.get("tillkit_operator")}`;
    expect((await merchant.get("/operators", { headers: { cookie } })).status).toBe(200);
    expect((await other.get("/operators", { headers: { cookie } })).status).toBe(303);
    await other.close();
  });

  test("a session and a link of a clock a month ahead are over after the clock was set back", async () => {
    const right = await openMerchant({ options: { operators } });
    await merchant.clock.advance(30 * 24 * 3_600_000);
    const operator = await logInOperator(merchant);
    const cookie = `tillkit_operator=${operator.cookies.get("tillkit_operator")}`;
    expect((await merchant.get("/operators", { headers: { cookie } })).status).toBe(200);
    expect((await right.get("/operators", { headers: { cookie } })).status).toBe(303);
    const linksOf = ({ ledger, clock }: MerchantFixture) =>
      createLoginLinks({
        keys: ["a key of the tests, long enough to sign with"],
        endedSessions: createEndedSessions(ledger.records, clock),
        clock,
        random: createSeededRandom(1),
      });
    const code = linksOf(merchant).create();
    expect(await linksOf(right).redeem(code)).toBeNull();
    expect(await linksOf(merchant).redeem(code)).toBe("operator");
    await right.close();
  });

  test("a forged session cookie is rejected", async () => {
    const operator = await logInOperator(merchant);
    const [expiry, nonce, signature = ""] = (operator.cookies.get("tillkit_operator") ?? "").split(".");
    const longer = `${Number(expiry) + 1}.${nonce}.${signature}`;
    expect((await merchant.get("/operators", { headers: { cookie: `tillkit_operator=${longer}` } })).status).toBe(303);
  });
});

test("no operators' page is cached or framed, and each runs one script of ours, which cannot send anything", async () => {
  const operator = await logInOperator(merchant);
  for (const path of ["/operators", "/operators/payments", "/operators/nowhere"]) {
    const { headers } = await operator.open(path);
    expect(headers.get("content-security-policy")).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; script-src 'sha256-[^']+'; form-action 'self'/,
    );
    expect(headers.get("content-security-policy")).not.toContain("connect-src");
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("x-frame-options")).toBe("DENY");
    expect(headers.get("referrer-policy")).toBe("no-referrer");
  }
});
