import { archivedPaymentsStayAsTheyAre } from "./archived-payments.ts";

archivedPaymentsStayAsTheyAre("on SQLite", () => "sqlite::memory:");
