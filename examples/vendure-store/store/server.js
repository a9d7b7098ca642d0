const { bootstrap } = require("@vendure/core");
const { config } = require("./vendure-config.js");

bootstrap(config).catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
