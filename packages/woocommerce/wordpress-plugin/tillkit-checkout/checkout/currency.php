<?php
/** The currencies of the payment service: the decimals that an amount may have, and the methods that can pay it. */

defined( 'ABSPATH' ) || exit;

/** A price with more decimals than this cannot be paid exactly. */
const TILLKIT_MAX_DECIMALS = array(
	'XOF' => 0,
	'EUR' => 2,
	'USD' => 2,
);

/** Methods that take only some currencies. All other methods take every currency. */
const TILLKIT_METHOD_CURRENCIES = array( 'mobile-money' => array( 'XOF' ) );

/** The currency of the page: that of the order that is being paid, else that of the shop. */
function tillkit_page_currency(): string {
	$order_id = absint( get_query_var( 'order-pay' ) );
	$order    = $order_id > 0 ? wc_get_order( $order_id ) : null;
	return $order instanceof WC_Order ? (string) $order->get_currency() : (string) get_woocommerce_currency();
}

/**
 * Whether the shop's prices can have a fraction that nobody can pay. WooCommerce starts with two decimals for every currency, so
 * that a discount of 15 % makes an order of 4504.50 francs.
 */
function tillkit_has_too_many_decimals( string $currency ): bool {
	$most = TILLKIT_MAX_DECIMALS[ $currency ] ?? null;
	return null !== $most && wc_get_price_decimals() > $most;
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

/** Whether two texts are the same amount: 12.5 and 12.50. */
function tillkit_is_same_amount( string $one, string $other ): bool {
	$trim = static function ( string $text ): string {
		return false === strpos( $text, '.' ) ? $text : rtrim( rtrim( $text, '0' ), '.' );
	};
	return $trim( $one ) === $trim( $other );
}

function tillkit_takes_currency( string $method, string $currency ): bool {
	return in_array( $currency, TILLKIT_METHOD_CURRENCIES[ $method ] ?? array( $currency ), true );
}
