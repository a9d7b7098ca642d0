import { customerJson } from "../../../customers/read-customers.ts";
import { notFound } from "../../../domain/api-error.ts";
import { html } from "../../../pages/html.ts";
import { detailList, idText, timeText } from "../../components/details.ts";
import { textField } from "../../components/forms.ts";
import { customerListItem, transactionListItem } from "../../components/list-items.ts";
import { pagedList, parsePage } from "../../components/lists.ts";
import { pageUrl } from "../../components/page-url.ts";
import type { ConsoleSection, PageHandler } from "../../components/section.ts";
import { contains } from "../../search/find-matches.ts";

const listPage: PageHandler = async (request) => {
  const { service, query, texts } = request;
  const search = (query.get("search") ?? "").trim().toLowerCase();
  const customers = await service.store.database
    .selectFrom("customers")
    .selectAll()
    .$if(search !== "", (builder) => builder.where(contains("search_text", search)))
    .orderBy("seq", "desc")
    .limit(parsePage(query).limit)
    .offset(parsePage(query).offset)
    .execute();
  const items = customers.map((customer) => customerListItem(request, customer));
  const emptyText = search === "" ? texts.customers.none : texts.customers.nobody;
  return {
    tab: "customers",
    title: texts.tabs.customers,
    main: html`<h1>${texts.tabs.customers}</h1>
<form class="find" role="search">${textField({ name: "search", label: texts.customers.nameOrEmail, value: search, attributes: html`type="search"` })}<button class="quiet">${texts.customers.search}</button></form>
${pagedList(request, { items, emptyText })}`,
  };
};

const detailPage: PageHandler = async (request) => {
  const { service, id, query, texts } = request;
  const { labels, tabs } = texts;
  const customer = await service.store.database
    .selectFrom("customers")
    .selectAll()
    .where(id.startsWith("cus_") ? "public_id" : "customer_id", "=", id)
    .executeTakeFirst();
  if (customer === undefined) throw notFound("Customer");
  const { name, address, city, country } = customerJson(customer) as Record<string, string | null>;
  const title = name || customer.public_id;
  const transactions = await service.store.database
    .selectFrom("transactions")
    .selectAll()
    .where("customer_id", "=", customer.customer_id)
    .orderBy("seq", "desc")
    .limit(parsePage(query).limit)
    .offset(parsePage(query).offset)
    .execute();
  const items = transactions.map((transaction) => transactionListItem(request, transaction));
  const main = html`<p class="breadcrumb"><a href="${pageUrl("customers")}">${tabs.customers}</a></p>
<h1>${title}</h1>
${detailList({
  [labels.customer]: idText(customer.customer_id),
  [labels.publicId]: idText(customer.public_id),
  [labels.email]: customer.email,
  [labels.telephone]: customer.phone_number,
  [labels.address]: [address, city, country].filter(Boolean).join(", "),
  [labels.memberAccount]: idText(customer.account),
  [labels.environment]: texts.environments[customer.environment],
  [labels.since]: timeText(customer.created_at),
})}
<h2>${tabs.transactions}</h2>${pagedList(request, { items, emptyText: texts.lists.none })}`;
  return { tab: "customers", title, main };
};

export const customerSection: ConsoleSection = { pages: { customers: listPage, "customers/{id}": detailPage } };
