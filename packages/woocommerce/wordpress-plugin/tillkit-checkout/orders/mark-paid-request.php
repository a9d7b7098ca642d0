<?php
/** Reads the fields of `mark-paid`: the order, the conditions and the payment. */

defined( 'ABSPATH' ) || exit;

/**
 * Null if a field is missing or invalid.
 *
 * @return array{order:string,key:string,amount:string,currency:string,payment:string,transaction:string,fence:int,already_paid:bool,environment:string}|null
 */
function tillkit_read_mark_paid_request( array $body ): ?array {
	$request = tillkit_read_fields(
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
	if ( null === $request || ! isset( $body['fence'] ) || ! is_int( $body['fence'] ) || $body['fence'] < 0 ) {
		return null;
	}
	$already_paid = $body['already_paid'] ?? false;
	$environment  = $body['environment'] ?? '';
	if ( ! is_bool( $already_paid ) || ! in_array( $environment, array( '', 'test', 'live' ), true ) ) {
		return null;
	}
	return $request + array(
		'fence'        => $body['fence'],
		'already_paid' => $already_paid,
		'environment'  => $environment,
	);
}

/**
 * @param array<string,string> $patterns By field name.
 * @return array<string,string>|null
 */
function tillkit_read_fields( array $body, array $patterns ): ?array {
	$fields = array();
	foreach ( $patterns as $name => $pattern ) {
		if ( ! isset( $body[ $name ] ) || ! is_string( $body[ $name ] ) || 1 !== preg_match( $pattern, $body[ $name ] ) ) {
			return null;
		}
		$fields[ $name ] = $body[ $name ];
	}
	return $fields;
}
