/** For platforms that only acknowledge what was written, and never show which payment paid a group of attempts (Shopify). */
export { createGroupClaims, type GroupClaim, type GroupClaims } from "./stores/group-claims.ts";
