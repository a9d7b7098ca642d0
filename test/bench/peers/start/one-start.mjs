// node one-start.mjs <contender> <file>: loads a library in a new process and makes a client.
const [name, file] = process.argv.slice(2);

const makeClient = {
  ours: ({ createServiceClient }) =>
    createServiceClient({ apiKey: "svc_sk_test_bench0000000000000000000", baseUrl: "https://api.example" }),
  stripe: ({ default: Stripe }) => new Stripe("sk_test_bench"),
  "@mollie/api-client": ({ createMollieClient }) => createMollieClient({ apiKey: `test_${"b".repeat(30)}` }),
  "@adyen/api-library": ({ default: { Client, CheckoutAPI } }) =>
    new CheckoutAPI(new Client({ apiKey: "bench", environment: "TEST" })),
  square: ({ SquareClient }) => new SquareClient({ token: "bench" }).checkout,
  dodopayments: ({ DodoPayments }) => new DodoPayments({ bearerToken: "bench" }),
  razorpay: ({ default: Razorpay }) => new Razorpay({ key_id: "rzp_test_bench", key_secret: "bench" }),
}[name];

const before = process.cpuUsage();
const startedAt = performance.now();
makeClient(await import(file));
const importMs = performance.now() - startedAt;
const { user, system } = process.cpuUsage(before);
process.stdout.write(JSON.stringify({ importMs, cpuMs: (user + system) / 1_000 }));
