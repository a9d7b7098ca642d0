import { type Endpoint, endpoints } from "@tillkit/client/endpoints";
import { describe, expect, test } from "vitest";
import { argumentsFor, methodOf, RESOURCE } from "./every-method.ts";
import { responds, startFaultServer } from "./fault-server.ts";
import { testClient } from "./test-client.ts";

const FORMS: readonly (readonly [string, (resource: unknown) => unknown])[] = [
  ["bare", (resource) => resource],
  ["under data", (data) => ({ data })],
  ["in an array", (resource) => [resource]],
  ["in an array under data", (resource) => ({ data: [resource] })],
  ["under data in an array", (data) => [{ data }]],
];

/** Resources that have a `data` of their own. */
const NESTED: Readonly<Record<string, unknown>> = {
  ChargesController_card: { success: true, data: { id: "pi_3Q", client_secret: "secret", status: "processing" } },
  ChargesController_findCard: { success: true, data: { id: "pi_3Q", client_secret: "secret", status: "succeeded" } },
  ChargesController_mtn: {
    success: true,
    data: { transaction_id: "t1", reference_id: "7c9e", status: "PENDING" },
    next_action: { type: "await_webhook", status: "PENDING" },
  },
  ChargesController_wave: { transaction_id: "t1", wave_launch_url: "https://wave.example/c/1", data: {} },
};

const ONE_RESOURCE_OPERATIONS = Object.entries<Endpoint>(endpoints).filter(([, { response }]) => response === "one");

describe.each(FORMS)("a resource %s", (form, wrap) => {
  test.each(ONE_RESOURCE_OPERATIONS)(`%s reads a resource ${form}`, async (operation, endpoint) => {
    const resource = NESTED[operation] ?? RESOURCE;
    const service = await startFaultServer(responds(endpoint.successStatus, resource), responds(200, wrap(resource)));
    const { client } = testClient(service.baseUrl);
    const read = async () => (await methodOf(client, endpoint)(...argumentsFor(endpoint, false))).data;
    const bare = await read();
    expect(bare).toBeTypeOf("object");
    expect(await read()).toEqual(bare);
  });

  test.each([
    ["RefundsController_create", { refund_id: "r1", status: "completed" }],
    ["PayoutsController_create", { payout_id: "p1", status: "pending" }],
    ["SettlementsController_instant", { instant_settlement_id: "s1", status: "completed" }],
  ] as const)(`%s confirms a preview ${form} and moves the money`, async (operation, resource) => {
    const preview = { requires_confirmation: true, confirmation_token: "token-1", preview: { amount: 1 } };
    const service = await startFaultServer(responds(200, wrap(preview)), responds(201, wrap(resource)));
    const { client } = testClient(service.baseUrl);
    await methodOf(client, endpoints[operation])(...argumentsFor(endpoints[operation], false));
    expect(JSON.parse(service.received[1]?.body ?? "")).toMatchObject({ confirmation_token: "token-1" });
  });
});

test.each([
  ["two charges", [{ data: { id: "pi_1" } }, { data: { id: "pi_2" } }]],
  ["two charges under data", { data: [{ id: "pi_1" }, { id: "pi_2" }] }],
])("a response with %s is never read as the first of them", async (_name, body) => {
  const service = await startFaultServer(responds(200, body));
  const { client } = testClient(service.baseUrl);
  await expect(client.charges.readCard("pi_1")).rejects.toMatchObject({ code: "response_unusable" });
});
