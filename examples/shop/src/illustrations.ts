import { type Html, html } from "./html.ts";

/** Drawings of the products, inline so that the page loads no other files. They are decorative: the product's name is beside each. */
export function illustration(productId: string): Html {
  const drawing = Object.hasOwn(DRAWINGS, productId) ? DRAWINGS[productId] : undefined;
  return html`<svg class="art" viewBox="0 0 200 150" preserveAspectRatio="xMidYMid slice" aria-hidden="true" focusable="false">${drawing ?? null}</svg>`;
}

/** The woven band under the shop's name. */
export function wovenBand(): Html {
  return html`<svg class="band" width="100%" height="14" aria-hidden="true" focusable="false">
    <defs>
      <pattern id="weave" width="56" height="14" patternUnits="userSpaceOnUse">
        <rect width="56" height="14" fill="#1f3a34" />
        <path d="M0 7 7 0l7 7-7 7z" fill="#e3a63b" />
        <path d="M4 7l3-3 3 3-3 3z" fill="#1f3a34" />
        <path d="M18 0h6v14h-6zM46 0h6v14h-6z" fill="#b8472a" />
        <path d="M28 0l14 7-14 7z" fill="#f3e3c3" />
        <path d="M28 4l6 3-6 3z" fill="#1f3a34" />
      </pattern>
    </defs>
    <rect width="100%" height="14" fill="url(#weave)" />
  </svg>`;
}

const DRAWINGS: Readonly<Record<string, Html>> = {
  bissap: html`<rect width="200" height="150" fill="#f6dcd5" />
    <circle cx="66" cy="70" r="46" fill="#f0c4ba" />
    <g fill="#b3203f">
      <ellipse cx="66" cy="42" rx="19" ry="25" />
      <ellipse cx="66" cy="42" rx="19" ry="25" transform="rotate(72 66 69)" />
      <ellipse cx="66" cy="42" rx="19" ry="25" transform="rotate(144 66 69)" />
      <ellipse cx="66" cy="42" rx="19" ry="25" transform="rotate(216 66 69)" />
      <ellipse cx="66" cy="42" rx="19" ry="25" transform="rotate(288 66 69)" />
    </g>
    <g fill="none" stroke="#8c1430" stroke-width="2" stroke-linecap="round">
      <path d="M66 62V34M73 67l25-9M70 76l16 22M62 76l-16 22M59 67l-25-9" />
    </g>
    <circle cx="66" cy="69" r="10" fill="#6f0f27" />
    <path d="M68 66l22-27" stroke="#f2b632" stroke-width="4" stroke-linecap="round" />
    <circle cx="91" cy="38" r="4" fill="#f2b632" /><circle cx="85" cy="36" r="3" fill="#f2b632" />
    <path d="M130 52h44l-6 74a6 6 0 0 1-6 5h-20a6 6 0 0 1-6-5z" fill="#fff" opacity=".75" />
    <path d="M132 72h40l-5 52a4 4 0 0 1-4 4h-22a4 4 0 0 1-4-4z" fill="#a3183a" />
    <rect x="140" y="80" width="13" height="13" rx="2" fill="#fff" opacity=".35" transform="rotate(12 146 86)" />
    <rect x="152" y="94" width="12" height="12" rx="2" fill="#fff" opacity=".3" transform="rotate(-14 158 100)" />
    <path d="M158 66l12-38" stroke="#3f7d57" stroke-width="5" stroke-linecap="round" />`,
  karite: html`<rect width="200" height="150" fill="#e9e4c9" />
    <circle cx="104" cy="74" r="54" fill="#f5f0da" />
    <path d="M62 66h84v52a14 14 0 0 1-14 14H76a14 14 0 0 1-14-14z" fill="#c9803f" />
    <path d="M62 84h84v28H62z" fill="#fdf6e3" />
    <path d="M74 94c9-8 16 8 25 0s16 8 25 0 8 0 12 0" fill="none" stroke="#8a4b1f" stroke-width="3" stroke-linecap="round" />
    <path d="M82 105h44" stroke="#8a4b1f" stroke-width="3" stroke-linecap="round" opacity=".5" />
    <path d="M58 66c-4-18 12-16 14-24 4-14 22-8 28-18 6 8 22 4 28 16 4 8 26 8 22 26z" fill="#fff3d0" />
    <path d="M84 54c10-12 24-2 36-10M74 62c16-8 40 2 62-6" fill="none" stroke="#e4cf97" stroke-width="3" stroke-linecap="round" />
    <ellipse cx="162" cy="124" rx="16" ry="11" fill="#6d4324" /><ellipse cx="158" cy="121" rx="6" ry="3.5" fill="#98683f" />
    <ellipse cx="42" cy="126" rx="15" ry="10" fill="#7c4f2c" /><ellipse cx="38" cy="123" rx="5" ry="3" fill="#a97a4e" />
    <path d="M30 112c-14-8-16-26-10-38 14 6 20 24 14 38z" fill="#5b8a4a" /><path d="M31 110c-4-12-6-22-9-32" stroke="#3d6a34" stroke-width="2" fill="none" />`,
  cafe: html`<rect width="200" height="150" fill="#e6d3bf" />
    <circle cx="98" cy="74" r="54" fill="#f0e3d3" />
    <path d="M64 30h68l8 98a6 6 0 0 1-6 6H62a6 6 0 0 1-6-6z" fill="#5a3825" />
    <path d="M64 30h68l1 16H63z" fill="#432818" /><path d="M70 22h56v12H70z" rx="3" fill="#6d4530" />
    <rect x="70" y="64" width="56" height="44" rx="4" fill="#f3e3c3" />
    <path d="M98 70l8 10-8-3-8 3zM76 98l12-16 8 10 6-8 18 14z" fill="#3f7d57" />
    <path d="M78 103h40" stroke="#5a3825" stroke-width="2.5" stroke-linecap="round" />
    <g fill="#4a2a18"><ellipse cx="156" cy="122" rx="13" ry="9" transform="rotate(-24 156 122)" />
      <ellipse cx="176" cy="134" rx="11" ry="8" transform="rotate(20 176 134)" />
      <ellipse cx="36" cy="130" rx="13" ry="9" transform="rotate(18 36 130)" /></g>
    <g fill="none" stroke="#8a5b3b" stroke-width="2" stroke-linecap="round">
      <path d="M146 127c6-6 12-2 20-10M167 131c6 4 10-2 18 6M25 127c8 4 12-2 22 6" />
    </g>`,
  chocolat: html`<rect width="200" height="150" fill="#dfe6d2" />
    <circle cx="100" cy="76" r="54" fill="#ebf0e2" />
    <g transform="rotate(-9 100 80)">
      <rect x="58" y="26" width="76" height="106" rx="5" fill="#4b2716" />
      <g fill="#5f3521"><rect x="63" y="31" width="20" height="18" rx="2" /><rect x="86" y="31" width="20" height="18" rx="2" />
        <rect x="109" y="31" width="20" height="18" rx="2" /><rect x="63" y="52" width="20" height="18" rx="2" />
        <rect x="86" y="52" width="20" height="18" rx="2" /><rect x="109" y="52" width="20" height="18" rx="2" /></g>
      <path d="M55 74l10-6 9 6 9-6 9 6 9-6 9 6 9-6 9 6 9-6v60a6 6 0 0 1-6 6H61a6 6 0 0 1-6-6z" fill="#d9902f" />
      <rect x="64" y="88" width="64" height="38" rx="3" fill="#fbf3df" />
      <path d="M96 94c9 4 9 20 0 26-9-6-9-22 0-26z" fill="#b8472a" /><path d="M96 97v20" stroke="#7f2c17" stroke-width="2" />
      <path d="M74 108h8M110 108h8" stroke="#4b2716" stroke-width="2.5" stroke-linecap="round" />
    </g>
    <path d="M166 92c16 8 20 32 2 48-18-12-18-38-2-48z" fill="#c1622d" />
    <path d="M167 96c4 14 4 28 1 42M160 102c-2 12-1 22 4 32M174 102c4 12 3 22-2 32" stroke="#8c3f18" stroke-width="2" fill="none" />`,
  panier: html`<rect width="200" height="150" fill="#f4e2b8" />
    <circle cx="100" cy="74" r="54" fill="#faefd4" />
    <path d="M60 72c0-60 80-60 80 0" fill="none" stroke="#8a5a22" stroke-width="7" stroke-linecap="round" />
    <path d="M44 70h112l-13 60a8 8 0 0 1-8 6H65a8 8 0 0 1-8-6z" fill="#d39a45" />
    <g fill="#b8472a"><path d="M52 84l8 8-6 8zM66 84l9 9-9 9-9-9zM86 84l9 9-9 9-9-9zM106 84l9 9-9 9-9-9zM126 84l9 9-9 9-9-9zM146 84l3 2-3 14-6-7z" /></g>
    <g stroke="#a5712a" stroke-width="2.5" fill="none"><path d="M48 78h104M54 108h92M56 116h88M58 124h84M62 104v30M78 104v32M94 104v32M110 104v32M126 104v32M140 104v28" /></g>
    <rect x="40" y="64" width="120" height="11" rx="5.5" fill="#8a5a22" />
    <path d="M48 69h104" stroke="#d9ab63" stroke-width="2.5" stroke-dasharray="8 5" />`,
  pagne: html`<rect width="200" height="150" fill="#d5e2e3" />
    <circle cx="100" cy="72" r="54" fill="#e5eeee" />
    <path d="M40 96h120a8 8 0 0 1 8 8v22a8 8 0 0 1-8 8H40z" fill="#16405a" />
    <path d="M46 66h112a8 8 0 0 1 8 8v22H46z" fill="#1f5573" />
    <path d="M52 36h100a8 8 0 0 1 8 8v22H52z" fill="#16405a" />
    <g fill="#e3a63b"><path d="M66 36h8v30h-8zM96 36h8v30h-8zM126 36h8v30h-8zM60 66h8v30h-8zM92 66h8v30h-8zM124 66h8v30h-8zM56 96h8v38h-8zM90 96h8v38h-8zM124 96h8v38h-8z" /></g>
    <g fill="#f3e3c3"><path d="M80 43l6 8-6 8-6-8zM112 43l6 8-6 8-6-8zM144 43l6 8-6 8-6-8zM78 73l6 8-6 8-6-8zM110 73l6 8-6 8-6-8zM143 73l6 8-6 8-6-8zM76 105l7 10-7 10-7-10zM110 105l7 10-7 10-7-10zM146 105l7 10-7 10-7-10z" /></g>
    <path d="M40 96c-10 4-10 34 0 38M46 66c-10 4-10 26 0 30M52 36c-10 4-10 26 0 30" fill="#0f2f43" />
    <path d="M42 134v8M50 134v8M58 134v8M66 134v8" stroke="#16405a" stroke-width="2.5" stroke-linecap="round" />`,
  cadeau: html`<rect width="200" height="150" fill="#f3d9a4" />
    <circle cx="100" cy="76" r="56" fill="#f8e7c4" />
    <path d="M46 78h108l-10 50a8 8 0 0 1-8 7H64a8 8 0 0 1-8-7z" fill="#c9803f" />
    <g stroke="#9c5c26" stroke-width="2.5" fill="none"><path d="M52 92h96M54 106h92M58 120h84M72 82v50M90 82v52M110 82v52M128 82v50" /></g>
    <path d="M62 74V48a6 6 0 0 1 6-6h18a6 6 0 0 1 6 6v26z" fill="#5a3825" /><rect x="66" y="54" width="22" height="14" rx="2" fill="#f3e3c3" />
    <path d="M110 74l-4-34h26l-4 34z" fill="#a3183a" /><rect x="104" y="34" width="30" height="8" rx="3" fill="#1f3a34" />
    <path d="M90 76V38l16-6 2 44z" fill="#d9902f" />
    <path d="M134 74c0-14 6-20 18-22 0 12-4 20-12 24z" fill="#5b8a4a" />
    <rect x="42" y="72" width="116" height="11" rx="5.5" fill="#8a5a22" />
    <path d="M100 100c-14-16-34-8-26 4 5 7 18 2 26-4zm0 0c14-16 34-8 26 4-5 7-18 2-26-4z" fill="#b8472a" />
    <path d="M97 101l-12 26M103 101l12 26" stroke="#b8472a" stroke-width="6" stroke-linecap="round" /><circle cx="100" cy="101" r="6" fill="#8c2f17" />`,
};
