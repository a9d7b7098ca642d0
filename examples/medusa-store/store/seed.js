const { ContainerRegistrationKeys, Modules, ProductStatus } = require("@medusajs/framework/utils");
const {
  createApiKeysWorkflow,
  createInventoryLevelsWorkflow,
  createProductsWorkflow,
  createRegionsWorkflow,
  createSalesChannelsWorkflow,
  createShippingOptionsWorkflow,
  createShippingProfilesWorkflow,
  createStockLocationsWorkflow,
  createTaxRegionsWorkflow,
  createUserAccountWorkflow,
  linkSalesChannelsToApiKeyWorkflow,
  linkSalesChannelsToStockLocationWorkflow,
  updateStoresWorkflow,
} = require("@medusajs/medusa/core-flows");

// medusa exec ./seed.js creates a new store with three currencies. The payment service takes francs and dollars, but no
// dinars.
const PROVIDER = "pp_tillkit_tillkit";
const REGIONS = [
  { name: "Côte d'Ivoire", currency_code: "xof", countries: ["ci"] },
  { name: "United States", currency_code: "usd", countries: ["us"] },
  { name: "Kuwait", currency_code: "kwd", countries: ["kw"] },
];
const PRODUCTS = [
  { title: "Wax cloth, two metres", handle: "wax-cloth", xof: 10_500, usd: 22.8, kwd: 6.635, stock: 1_000 },
  { title: "Shea butter", handle: "shea-butter", xof: 2_500, usd: 5.1, kwd: 1.25, stock: 1_000 },
  { title: "The last basket", handle: "last-basket", xof: 18_000, usd: 34, kwd: 9.5, stock: 1 },
  // No inventory and no shipping.
  { title: "Voucher", handle: "voucher", xof: 5_000, usd: 9.9, kwd: 2.995, stock: null },
];

exports.default = async function seed({ container }) {
  const run = async (workflow, input) => (await workflow(container).run({ input })).result;

  const channelId = await createSalesChannel(run, container);
  await run(createRegionsWorkflow, {
    regions: REGIONS.map((region) => ({ ...region, payment_providers: [PROVIDER] })),
  });
  await run(
    createTaxRegionsWorkflow,
    REGIONS.flatMap(({ countries }) => countries.map((country_code) => ({ country_code, provider_id: "tp_system" }))),
  );
  const profileId = await createShipping(run, container, channelId);
  await createProducts(run, container, { channelId, profileId });
  await createOwner(run, container);
};

async function createSalesChannel(run, container) {
  const [channel] = await run(createSalesChannelsWorkflow, { salesChannelsData: [{ name: "Chez Adjoua" }] });
  const [key] = await run(createApiKeysWorkflow, {
    api_keys: [{ title: "Storefront", type: "publishable", created_by: "" }],
  });
  await run(linkSalesChannelsToApiKeyWorkflow, { id: key.id, add: [channel.id] });
  const [store] = await container.resolve(Modules.STORE).listStores();
  const storeSettings = {
    name: "Chez Adjoua",
    supported_currencies: REGIONS.map(({ currency_code }) => ({ currency_code, is_default: currency_code === "xof" })),
    default_sales_channel_id: channel.id,
  };
  if (store) await run(updateStoresWorkflow, { selector: { id: store.id }, update: storeSettings });
  else await container.resolve(Modules.STORE).createStores(storeSettings);
  return channel.id;
}

async function createShipping(run, container, channelId) {
  const link = container.resolve(ContainerRegistrationKeys.LINK);
  const fulfillment = container.resolve(Modules.FULFILLMENT);
  const [location] = await run(createStockLocationsWorkflow, {
    locations: [{ name: "Treichville", address: { city: "Abidjan", country_code: "CI", address_1: "Avenue 16" } }],
  });
  await link.create({
    [Modules.STOCK_LOCATION]: { stock_location_id: location.id },
    [Modules.FULFILLMENT]: { fulfillment_provider_id: "manual_manual" },
  });
  const set = await fulfillment.createFulfillmentSets({
    name: "From Treichville",
    type: "shipping",
    service_zones: [
      {
        name: "Everywhere we sell",
        geo_zones: REGIONS.map(({ countries: [country_code] }) => ({ country_code, type: "country" })),
      },
    ],
  });
  await link.create({
    [Modules.STOCK_LOCATION]: { stock_location_id: location.id },
    [Modules.FULFILLMENT]: { fulfillment_set_id: set.id },
  });
  await run(linkSalesChannelsToStockLocationWorkflow, { id: location.id, add: [channelId] });
  const [profile] = await run(createShippingProfilesWorkflow, { data: [{ name: "Parcels", type: "default" }] });
  await run(createShippingOptionsWorkflow, [
    {
      name: "Parcel",
      price_type: "flat",
      provider_id: "manual_manual",
      service_zone_id: set.service_zones[0].id,
      shipping_profile_id: profile.id,
      type: { label: "Parcel", description: "Within a week.", code: "parcel" },
      prices: REGIONS.map(({ currency_code }) => ({ currency_code, amount: 0 })),
      rules: [
        { attribute: "enabled_in_store", value: "true", operator: "eq" },
        { attribute: "is_return", value: "false", operator: "eq" },
      ],
    },
  ]);
  return profile.id;
}

async function createProducts(run, container, { channelId, profileId }) {
  await run(createProductsWorkflow, {
    products: PRODUCTS.map(({ title, handle, stock, ...prices }) => ({
      title,
      handle,
      status: ProductStatus.PUBLISHED,
      ...(stock === null ? {} : { shipping_profile_id: profileId }),
      sales_channels: [{ id: channelId }],
      options: [{ title: "Size", values: ["One"] }],
      variants: [
        {
          title: "One",
          sku: handle,
          manage_inventory: stock !== null,
          options: { Size: "One" },
          prices: Object.entries(prices).map(([currency_code, amount]) => ({ currency_code, amount })),
        },
      ],
    })),
  });
  const [location] = await container.resolve(Modules.STOCK_LOCATION).listStockLocations({});
  const items = await container.resolve(Modules.INVENTORY).listInventoryItems({});
  await run(createInventoryLevelsWorkflow, {
    inventory_levels: items.map(({ id, sku }) => ({
      inventory_item_id: id,
      location_id: location.id,
      stocked_quantity: PRODUCTS.find(({ handle }) => handle === sku).stock,
    })),
  });
}

async function createOwner(run, container) {
  const email = process.env.OWNER_EMAIL;
  const body = { email, password: process.env.OWNER_PASSWORD };
  const { authIdentity, error } = await container.resolve(Modules.AUTH).register("emailpass", { body });
  if (error) throw new Error(error);
  await run(createUserAccountWorkflow, { authIdentityId: authIdentity.id, userData: { email } });
}
