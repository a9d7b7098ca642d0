export { type ColourName, dark, light, textPairs } from "./colours.ts";
export { baseStyle, lightTokens, siteTokens, tokens } from "./parts.ts";
