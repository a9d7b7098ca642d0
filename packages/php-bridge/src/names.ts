/** The version of the protocol. */
export const PROTOCOL = 1;

/** Where the checkout server answers, below its address. A purpose follows. */
export const BRIDGE_PATH = "/bridge/v1/";

/** The error code of the plugin for a call whose signature does not match. */
export const SIGNATURE_INVALID = "tillkit_signature_invalid";
