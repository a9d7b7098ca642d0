<?php
/** The currency of a page, and exact amounts in it. */

defined( 'ABSPATH' ) || exit;

/** The currency of the page: that of the order that is being paid, else that of the shop. */
function tillkit_page_currency(): string {
	$order_id = absint( get_query_var( 'order-pay' ) );
	$order    = $order_id > 0 ? wc_get_order( $order_id ) : null;
	return $order instanceof WC_Order ? (string) $order->get_currency() : (string) get_woocommerce_currency();
}

/**
 * An amount in the decimals of its own currency. The shop's number of decimals belongs to the shop's currency, and would make 12 of an
 * order of 12.34 euros in a shop whose prices are in francs. More decimals stay, so that a fraction that nobody can pay is not hidden.
 *
 * @param string|float $amount
 */
function tillkit_exact_amount( $amount, string $currency ): string {
	return (string) wc_format_decimal( $amount, max( wc_get_price_decimals(), TILLKIT_MAX_DECIMALS[ $currency ] ?? 0 ) );
}
