// The parts of Vendure and Nest that the plugin uses. With these declarations the plugin is checked and built without Vendure and Nest;
// `npm run test:vendure` installs both and checks the plugin against their real declarations.
declare module "@vendure/core" {
  export type ID = string | number;
  export type LanguageCode = "en" | "fr";
  export const LanguageCode: { readonly en: "en"; readonly fr: "fr" };
  export const Permission: {
    readonly Owner: "Owner";
    readonly ReadOrder: "ReadOrder";
    readonly UpdateOrder: "UpdateOrder";
  };

  export class Channel {
    id: ID;
    code: string;
    token: string;
  }
  export class Customer {
    firstName: string;
    lastName: string;
    emailAddress: string;
    phoneNumber: string;
  }
  export class ProductVariant {
    name: string;
  }
  export class OrderLine {
    id: ID;
    quantity: number;
    orderPlacedQuantity: number;
    get proratedUnitPriceWithTax(): number;
    productVariant: ProductVariant;
  }
  export class Refund {
    id: ID;
    createdAt: Date;
    state: string;
    total: number;
    transactionId: string;
    metadata: Record<string, unknown>;
    payment: Payment;
  }
  export class Payment {
    id: ID;
    method: string;
    amount: number;
    state: string;
    transactionId: string;
    metadata: Record<string, unknown>;
    order: Order;
    refunds: Refund[];
  }
  export class Order {
    id: ID;
    code: string;
    state: string;
    active: boolean;
    currencyCode: string;
    customer?: Customer;
    lines: OrderLine[];
    payments: Payment[];
    channels: Channel[];
    get totalWithTax(): number;
  }
  export class PaymentMethod {
    code: string;
    enabled: boolean;
    handler: { code: string };
  }

  export class RequestContext {
    get channel(): Channel;
    get languageCode(): string;
    get activeUserId(): ID | undefined;
    get req(): object | undefined;
  }

  type Entity<Row> = new (...input: never[]) => Row;
  type LockMode = "pessimistic_write" | "for_no_key_update";
  interface QueryBuilder<Row> {
    setLock(mode: LockMode): QueryBuilder<Row>;
    where(condition: string, values: Record<string, unknown>): QueryBuilder<Row>;
    andWhere(condition: string, values: Record<string, unknown>): QueryBuilder<Row>;
    innerJoinAndSelect(relation: string, alias: string): QueryBuilder<Row>;
    orderBy(column: string, direction: "ASC" | "DESC"): QueryBuilder<Row>;
    take(rows: number): QueryBuilder<Row>;
    getOne(): Promise<Row | null>;
    getMany(): Promise<Row[]>;
  }
  interface Repository<Row> {
    createQueryBuilder(alias: string): QueryBuilder<Row>;
    find(query: { where: object; relations?: string[]; take?: number }): Promise<Row[]>;
    findOne(query: { where: object; relations?: string[] }): Promise<Row | null>;
    update(id: ID, change: object): Promise<unknown>;
  }
  interface EntityManager {
    getRepository<Row>(entity: Entity<Row>): Repository<Row>;
  }
  interface EntitySubscriber {
    listenTo(): Entity<object>;
    beforeUpdate(event: { entity: Partial<Order> | undefined; manager: EntityManager }): Promise<void>;
  }
  export class TransactionalConnection {
    get rawConnection(): { readonly manager: EntityManager; readonly subscribers: EntitySubscriber[] };
    getRepository<Row>(context: RequestContext | undefined, entity: Entity<Row>): Repository<Row>;
    withTransaction<Result>(
      context: RequestContext,
      work: (context: RequestContext) => Promise<Result>,
    ): Promise<Result>;
  }

  export type EntityRelationPaths<_Entity> = string;
  export class OrderService {
    findOneByCode(
      context: RequestContext,
      code: string,
      relations?: EntityRelationPaths<Order>[],
    ): Promise<Order | undefined>;
    addPaymentToOrder(
      context: RequestContext,
      orderId: ID,
      input: { method: string; metadata: Record<string, unknown> },
    ): Promise<Order | ErrorResult>;
    transitionToState(context: RequestContext, orderId: ID, state: "ArrangingPayment"): Promise<Order | ErrorResult>;
    refundOrder(
      context: RequestContext,
      input: {
        paymentId: ID;
        amount: number;
        reason: string;
        lines: [];
        shipping: number;
        adjustment: number;
      },
    ): Promise<Refund | ErrorResult>;
    transitionRefundToState(
      context: RequestContext,
      refundId: ID,
      state: "Settled" | "Failed",
      transactionId?: string,
    ): Promise<Refund>;
  }
  export type OrderHistoryEntryData = { ORDER_NOTE: { note: string } };
  export class HistoryService {
    getHistoryForOrder(
      context: RequestContext,
      orderId: ID,
      publicOnly: boolean,
    ): Promise<{ items: { createdAt: Date; type: string; data: unknown }[] }>;
    createHistoryEntryForOrder(
      entry: { ctx: RequestContext; orderId: ID; type: keyof OrderHistoryEntryData; data: { note: string } },
      isPublic: boolean,
    ): Promise<unknown>;
  }
  export class PaymentMethodService {
    getActivePaymentMethods(context: RequestContext): Promise<PaymentMethod[]>;
  }
  export class RequestContextService {
    create(input: {
      apiType: "admin";
      channelOrToken?: Channel | string;
      languageCode?: LanguageCode;
    }): Promise<RequestContext>;
  }
  export class ChannelService {
    getDefaultChannel(): Promise<Channel>;
  }
  export class ActiveOrderService {
    getActiveOrder(context: RequestContext, input: undefined): Promise<Order | undefined>;
  }
  export class ConfigService {
    get dbConnectionOptions(): { readonly type: string };
    get entityOptions(): { readonly moneyStrategy: { readonly precision?: number } };
  }
  export class I18nService {
    addTranslation(language: string, texts: object): void;
  }
  export class ProcessContext {
    get isServer(): boolean;
  }
  export class Injector {
    constructor(moduleRef: import("@nestjs/core").ModuleRef);
    get<Service>(type: Entity<Service>): Service;
  }
  export class UserInputError extends Error {
    constructor(message: string);
  }
  export const Logger: {
    info(message: string, context?: string): void;
    warn(message: string, context?: string): void;
    error(message: string, context?: string): void;
  };

  export interface ErrorResult {
    readonly errorCode: string;
    readonly message: string;
  }
  export function isGraphQlErrorResult<Result>(result: Result): result is Extract<Result, ErrorResult>;

  type Transition<Data> = (
    fromState: string,
    toState: string,
    data: Data,
  ) => Promise<string | undefined> | string | undefined;
  export interface OrderProcess<State extends string> {
    init?(injector: Injector): void;
    transitions?: Partial<Record<State, never>>;
    onTransitionStart?: Transition<{ ctx: RequestContext; order: Order }>;
  }
  export interface RefundProcess<State extends string> {
    transitions?: Partial<Record<State | "Pending", { to: readonly "Pending"[]; mergeStrategy: "merge" }>>;
    onTransitionStart?: Transition<{ ctx: RequestContext; order: Order; refund: Refund }>;
  }
  type Text = { languageCode: LanguageCode; value: string };
  export class PaymentMethodHandler {
    constructor(config: {
      code: string;
      description: Text[];
      args: Record<string, never>;
      createPayment(
        context: RequestContext,
        order: Order,
        amount: number,
      ): { amount: number; state: "Settled"; transactionId: string; metadata: Record<string, unknown> };
      settlePayment(): { success: false; errorMessage: string };
      cancelPayment(context: RequestContext): never;
      createRefund(
        context: RequestContext,
        input: {
          lines?: { orderLineId: ID; quantity: number }[] | null;
          shipping?: number | null;
          adjustment?: number | null;
          amount?: number | null;
        },
        amount: number,
        order: Order,
        payment: Payment,
      ): Promise<{ state: "Pending" | "Settled"; transactionId: string; metadata: Record<string, unknown> }>;
    });
  }

  type Middleware = (
    request: import("node:http").IncomingMessage,
    response: import("node:http").ServerResponse,
    next: () => void,
  ) => void;
  export interface RuntimeVendureConfig {
    apiOptions: { adminApiPath: string; middleware: { route: string; handler: Middleware; beforeListen: boolean }[] };
    orderOptions: { process: OrderProcess<string>[] };
    paymentOptions: { paymentMethodHandlers: PaymentMethodHandler[]; refundProcess?: RefundProcess<string>[] };
  }
  type Resolvers = { schema: import("graphql").DocumentNode; resolvers: Entity<object>[] };
  export function VendurePlugin(metadata: {
    imports: unknown[];
    configuration(config: RuntimeVendureConfig): RuntimeVendureConfig;
    shopApiExtensions: Resolvers;
    adminApiExtensions: Resolvers;
    dashboard: string;
    compatibility: string;
  }): ClassDecorator;
  export const PluginCommonModule: unknown;
  export function Allow(...permissions: string[]): MethodDecorator;
  export function Ctx(): ParameterDecorator;
}

declare module "@nestjs/core" {
  export class ModuleRef {
    get(token: unknown, options: { strict: boolean }): unknown;
  }
}

declare module "@nestjs/common" {
  export function Inject(token: unknown): (target: object, key: undefined, index: number) => void;
}

declare module "@nestjs/graphql" {
  export function Resolver(type?: string): ClassDecorator;
  export function Query(): MethodDecorator;
  export function Mutation(): MethodDecorator;
  export function Args(): ParameterDecorator;
}
