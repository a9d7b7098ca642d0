<?php
/** The signed address to which a shopper is redirected. */

defined( 'ABSPATH' ) || defined( '_PS_VERSION_' ) || exit;

/** Where the checkout server answers, below its address. */
const TILLKIT_BRIDGE_PATH = '/bridge/v1/';

/** How long a pay link is valid. */
const TILLKIT_LINK_LIFETIME_SECONDS = 7200;

/**
 * Null if the checkout server would refuse a field.
 *
 * @param array{store:string,order:string,key:string,amount:string,currency:string,exp:string} $link
 *        `key` is the key of the order, `exp` the expiry in seconds since 1970.
 */
function tillkit_pay_link( string $checkout_server, array $link, string $secret ): ?string {
	$patterns = array(
		'store'    => TILLKIT_STORE_ID,
		'order'    => TILLKIT_ORDER_ID,
		'key'      => TILLKIT_KEY,
		'amount'   => TILLKIT_AMOUNT,
		'currency' => TILLKIT_CURRENCY,
		'exp'      => '/^[0-9]{1,12}\z/',
	);
	$fields = array();
	foreach ( $patterns as $name => $pattern ) {
		if ( ! preg_match( $pattern, $link[ $name ] ) ) {
			return null;
		}
		$fields[ $name ] = $link[ $name ];
	}
	$fields['sig'] = tillkit_sign( array_merge( array( 'tillkit v1 pay' ), array_values( $fields ) ), $secret );
	return $checkout_server . TILLKIT_BRIDGE_PATH . 'pay?' . http_build_query( $fields, '', '&' );
}

/** Null if no link can be made, for instance because the key of the order has characters that a link must not contain. */
function tillkit_pay_link_for_order( Tillkit_Order $order, int $now ): ?string {
	if ( ! tillkit_is_configured() ) {
		return null;
	}
	$settings = tillkit_host()->settings();
	$link     = array(
		'store'    => $settings['store'],
		'order'    => $order->id(),
		'key'      => $order->key(),
		'amount'   => $order->total(),
		'currency' => $order->currency(),
		'exp'      => (string) ( $now + TILLKIT_LINK_LIFETIME_SECONDS ),
	);
	return tillkit_pay_link( $settings['checkout_server'], $link, tillkit_link_secrets()[0] );
}

/**
 * Proves that these addresses are the shop's own: a shop may have a domain for each language, and other code of the shop can write what an
 * order stores. Empty for an address with a control character.
 */
function tillkit_sign_return( Tillkit_Order $order, string $return_url, string $cancel_url ): string {
	if ( preg_match( '/[\x00-\x1f\x7f]/', $return_url . $cancel_url ) ) {
		return '';
	}
	return tillkit_sign( array( 'tillkit v1 return', tillkit_host()->settings()['store'], $order->id(), $return_url, $cancel_url ), tillkit_link_secrets()[0] );
}
