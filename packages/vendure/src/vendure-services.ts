import { StoreError } from "@tillkit/core";
import {
  ActiveOrderService,
  Channel,
  ChannelService,
  ConfigService,
  HistoryService,
  type Injector,
  OrderService,
  PaymentMethodService,
  type RequestContext,
  RequestContextService,
  TransactionalConnection,
} from "@vendure/core";
import { pluginLimits } from "./limits.ts";

/** The services and settings of Vendure that the plugin uses. */
export type VendureServices = {
  readonly connection: TransactionalConnection;
  readonly orders: OrderService;
  readonly activeOrders: ActiveOrderService;
  readonly paymentMethods: PaymentMethodService;
  readonly history: HistoryService;
  /** The decimals of every amount in Vendure, whatever the currency. */
  readonly decimals: number;
  /** The options of Vendure's database connection, which `databaseUrlOf` validates. */
  readonly databaseConnection: unknown;
  /** A context of the default channel, which contains every order. */
  contextOfAllOrders(): Promise<RequestContext>;
  /**
   * A context in which this channel's payment methods and orders are found.
   * @throws StoreError `unavailable`: Vendure has no such channel
   */
  contextOf(channelCode: string): Promise<RequestContext>;
};

export function findServices(injector: Injector): VendureServices {
  const config = injector.get(ConfigService);
  const contexts = injector.get(RequestContextService);
  const connection = injector.get(TransactionalConnection);
  return {
    connection,
    orders: injector.get(OrderService),
    activeOrders: injector.get(ActiveOrderService),
    paymentMethods: injector.get(PaymentMethodService),
    history: injector.get(HistoryService),
    decimals: config.entityOptions.moneyStrategy.precision ?? pluginLimits.decimals,
    databaseConnection: config.dbConnectionOptions,
    contextOfAllOrders: async () =>
      contexts.create({ apiType: "admin", channelOrToken: await injector.get(ChannelService).getDefaultChannel() }),
    async contextOf(channelCode) {
      const channel = await connection.getRepository(undefined, Channel).findOne({ where: { code: channelCode } });
      if (channel) return await contexts.create({ apiType: "admin", channelOrToken: channel.token });
      throw new StoreError("unavailable", `Vendure has no channel with the code "${channelCode}".`);
    },
  };
}
