import { verbatim } from "./html.ts";

/**
 * Groups card digits, prevents a second submit, fills in test numbers, and polls the payment status. A test number of more than
 * 12 digits is a card number, a shorter one a phone number. Digits are grouped only while the cursor is at the end of the field, because
 * writing a value moves the cursor to the end. When the browser goes back to a page, its button can be pressed again. Every page works
 * without the script.
 *
 * The page gives the script its data in attributes: `data-fill` is a test number, `data-paying-label` the label of a submitted button,
 * and `data-status-url` the address that answers the payment's `state`. `method-card` and `method-wave` are the ids of the radio buttons
 * of the payment methods.
 */
export const script = verbatim(
  `
(()=>{
const d=document,$=selector=>d.querySelector(selector);
const groupDigits=(input,format)=>input&&input.addEventListener("input",()=>{if(input.selectionStart===input.value.length)input.value=format(input.value.replace(/\\D/g,""))});
groupDigits($("#card_number"),digits=>digits.slice(0,19).replace(/(.{4})(?=.)/g,"$1 "));
groupDigits($("#card_expiry"),digits=>digits.length>2?digits.slice(0,2)+"/"+digits.slice(2,4):digits);
const number=$("#card_number"),brand=$("#card_brand");
const brands=[["Visa",/^4/],["Mastercard",/^(5[1-5]|2[2-7])/],["American Express",/^3[47]/],["Discover",/^6/]];
const showBrand=()=>{const found=brands.find(([,start])=>start.test(number.value.replace(/\\D/g,"")));brand.textContent=brand.dataset.brand=found?found[0]:""};
if(number&&brand){number.addEventListener("input",showBrand);showBrand()}
const fill=(field,value)=>{if(field&&value!==undefined){field.value=value;field.dispatchEvent(new Event("input"))}};
for(const code of d.querySelectorAll("code[data-fill]")){const button=d.createElement("button");button.type="button";button.className="fill";button.textContent=code.textContent;
button.addEventListener("click",()=>{const testNumber=code.dataset.fill,isCard=testNumber.replace(/\\D/g,"").length>12;
const method=$(isCard?"#method-card":"#method-wave");if(method)method.checked=true;
if(isCard){fill(number,testNumber);fill($("#card_expiry"),"12/34");fill($("#card_cvc"),"123");}else fill($("#mobile_phone"),testNumber);
(isCard?number:$("#mobile_phone"))?.focus()});code.replaceWith(button)}
const form=$("form[data-paying-label]");
if(form){const button=form.querySelector("button"),label=button.innerHTML;
form.addEventListener("submit",e=>{if(button.hasAttribute("aria-disabled"))return e.preventDefault();button.setAttribute("aria-disabled","true");button.textContent=form.dataset.payingLabel});
addEventListener("pageshow",()=>{button.removeAttribute("aria-disabled");button.innerHTML=label})}
const problem=$("#problem");if(problem)problem.focus();
const waitingPage=$("[data-status-url]");
if(waitingPage){const poll=async()=>{try{const response=await fetch(waitingPage.dataset.statusUrl,{cache:"no-store"});if(response.ok&&(await response.json()).state!=="pending")return location.reload()}catch{}setTimeout(poll,2000)};setTimeout(poll,2000)}
})();
`.trim(),
);
