<?php
/** The signed address to which a shopper is redirected. */

defined( 'ABSPATH' ) || exit;

/**
 * Null if the checkout server would refuse a field.
 *
 * @param array{store:string,order:string,key:string,amount:string,currency:string,exp:string} $link
 *        `key` is the order key of WooCommerce, `exp` the expiry in seconds since 1970.
 */
function tillkit_pay_link( string $checkout_server, array $link, string $secret ): ?string {
	$patterns = array(
		'store'    => '/^[A-Za-z0-9_-]{1,64}\z/',
		'order'    => '/^[1-9][0-9]{0,18}\z/',
		'key'      => '/^[A-Za-z0-9_-]{1,100}\z/',
		'amount'   => '/^[0-9]{1,15}(\.[0-9]{1,20})?\z/',
		'currency' => '/^[A-Z]{3}\z/',
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
	return $checkout_server . '/woo/pay?' . http_build_query( $fields, '', '&' );
}
