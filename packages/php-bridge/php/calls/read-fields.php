<?php
/** The fields of the calls that write an order. A call with a missing or invalid field changes nothing. */

defined( 'ABSPATH' ) || defined( '_PS_VERSION_' ) || exit;

const TILLKIT_STORE_ID = '/^[A-Za-z0-9_-]{1,64}\z/';
const TILLKIT_ORDER_ID = '/^[1-9][0-9]{0,18}\z/';
const TILLKIT_KEY      = '/^[A-Za-z0-9_-]{1,100}\z/';
const TILLKIT_AMOUNT   = '/^[0-9]{1,15}(\.[0-9]{1,20})?\z/';
const TILLKIT_CURRENCY = '/^[A-Z]{3}\z/';
const TILLKIT_PAYMENT  = '/^[A-Za-z0-9-]{1,64}\z/';
/** The id of a transaction or refund at the payment service. */
const TILLKIT_SERVICE_ID = '/^[^\x00-\x1f\x7f]{1,191}\z/u';

/** How the texts of each call look. Every call names the order and its key. */
const TILLKIT_CALL_FIELDS = array(
	'mark-paid'     => array(
		'amount'      => TILLKIT_AMOUNT,
		'currency'    => TILLKIT_CURRENCY,
		'payment'     => TILLKIT_PAYMENT,
		'transaction' => TILLKIT_SERVICE_ID,
	),
	'hold'          => array(),
	'note'          => array(
		'marker' => '/^\[tillkit (hold|note) [0-9a-f]{12}\]\z/',
		'text'   => '/^[^\x00]{1,4000}\z/u',
	),
	'record-refund' => array(
		'payment'    => TILLKIT_PAYMENT,
		'refund'     => TILLKIT_SERVICE_ID,
		'refund_key' => TILLKIT_SERVICE_ID,
		'amount'     => TILLKIT_AMOUNT,
		'currency'   => TILLKIT_CURRENCY,
		'reason'     => '/^[^\x00-\x1f\x7f]{1,200}\z/u',
	),
	'decision'      => array(),
	'close-order'   => array(),
);

/** Of the calls that only read. The sweep of the checkout server knows no key of an order that it has just found. */
const TILLKIT_READ_FIELDS = array(
	'order' => TILLKIT_ORDER_ID,
	'key'   => '/^[A-Za-z0-9_-]{0,100}\z/',
);

/** How many orders one answer lists. */
const TILLKIT_LISTED_ORDERS = 100;

/** @return array|null The fields of `read-order` or `list-orders`; null for an invalid call. */
function tillkit_read_query( string $purpose, array $body ): ?array {
	if ( 'read-order' === $purpose ) {
		return tillkit_read_fields( $body, TILLKIT_READ_FIELDS );
	}
	$since    = $body['since'] ?? null;
	$after    = $body['after'] ?? null;
	$is_valid = is_int( $since ) && $since >= 0 && ( null === $after || ( is_string( $after ) && preg_match( TILLKIT_ORDER_ID, $after ) ) );
	return $is_valid ? compact( 'since', 'after' ) : null;
}

/**
 * The fields of a call, with those that are no texts or optional: `fence`, `already_paid`, `environment` and `provider` of `mark-paid`, `returned` of `mark-paid` and
 * `close-order`, `reasons` of `decision`, `attention` of `note`. Null for an invalid call.
 */
function tillkit_read_order_fields( string $purpose, array $body ): ?array {
	$patterns = array(
		'order' => TILLKIT_ORDER_ID,
		'key'   => TILLKIT_KEY,
	);
	$fields   = tillkit_read_fields( $body, $patterns + TILLKIT_CALL_FIELDS[ $purpose ] );
	if ( null !== $fields && in_array( $purpose, array( 'mark-paid', 'close-order' ), true ) ) {
		$returned = tillkit_read_returned( $body );
		$writer   = 'mark-paid' === $purpose ? tillkit_read_writer( $body ) : array();
		return null === $returned || null === $writer ? null : $fields + $writer + compact( 'returned' );
	}
	if ( null !== $fields && 'note' === $purpose ) {
		$attention = $body['attention'] ?? '';
		return is_string( $attention ) && preg_match( '/^[a-z_]{0,40}\z/', $attention ) ? $fields + compact( 'attention' ) : null;
	}
	if ( null !== $fields && 'decision' === $purpose ) {
		$reasons = $body['reasons'] ?? null;
		$is_list = is_array( $reasons ) && $reasons === array_filter( $reasons, 'is_string' );
		return $is_list ? $fields + array( 'reasons' => tillkit_known_reasons( $reasons ) ) : null;
	}
	return $fields;
}

/** @return array{fence:int,already_paid:bool,environment:string,provider:string}|null */
function tillkit_read_writer( array $body ): ?array {
	$fence        = $body['fence'] ?? null;
	$already_paid = $body['already_paid'] ?? false;
	$environment  = $body['environment'] ?? '';
	$provider     = $body['provider'] ?? '';
	// Only a name: no payment fails for it.
	$provider     = is_string( $provider ) && preg_match( '/^[A-Z_]{2,20}\z/', $provider ) ? $provider : '';
	$is_valid     = is_int( $fence ) && $fence >= 0 && is_bool( $already_paid ) && in_array( $environment, array( '', 'test', 'live' ), true );
	return $is_valid ? compact( 'fence', 'already_paid', 'environment', 'provider' ) : null;
}

/** @return string[]|null The payments of the order whose money has gone back. Null for a list that is not valid. */
function tillkit_read_returned( array $body ): ?array {
	$returned = $body['returned'] ?? array();
	$is_valid = static function ( $payment ): bool {
		return is_string( $payment ) && 1 === preg_match( TILLKIT_PAYMENT, $payment );
	};
	return is_array( $returned ) && $returned === array_values( array_filter( $returned, $is_valid ) ) ? $returned : null;
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
