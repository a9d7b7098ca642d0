<?php
/** The currencies of the payment service: the decimals that an amount may have, and the methods that can pay it. */

defined( 'ABSPATH' ) || defined( '_PS_VERSION_' ) || exit;

/** A price with more decimals than this cannot be paid exactly. */
const TILLKIT_MAX_DECIMALS = array(
	'XOF' => 0,
	'EUR' => 2,
	'USD' => 2,
);

/** Methods that take only some currencies. All other methods take every currency. */
const TILLKIT_METHOD_CURRENCIES = array( 'mobile-money' => array( 'XOF' ) );

/**
 * Whether the shop's prices can have a fraction that nobody can pay. Shops start with two decimals for every currency, so that a discount of
 * 15 % makes an order of 4504.50 francs.
 */
function tillkit_has_too_many_decimals( string $currency ): bool {
	$most = TILLKIT_MAX_DECIMALS[ $currency ] ?? null;
	return null !== $most && tillkit_host()->shop()['decimals'] > $most;
}

/** Whether two texts are the same amount: 12.5 and 12.50. */
function tillkit_is_same_amount( string $one, string $other ): bool {
	$trim = static function ( string $text ): string {
		return false === strpos( $text, '.' ) ? $text : rtrim( rtrim( $text, '0' ), '.' );
	};
	return $trim( $one ) === $trim( $other );
}

/** Whether the order still has the total and currency that the checkout server read. */
function tillkit_total_matches( Tillkit_Order $order, array $fields ): bool {
	return tillkit_is_same_amount( $order->total(), $fields['amount'] ) && $order->currency() === $fields['currency'];
}

function tillkit_takes_currency( string $method, string $currency ): bool {
	return in_array( $currency, TILLKIT_METHOD_CURRENCIES[ $method ] ?? array( $currency ), true );
}
