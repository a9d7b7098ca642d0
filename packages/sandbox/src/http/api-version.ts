/** The version of the API, which `Service-Version` names in requests and responses. */
export const apiVersion = "1.2.0";
