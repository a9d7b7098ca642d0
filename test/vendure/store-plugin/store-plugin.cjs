// Loaded into the real Vendure by the tests. POST /test/naive settles an order as plugins usually do: it reads the order, decides and
// writes, in a transaction without a lock. POST /test/adapter calls one method of Tillkit's adapter, for the contract test.
const { Inject } = require("@nestjs/common");
const { ModuleRef } = require("@nestjs/core");
const { createVendureAdapter, findServices } = require("@tillkit/vendure");
const {
  CustomerService,
  Injector,
  isGraphQlErrorResult,
  Order,
  OrderService,
  PaymentMethodHandler,
  PluginCommonModule,
  RequestContextService,
  TransactionalConnection,
  VendurePlugin,
} = require("@vendure/core");

let injector;
let handlerCalls = 0;

const naiveHandler = new PaymentMethodHandler({
  code: "naive",
  description: [{ languageCode: "en", value: "Naive" }],
  args: {},
  createPayment(_context, _order, amount, _args, metadata) {
    handlerCalls += 1;
    return { amount, state: "Settled", transactionId: metadata.transactionId, metadata: {} };
  },
  settlePayment: () => ({ success: true }),
});

/** Authorizes 2,000 of the order's currency, as a card method does that charges at the dispatch. */
const authorizingHandler = new PaymentMethodHandler({
  code: "authorizing",
  description: [{ languageCode: "en", value: "Authorizing" }],
  args: {},
  createPayment: () => ({ amount: 200_000, state: "Authorized", transactionId: "authorized", metadata: {} }),
  settlePayment: () => ({ success: true }),
});

async function settleNaively({ code, transactionId }) {
  const connection = injector.get(TransactionalConnection);
  const orders = injector.get(OrderService);
  const context = await injector.get(RequestContextService).create({ apiType: "admin" });
  return await connection.withTransaction(context, async (transaction) => {
    const order = await orders.findOneByCode(transaction, code);
    if (order.state !== "ArrangingPayment") return { outcome: "already" };
    const input = { method: "naive", metadata: { transactionId } };
    const settled = await orders.addPaymentToOrder(transaction, order.id, input);
    return { outcome: isGraphQlErrorResult(settled) ? settled.errorCode : settled.state };
  });
}

/** `sleepMs`: how long the machine sleeps after the adapter was called. */
async function callAdapter({ method, parameters, shop, language, sleepMs }) {
  const services = findServices(injector);
  let sleptMs = 0;
  const clock = {
    now() {
      const now = Date.now() + sleptMs;
      sleptMs = sleepMs;
      return now;
    },
  };
  const adapter = createVendureAdapter({
    services,
    shop,
    language,
    clock,
    context: () => services.contextOf(shop.channel),
  });
  const answer = adapter[method](...parameters);
  if (method !== "listUnsettled") return await answer;
  const orders = [];
  for await (const order of answer) orders.push(order);
  return orders;
}

/** Places an order as a shopper would, and gives it this total in hundredths. */
async function placeOrder({ total, variantId }) {
  const orders = injector.get(OrderService);
  const context = await injector.get(RequestContextService).create({ apiType: "admin" });
  const { id, code } = await orders.create(context);
  await orders.addItemToOrder(context, id, variantId, 1);
  const customer = { firstName: "Awa", lastName: "Diallo", emailAddress: `${code.toLowerCase()}@example.com` };
  const order = await orders.addCustomerToOrder(
    context,
    id,
    await injector.get(CustomerService).createOrUpdate(context, customer),
  );
  await orders.setShippingAddress(context, id, { streetLine1: "Avenue 16", countryCode: "CI" });
  const [method] = await orders.getEligibleShippingMethods(context, order.id);
  await orders.setShippingMethod(context, id, [method.id]);
  await setTotal(context, id, total);
  await orders.transitionToState(context, id, "ArrangingPayment");
  return { id, code };
}

/** Writes the totals that Vendure would calculate from prices, taxes and discounts. */
async function setTotal(context, id, total) {
  const totals = { subTotal: total, subTotalWithTax: total, shipping: 0, shippingWithTax: 0 };
  await injector.get(TransactionalConnection).getRepository(context, Order).update(id, totals);
}

async function changeOrder({ code, total, state, payOutside }) {
  const orders = injector.get(OrderService);
  const context = await injector.get(RequestContextService).create({ apiType: "admin" });
  const { id } = await orders.findOneByCode(context, code);
  const move = async (to) => {
    const moved = await orders.transitionToState(context, id, to);
    if (isGraphQlErrorResult(moved)) throw new Error(moved.transitionError);
  };
  if (state) await move(state);
  if (total !== undefined) {
    await move("AddingItems");
    await setTotal(context, id, total);
    await move("ArrangingPayment");
  }
  if (!payOutside) return;
  const input = { method: "naive", metadata: { transactionId: "cash" } };
  await injector
    .get(TransactionalConnection)
    .withTransaction(context, (transaction) => orders.addPaymentToOrder(transaction, id, input));
}

const actions = {
  place: placeOrder,
  change: changeOrder,
  naive: settleNaively,
  adapter: callAdapter,
  "handler-calls": async () => handlerCalls,
};

async function readJson(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return JSON.parse(Buffer.concat(chunks).toString());
}

async function answer(request, response) {
  const action = actions[request.url.replace(/^\//, "")];
  const { status, body } = await readJson(request)
    .then(action)
    .then(
      (value) => ({ status: 200, body: { value: value ?? null } }),
      (error) => ({ status: 500, body: { code: error.code ?? null, message: error.message } }),
    );
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

class OtherPlugin {
  constructor(modules) {
    injector = new Injector(modules);
  }
}
Inject(ModuleRef)(OtherPlugin, undefined, 0);
VendurePlugin({
  imports: [PluginCommonModule],
  compatibility: "^3.0.0",
  configuration(config) {
    config.paymentOptions.paymentMethodHandlers.push(naiveHandler, authorizingHandler);
    config.customFields.Order.push({ name: "giftNote", type: "string", nullable: true });
    // Tillkit's own order process also protects the payments of other plugins.
    if (process.env.WITHOUT_ORDER_GUARD === "true") config.orderOptions.process.pop();
    config.apiOptions.middleware.push({
      route: "/test",
      beforeListen: true,
      handler: (request, response) => void answer(request, response),
    });
    return config;
  },
})(OtherPlugin);

exports.OtherPlugin = OtherPlugin;
