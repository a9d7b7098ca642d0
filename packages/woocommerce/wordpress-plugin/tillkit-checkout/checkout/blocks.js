/** Renders the payment method, or the two that the owner separated, in the block checkout. Plain JavaScript without a build step. */
(() => {
  const { registerPaymentMethod } = window.wc.wcBlocksRegistry;
  const { getSetting } = window.wc.wcSettings;
  const { createElement } = window.wp.element;

  const data = getSetting("tillkit_data", {});
  for (const method of data.methods ?? [data]) register(method);

  function register({ name = "tillkit", title = "", description = "", icons = [], supports = ["products"] }) {
    // Texts are rendered as text nodes and never as markup.
    function Label({ components }) {
      const { PaymentMethodLabel, PaymentMethodIcons } = components;
      return createElement(
        "span",
        { style: { display: "flex", flexWrap: "wrap", gap: "0.5em", alignItems: "center" } },
        createElement(PaymentMethodLabel, { text: title }),
        createElement(PaymentMethodIcons, { icons, align: "left" }),
      );
    }

    function Content() {
      return createElement("p", null, description);
    }

    registerPaymentMethod({
      name,
      label: createElement(Label),
      ariaLabel: title,
      content: createElement(Content),
      edit: createElement(Content),
      canMakePayment: () => true,
      supports: { features: supports },
    });
  }
})();
