export const apiVersion = "1.2.0";
