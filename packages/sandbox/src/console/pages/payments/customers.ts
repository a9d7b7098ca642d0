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

const listPage: PageHandler = async ({ service, query }) => {
  const search = (query.get("search") ?? "").trim().toLowerCase();
  const customers = await service.store.database
    .selectFrom("customers")
    .selectAll()
    .$if(search !== "", (builder) => builder.where(contains("search_text", search)))
    .orderBy("seq", "desc")
    .limit(parsePage(query).limit)
    .offset(parsePage(query).offset)
    .execute();
  const items = customers.map((customer) => customerListItem(customer));
  const emptyText =
    search === "" ? "None: a customer appears with the first payment." : "No customer has this name or e-mail.";
  return {
    tab: "customers",
    title: "Customers",
    main: html`<h1>Customers</h1>
<form class="find" role="search">${textField({ name: "search", label: "Name or e-mail", value: search, attributes: html`type="search"` })}<button class="quiet">Search</button></form>
${pagedList(query, { items, emptyText })}`,
  };
};

const detailPage: PageHandler = async ({ service, id, query }) => {
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
  const items = transactions.map((transaction) => transactionListItem(service, transaction));
  const main = html`<p class="breadcrumb"><a href="${pageUrl("customers")}">Customers</a></p>
<h1>${title}</h1>
${detailList({
  Customer: idText(customer.customer_id),
  "Public id": idText(customer.public_id),
  "E-mail": customer.email,
  Telephone: customer.phone_number,
  Address: [address, city, country].filter(Boolean).join(", "),
  "Member Account": idText(customer.account),
  Environment: customer.environment,
  Since: timeText(customer.created_at),
})}
<h2>Transactions</h2>${pagedList(query, { items, emptyText: "None." })}`;
  return { tab: "customers", title, main };
};

export const customerSection: ConsoleSection = { pages: { customers: listPage, "customers/{id}": detailPage } };
