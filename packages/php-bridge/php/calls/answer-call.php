<?php
/** Answers the signed calls of the checkout server. */

defined( 'ABSPATH' ) || defined( '_PS_VERSION_' ) || exit;

/** The version of the protocol that this code speaks. */
const TILLKIT_PROTOCOL = 1;

/** The largest accepted body. */
const TILLKIT_MAX_BODY_BYTES = 65536;

/** How long a call waits for the lock of an order. */
const TILLKIT_LOCK_WAIT_SECONDS = 10;

/**
 * @param array<string,string> $headers The values of the three headers: store, time and signature.
 * @return array|Tillkit_Error
 */
function tillkit_answer_call( string $purpose, array $headers, string $bytes, int $now ) {
	$body = tillkit_receive_call( $purpose, $headers, $bytes, $now );
	if ( $body instanceof Tillkit_Error ) {
		$answer = $body;
	} elseif ( 'ping' === $purpose ) {
		$answer = tillkit_ping( $now );
	} elseif ( in_array( $purpose, array( 'read-order', 'list-orders' ), true ) ) {
		$fields = tillkit_read_query( $purpose, $body );
		$answer = ( null === $fields ? null : tillkit_host()->read_orders( $purpose, $fields ) ) ?? tillkit_bad_request();
	} else {
		$answer = tillkit_answer_order_write( $purpose, $body, $now );
	}
	if ( 'ping' !== $purpose || $answer instanceof Tillkit_Error ) {
		tillkit_log_answer( $purpose, $answer );
	}
	return $answer;
}

/**
 * Calls for the same order are answered one at a time.
 *
 * @return array|Tillkit_Error
 */
function tillkit_answer_order_write( string $purpose, array $body, int $now ) {
	$fields = isset( TILLKIT_CALL_FIELDS[ $purpose ] ) ? tillkit_read_order_fields( $purpose, $body ) : null;
	if ( null === $fields ) {
		return tillkit_bad_request();
	}
	$work   = static function () use ( $purpose, $fields, $now ) {
		return 'decision' === $purpose ? tillkit_show_decision( $fields ) : tillkit_host()->write_order( $purpose, $fields, $now );
	};
	$answer = tillkit_write_under_lock( $fields['order'], TILLKIT_LOCK_WAIT_SECONDS, $work );
	return $answer ?? tillkit_busy();
}

/**
 * Verifies a signed call: size, signature, clock and JSON, in this order.
 *
 * @return array|Tillkit_Error
 */
function tillkit_receive_call( string $purpose, array $headers, string $bytes, int $now ) {
	if ( strlen( $bytes ) > TILLKIT_MAX_BODY_BYTES ) {
		return new Tillkit_Error( 'tillkit_body_too_large', tillkit_text( 'The call is too large.' ), 413 );
	}
	$result = tillkit_verify_call( $purpose, $headers, $bytes, tillkit_link_secrets(), $now );
	if ( 'signature_invalid' === $result || tillkit_host()->settings()['store'] !== $headers['store'] ) {
		return new Tillkit_Error( 'tillkit_signature_invalid', tillkit_text( 'The signature does not match: give the checkout server and the plugin the same store id and link secret.' ), 401 );
	}
	if ( 'clock_differs' === $result ) {
		return new Tillkit_Error( 'tillkit_clock_differs', tillkit_text( 'The clocks of the shop and the checkout server differ: synchronise both clocks (NTP).' ), 401, compact( 'now' ) );
	}
	$body = json_decode( $bytes, false, 8 );
	return $body instanceof stdClass ? (array) $body : tillkit_bad_request();
}

function tillkit_bad_request(): Tillkit_Error {
	return new Tillkit_Error( 'tillkit_bad_request', tillkit_text( 'The call does not follow the protocol: update the checkout server and the plugin to the same version.' ), 400 );
}

/** Settings that only the shop can read. */
function tillkit_ping( int $now ): array {
	$settings = tillkit_host()->settings();
	$shop     = tillkit_host()->shop();
	return array(
		'protocol'        => TILLKIT_PROTOCOL,
		'plugin'          => $shop['version'],
		'platform'        => $shop['platform'],
		'php'             => PHP_MAJOR_VERSION . '.' . PHP_MINOR_VERSION,
		'time'            => $now,
		'currency'        => $shop['currency'],
		'decimals'        => $shop['decimals'],
		'enabled'         => $settings['enabled'],
		'checkout_server' => $settings['checkout_server'],
	);
}

/**
 * The status and the body of a response.
 *
 * @param array|Tillkit_Error $answer
 * @return array{status:int,body:array}
 */
function tillkit_response( $answer ): array {
	if ( ! $answer instanceof Tillkit_Error ) {
		return array(
			'status' => 200,
			'body'   => $answer,
		);
	}
	return array(
		'status' => $answer->status,
		'body'   => array(
			'code'    => $answer->code,
			'message' => $answer->message,
			'data'    => array( 'status' => $answer->status ) + $answer->data,
		),
	);
}
