<?php
/** What the companion asks for when a payment has arrived: this order, under these conditions. */

defined( 'ABSPATH' ) || exit;

/**
 * Null when a field is missing or of another form.
 *
 * @return array{order:string,key:string,amount:string,currency:string,payment:string,transaction:string,fence:int,already_paid:bool}|null
 */
function tillkit_read_wish( array $body ): ?array {
	$wish = tillkit_read_fields(
		$body,
		array(
			'order'       => '/^[1-9][0-9]{0,18}\z/',
			'key'         => '/^[A-Za-z0-9_-]{1,100}\z/',
			'amount'      => '/^[0-9]{1,15}(\.[0-9]{1,20})?\z/',
			'currency'    => '/^[A-Z]{3}\z/',
			'payment'     => '/^[A-Za-z0-9-]{1,64}\z/',
			'transaction' => '/^[^\x00-\x1f\x7f]{1,191}\z/u',
		)
	);
	if ( null === $wish || ! isset( $body['fence'] ) || ! is_int( $body['fence'] ) || $body['fence'] < 0 ) {
		return null;
	}
	$already_paid = $body['already_paid'] ?? false;
	return is_bool( $already_paid ) ? $wish + array(
		'fence'        => $body['fence'],
		'already_paid' => $already_paid,
	) : null;
}

/**
 * @param array<string,string> $forms By name of the field.
 * @return array<string,string>|null
 */
function tillkit_read_fields( array $body, array $forms ): ?array {
	$fields = array();
	foreach ( $forms as $name => $form ) {
		if ( ! isset( $body[ $name ] ) || ! is_string( $body[ $name ] ) || 1 !== preg_match( $form, $body[ $name ] ) ) {
			return null;
		}
		$fields[ $name ] = $body[ $name ];
	}
	return $fields;
}
