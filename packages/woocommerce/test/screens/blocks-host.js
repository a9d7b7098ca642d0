/** Stands in for WooCommerce's block checkout: the functions and components that our payment method uses. */
(() => {
  function createElement(type, props, ...children) {
    if (typeof type === "function") return type({ ...props, children, components });
    const element = document.createElement(type);
    const { style = {}, ...attributes } = props ?? {};
    Object.assign(element.style, style);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    element.append(...children);
    return element;
  }

  const components = {
    PaymentMethodLabel: ({ text }) => createElement("strong", null, text),
    PaymentMethodIcons: ({ icons }) =>
      createElement("span", null, ...icons.map(({ src, alt }) => createElement("img", { src, alt }))),
  };

  window.wp = { element: { createElement } };
  window.wc = {
    wcSettings: { getSetting: () => tillkitData },
    wcBlocksRegistry: {
      registerPaymentMethod: ({ label, content }) => {
        const method = createElement("div", { class: "method" }, label, content);
        document.getElementById("methods").append(method);
      },
    },
  };
})();
