<?php
/** What the companion, and a page that waits, may call. */

defined( 'ABSPATH' ) || exit;

/** A body has at most so many bytes. */
const TILLKIT_MOST_BYTES = 65536;

/** So many seconds a call waits for an order's lock. */
const TILLKIT_LOCK_WAIT = 10;

function tillkit_add_routes(): void {
	$routes = array(
		'settle' => 'tillkit_answer_settle',
		'hold'   => 'tillkit_answer_hold',
		'ping'   => 'tillkit_answer_ping',
		'wait'   => 'tillkit_answer_wait',
	);
	foreach ( $routes as $name => $answer ) {
		register_rest_route(
			'tillkit/v1',
			"/$name",
			array(
				'methods'             => 'POST',
				'callback'            => $answer,
				// No user of WordPress calls here: the signature decides, and for `wait` the order's key.
				'permission_callback' => '__return_true',
			)
		);
	}
}

function tillkit_answer_settle( WP_REST_Request $request ): WP_REST_Response {
	return tillkit_answer_under_lock( $request, 'settle', 'tillkit_read_wish', 'tillkit_settle' );
}

function tillkit_answer_hold( WP_REST_Request $request ): WP_REST_Response {
	return tillkit_answer_under_lock( $request, 'hold', 'tillkit_read_hold', 'tillkit_hold' );
}

/**
 * A call that writes an order: one at a time for each order.
 *
 * @param callable $read  Makes a wish of the body; null when it is none.
 * @param callable $write Gets the wish and the time.
 */
function tillkit_answer_under_lock( WP_REST_Request $request, string $purpose, callable $read, callable $write ): WP_REST_Response {
	$body = tillkit_take_call( $request, $purpose );
	if ( is_wp_error( $body ) ) {
		return tillkit_respond( $body );
	}
	$wish = $read( $body );
	if ( null === $wish ) {
		return tillkit_respond( tillkit_bad_request() );
	}
	$work   = static function () use ( $write, $wish ) {
		return tillkit_as_companion(
			static function () use ( $write, $wish ) {
				return $write( $wish, time() );
			}
		);
	};
	$answer = tillkit_locked( $wish['order'], TILLKIT_LOCK_WAIT, $work );
	return tillkit_respond( $answer ?? new WP_Error( 'tillkit_busy', __( 'Somebody else is working on this order. Try again.', 'tillkit-checkout' ), array( 'status' => 503 ) ) );
}

function tillkit_answer_ping( WP_REST_Request $request ): WP_REST_Response {
	$body = tillkit_take_call( $request, 'ping' );
	return tillkit_respond( is_wp_error( $body ) ? $body : tillkit_ping( time() ) );
}

/**
 * Takes a signed call: size, signature, clock, JSON, in this order.
 *
 * @return array|WP_Error
 */
function tillkit_take_call( WP_REST_Request $request, string $purpose ) {
	$bytes = (string) $request->get_body();
	if ( strlen( $bytes ) > TILLKIT_MOST_BYTES ) {
		return new WP_Error( 'tillkit_body_too_large', __( 'The call is too large.', 'tillkit-checkout' ), array( 'status' => 413 ) );
	}
	$headers  = array(
		'store'     => (string) $request->get_header( 'X-Tillkit-Store' ),
		'time'      => (string) $request->get_header( 'X-Tillkit-Time' ),
		'signature' => (string) $request->get_header( 'X-Tillkit-Signature' ),
	);
	$settings = tillkit_settings();
	$now      = time();
	$reading  = tillkit_read_call( $purpose, $headers, $bytes, $settings['secrets'], $now );
	if ( 'signature_invalid' === $reading || $headers['store'] !== $settings['store'] ) {
		return new WP_Error( 'tillkit_signature_invalid', __( 'The signature does not fit: give companion and plugin the same store id and link secret.', 'tillkit-checkout' ), array( 'status' => 401 ) );
	}
	if ( 'clock_differs' === $reading ) {
		return new WP_Error(
			'tillkit_clock_differs',
			__( 'The clocks of shop and companion differ: set both by the network’s time.', 'tillkit-checkout' ),
			array(
				'status' => 401,
				'now'    => $now,
			)
		);
	}
	$body = json_decode( $bytes, false, 8 );
	return $body instanceof stdClass ? (array) $body : tillkit_bad_request();
}

function tillkit_bad_request(): WP_Error {
	return new WP_Error( 'tillkit_bad_request', __( 'The call is not what companion and plugin agreed on: bring both to the same version.', 'tillkit-checkout' ), array( 'status' => 400 ) );
}

/** @param array|WP_Error $answer */
function tillkit_respond( $answer ): WP_REST_Response {
	$headers = array( 'Cache-Control' => 'no-store' );
	if ( ! is_wp_error( $answer ) ) {
		return new WP_REST_Response( $answer, 200, $headers );
	}
	$data = $answer->get_error_data();
	$body = array(
		'code'    => $answer->get_error_code(),
		'message' => $answer->get_error_message(),
		'data'    => $data,
	);
	return new WP_REST_Response( $body, $data['status'], $headers );
}
