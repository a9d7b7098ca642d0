<?php
/** The signed address that a shopper is sent to. */

defined( 'ABSPATH' ) || exit;

/**
 * Null when a field is of a form that the companion would refuse.
 *
 * @param array{store:string,order:string,key:string,amount:string,currency:string,exp:string} $link As the shop writes
 *        them; exp in seconds since 1970.
 */
function tillkit_pay_link( string $companion, array $link, string $secret ): ?string {
	$forms  = array(
		'store'    => '/^[A-Za-z0-9_-]{1,64}\z/',
		'order'    => '/^[1-9][0-9]{0,18}\z/',
		'key'      => '/^[A-Za-z0-9_-]{1,100}\z/',
		'amount'   => '/^[0-9]{1,15}(\.[0-9]{1,20})?\z/',
		'currency' => '/^[A-Z]{3}\z/',
		'exp'      => '/^[0-9]{1,12}\z/',
	);
	$fields = array();
	foreach ( $forms as $name => $form ) {
		if ( ! preg_match( $form, $link[ $name ] ) ) {
			return null;
		}
		$fields[ $name ] = $link[ $name ];
	}
	$fields['sig'] = tillkit_sign( array_merge( array( 'tillkit v1 pay' ), array_values( $fields ) ), $secret );
	return $companion . '/woo/pay?' . http_build_query( $fields, '', '&' );
}
