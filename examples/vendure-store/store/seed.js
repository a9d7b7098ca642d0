const {
  bootstrap,
  ChannelService,
  PaymentMethod,
  ProductService,
  RequestContextService,
  Role,
  ShippingMethod,
  StockLocation,
  TransactionalConnection,
  User,
  Zone,
} = require("@vendure/core");
const { importProductsFromCsv, populateInitialData } = require("@vendure/core/cli");
const { join } = require("node:path");
const { config } = require("./vendure-config.js");

/** The price of one franc in dollars. */
const DOLLARS_PER_FRANC = 0.0018;

const initialData = {
  defaultLanguage: "en",
  defaultZone: "World",
  countries: [
    { code: "CI", name: "Côte d’Ivoire", zone: "World" },
    { code: "US", name: "United States", zone: "World" },
  ],
  taxRates: [{ name: "standard", percentage: 0 }],
  // In hundredths of the channel's currency: 500 francs or 500 dollars.
  shippingMethods: [{ name: "Delivery", price: 50000 }],
  paymentMethods: [{ name: "Tillkit", handler: { code: "tillkit", arguments: [] } }],
  collections: [],
};

// Fills an empty database: the tables, products, the channel in francs and the channel in dollars.
(async () => {
  const app = await bootstrap({ ...config, dbConnectionOptions: { ...config.dbConnectionOptions, synchronize: true } });
  const channels = app.get(ChannelService);
  const connection = app.get(TransactionalConnection);
  // Only somebody who may change the new channel can assign products to it.
  const readOwner = () =>
    connection.rawConnection.getRepository(User).findOneOrFail({
      where: { identifier: config.authOptions.superadminCredentials.identifier },
      relations: ["roles", "roles.channels"],
    });
  const createContext = async () =>
    app.get(RequestContextService).create({ apiType: "admin", user: await readOwner() });
  const context = await createContext();
  const main = await channels.getDefaultChannel();
  await channels.update(context, {
    id: main.id,
    defaultCurrencyCode: "XOF",
    availableCurrencyCodes: ["XOF"],
    availableLanguageCodes: ["en", "fr"],
  });
  await populateInitialData(app, initialData);
  await importProductsFromCsv(app, join(__dirname, "products.csv"), "en");
  const [zone] = await connection.getRepository(context, Zone).find();
  const us = await channels.create(context, {
    code: "us",
    token: "us",
    defaultLanguageCode: "en",
    availableLanguageCodes: ["en", "fr"],
    pricesIncludeTax: false,
    defaultCurrencyCode: "USD",
    availableCurrencyCodes: ["USD"],
    defaultTaxZoneId: zone.id,
    defaultShippingZoneId: zone.id,
  });
  const superadmin = (await readOwner()).roles.map(({ id }) => id);
  for (const id of superadmin) await channels.assignToChannels(context, Role, id, [us.id]);
  const { items } = await app.get(ProductService).findAll(context, {});
  await app.get(ProductService).assignProductsToChannel(await createContext(), {
    productIds: items.map(({ id }) => id),
    channelId: us.id,
    priceFactor: DOLLARS_PER_FRANC,
  });
  for (const entity of [PaymentMethod, ShippingMethod, StockLocation]) {
    for (const { id } of await connection.getRepository(context, entity).find()) {
      await channels.assignToChannels(context, entity, id, [us.id]);
    }
  }
  await app.close();
  process.exit(0);
})().catch((error) => {
  console.error(error);
  process.exit(1);
});
